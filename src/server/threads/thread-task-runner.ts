import { parentPort } from 'node:worker_threads';
import { packError } from './thread-error.ts';
import type { FromTaskThread } from './thread-tasks.ts';

/**
 * The thread's side of `ThreadTasks`: does the one task and tells its answer, or why there is none.
 * @param work tells the answer itself, since it may have to tidy up behind it
 * @param explain turns an error of the work, or one that a library throws in a callback of its own, into what is told
 */
export function runThreadTask<Answer, Progress>(
  work: (tell: (message: FromTaskThread<Answer, Progress>) => void) => Promise<void>,
  explain: (error: unknown, uncaught: boolean) => unknown = (error) => error,
): void {
  const port = parentPort;
  if (!port) throw new Error('this module runs as a thread');
  const tell = (message: FromTaskThread<Answer, Progress>) => port.postMessage(message);
  process.once('uncaughtException', (error) => {
    tell({ kind: 'failed', error: packError(explain(error, true)) });
    process.exit();
  });
  work(tell).catch((error: unknown) => tell({ kind: 'failed', error: packError(explain(error, false)) }));
}
