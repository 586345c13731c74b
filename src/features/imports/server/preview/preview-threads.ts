import type { Db } from '#server/db/db.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';

/** As for imports, but fewer at a time: imports come first. */
const limits = { concurrency: 2, deadlineMs: 120_000, heapMb: 320, memoryMb: 440 };

/** The threads that preview sheets, two at a time. */
export class PreviewThreads {
  readonly #tasks = new ThreadTasks<PreviewTask, PreviewedSheet>(
    'previews',
    new URL('./preview.thread.ts', import.meta.url),
    limits,
  );

  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Previews one sheet. @throws AppError why it was refused, or the signal's reason */
  run(task: PreviewTask, signal: AbortSignal): Promise<PreviewedSheet> {
    return this.#tasks
      .run(this.#db, task, task.caller, signal, () => undefined)
      .catch((error: unknown) => {
        throw explainSheetError(task.maxRows, error);
      });
  }

  /** Waits until every thread has ended. */
  drain(): Promise<void> {
    return this.#tasks.drain();
  }
}
