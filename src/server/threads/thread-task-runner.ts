import { parentPort } from 'node:worker_threads';
import { asSheetError } from '#server/sheet/sheet-error.ts';
import { packError } from './thread-error.ts';
import type { FromTaskThread } from './thread-tasks.ts';

/**
 * The thread's side of `ThreadTasks`: does the one task and tells its answer, or why there is none. A library that
 * throws where nobody can catch, in a callback of its own, has met a damaged file.
 * @param work tells the answer itself, since it may have to tidy up behind it
 */
export function runThreadTask<Answer, Progress>(
  work: (tell: (message: FromTaskThread<Answer, Progress>) => void) => Promise<void>,
): void {
  const port = parentPort;
  if (!port) throw new Error('this module runs as a thread');
  const tell = (message: FromTaskThread<Answer, Progress>) => port.postMessage(message);
  process.once('uncaughtException', (error) => {
    tell({ kind: 'failed', error: packError(asSheetError(error)) });
    process.exit();
  });
  work(tell).catch((error: unknown) => tell({ kind: 'failed', error: packError(error) }));
}
