import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { SheetError, type SheetFault } from '../sheet-error.ts';
import type { SheetOptions, SheetRow, TakeRows } from '../sheet-row.ts';

export type XlsTask = { path: string; columns: number };
export type XlsAnswer = { rows: SheetRow[]; date1904: boolean } | { fault: SheetFault; message: string };

const mostHeapMb = 512;
const mostBytes = 160 * 1024 * 1024;
/** The largest good files take a few seconds; this only ends what would never end. */
const deadlineMs = 30_000;

/**
 * Reads the first visible worksheet of an .xls file (BIFF5 or BIFF8) in a thread of its own, with a bounded heap
 * and a deadline: its reader builds the whole sheet in memory.
 * @throws SheetError
 */
export async function readXls(path: string, options: SheetOptions, take: TakeRows): Promise<void> {
  if ((await stat(path)).size > mostBytes)
    throw new SheetError('bomb', `an .xls file over ${mostBytes} bytes`);
  const task: XlsTask = { path, columns: options.columns };
  const thread = new Worker(new URL('./xls.thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: mostHeapMb, maxYoungGenerationSizeMb: 32 },
  });
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const [answer] = (await once(thread, 'message', { signal })) as [XlsAnswer];
    if ('fault' in answer) throw new SheetError(answer.fault, answer.message);
    await take(answer.rows, answer);
  } catch (error) {
    if (deadline.aborted) throw new SheetError('bomb', 'an .xls file that took too long', { cause: error });
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new SheetError('bomb', 'an .xls file that needs too much memory', { cause: error });
    }
    throw error;
  } finally {
    await thread.terminate();
  }
}
