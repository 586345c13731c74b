import { SheetError } from '#server/sheet/sheet-error.ts';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/thread-tasks.ts';
import type { ImportAnswer } from '../imports.contract.ts';
import type { ImportProgress, ImportTask } from './import-task.ts';

/** A million rows take a twentieth of that time and half of that memory. */
const limits = { atOnce: 4, deadlineMs: 300_000, heapMb: 160, memoryMb: 280 };

/** The threads that import sheets, a few at a time. */
export class ImportThreads {
  #tasks = new ThreadTasks<ImportTask, ImportAnswer, ImportProgress>(
    new URL('./import.thread.ts', import.meta.url),
    limits,
  );

  /**
   * Runs one import. When `signal` aborts before its commit, nothing of it stays.
   * @throws AppError why it was refused; what the thread could not explain, or the signal's reason
   */
  async run(
    task: ImportTask,
    signal: AbortSignal,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportAnswer> {
    return await this.#tasks.run(task, task.caller, signal, onProgress).catch((error: unknown) => {
      throw error instanceof SheetError ? sheetFailure(error.family, task.maxRows) : error;
    });
  }

  /** Waits until every thread has ended by itself. */
  async drain(): Promise<void> {
    await this.#tasks.drain();
  }
}
