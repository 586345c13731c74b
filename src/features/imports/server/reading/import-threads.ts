import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import type { Db } from '#server/db/db.ts';
import { inSpan } from '#server/monitoring/spans.ts';
import type { Context } from '#server/runtime/context.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import { SerialsAnalysis } from '../uploaded-rows/serials-analysis.ts';
import type { ImportProgress, ImportTask } from './import-task.ts';

/** A million rows take a twentieth of that time and half of that memory. */
const limits = { concurrency: 4, deadlineMs: 300_000, heapMb: 320, memoryMb: 440 };

/** The threads that import sheets, four at a time. */
export class ImportThreads {
  #tasks = new ThreadTasks<ImportTask, ImportAnswer, ImportProgress>(
    'imports',
    new URL('./import.thread.ts', import.meta.url),
    limits,
  );
  readonly #analysis: SerialsAnalysis;
  readonly #db: Db;

  constructor({ db, log }: Pick<Context, 'db' | 'log'>) {
    this.#db = db;
    this.#analysis = new SerialsAnalysis(db, log);
  }

  /**
   * Runs one import. If `signal` aborts before its commit, nothing is stored.
   * @throws AppError with the reason of a refusal; an unexpected error of the thread; the signal's reason
   */
  async run(
    task: ImportTask,
    signal: AbortSignal,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportAnswer> {
    const { companyCode } = task;
    const sender = task.caller ?? { id: 0, companyCode, superadmin: false };
    const answer = await inSpan('import', { 'coverdesk.company': companyCode }, async (span) => {
      const imported = await this.#tasks
        .run(this.#db, task, sender, signal, onProgress)
        .catch((error: unknown) => {
          throw explainSheetError(task.maxRows, error);
        });
      span.setAttributes({
        'coverdesk.ticket': Number(imported.ticket._id),
        'coverdesk.rows': imported.imported_count,
      });
      return imported;
    });
    // Not awaited, because it may have to wait for other maintenance.
    this.#analysis.request();
    return answer;
  }

  /** Waits until every thread and the last analysis have ended. */
  async drain(): Promise<void> {
    await this.#tasks.drain();
    await this.#analysis.close();
  }
}
