import { parentPort } from 'node:worker_threads';
import { packError } from './thread-error.ts';
import type { FromTaskThread } from './thread-tasks.ts';

/**
 * The thread's side of `ThreadTasks`. Runs its one task and sends the answer or the error.
 * @param work sends the answer itself, because it may clean up after that
 * @param explain converts an error of the work, or an uncaught one of a library's callback, to the error to send
 */
export function runThreadTask<Answer, Progress>(
  work: (tell: (message: FromTaskThread<Answer, Progress>) => void) => Promise<void>,
  explain: (error: unknown, uncaught: boolean) => unknown = (error) => error,
): void {
  const port = parentPort;
  if (!port) throw new Error('this module must run as a thread');
  const tell = (message: FromTaskThread<Answer, Progress>) => port.postMessage(message);
  process.once('uncaughtException', (error) => {
    tell({ kind: 'failed', error: packError(explain(error, true)) });
    process.exit();
  });
  work(tell).catch((error: unknown) => tell({ kind: 'failed', error: packError(explain(error, false)) }));
}
