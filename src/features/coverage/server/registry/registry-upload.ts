import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SheetFault } from '#server/sheet/sheet-error.ts';
import type { RowFault } from './registry-row.ts';

/** What the thread is to do: replace the list of `source` by the workbook at `path`. */
export type UploadTask = {
  databaseUrl: string;
  source: string;
  path: string;
  maxRows: number;
  timezone: string;
};

/** A row that was left out; `first` is the row that has the same device. */
export type RejectedRow = { row: number; fault: RowFault; first?: number };

/** How many rejected rows are told one by one. */
export const rejectedShown = 100;

/** The list was replaced, had no usable row, or could not be read. In the last two cases the old list stays. */
export type UploadResult =
  | { is: 'replaced' | 'empty'; imported: number; rejectedCount: number; rejected: RejectedRow[] }
  | { is: 'unreadable'; fault: SheetFault; message: string };

export type ThreadAnswer = { result: UploadResult } | { error: Error };

/** Replaces a list by a workbook, in a thread and a transaction of its own: completely or not at all. */
export async function runUpload(task: UploadTask): Promise<UploadResult> {
  const thread = new Worker(new URL('./registry.thread.ts', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  try {
    const [answer] = (await once(thread, 'message')) as [ThreadAnswer];
    if ('error' in answer) throw answer.error;
    return answer.result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return { is: 'unreadable', fault: 'bomb', message: 'a workbook that needs too much memory' };
  } finally {
    await thread.terminate();
  }
}
