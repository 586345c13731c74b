import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { Loop } from '#server/concurrency/loop.ts';
import type { Db } from '#server/db/db.ts';
import { inSpan } from '#server/monitoring/spans.ts';
import type { Context } from '#server/runtime/context.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { ThreadTasks } from '#server/threads/thread-tasks.ts';
import { analyzeSerials } from '../uploaded-rows/serials-analysis.queries.ts';
import type { ImportProgress, ImportTask } from './import-task.ts';
import { isShortList } from './row-source.ts';
import { runImport } from './run-import.ts';

/** A million rows take a twentieth of this time and half of this memory. */
const limits = { concurrency: 4, deadlineMs: 300_000, heapMb: 320, memoryMb: 440 };

/** The interval of analyses; each import wakes the loop earlier. */
const analysisMs = 3_600_000;
/** The pause after an analysis that failed, because it cannot run during other maintenance of the table. */
const retryMs = 10_000;

/** Runs imports, four at a time: in threads, except short lists of texts. */
export class ImportThreads {
  #tasks = new ThreadTasks<ImportTask, ImportAnswer, ImportProgress>(
    'imports',
    new URL('./import.thread.ts', import.meta.url),
    limits,
  );
  /** Updates the planner's statistics, because a batch of lookups would scan its whole ticket otherwise. */
  readonly #analysis: Loop;
  readonly #db: Db;

  constructor({ db, log }: Pick<Context, 'db' | 'log'>) {
    this.#db = db;
    let nextMs = analysisMs;
    const analyse = async () => {
      nextMs = retryMs;
      await analyzeSerials(db);
      nextMs = analysisMs;
    };
    this.#analysis = new Loop(analyse, {
      pauseMs: () => nextMs,
      onFailure: (err) => log.info({ err }, 'imported rows could not be analysed yet'),
    });
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
      const run = isShortList(task.source)
        ? this.#tasks.runHere(this.#db, sender, signal, () => runHere(task, signal, onProgress))
        : this.#tasks.run(this.#db, task, sender, signal, onProgress);
      const imported = await run.catch((error: unknown) => {
        throw explainSheetError(task.maxRows, error);
      });
      span.setAttributes({
        'coverdesk.ticket': Number(imported.ticket._id),
        'coverdesk.rows': imported.imported_count,
      });
      return imported;
    });
    this.#analysis.wake();
    return answer;
  }

  /** Waits until every import and the last analysis have ended. */
  async drain(): Promise<void> {
    await this.#tasks.drain();
    await this.#analysis.stop();
  }
}

function runHere(
  task: ImportTask,
  signal: AbortSignal,
  report: (progress: ImportProgress) => void,
): Promise<ImportAnswer> {
  return new Promise((answer, reject) => {
    runImport(task, { report, answer, check: () => signal.throwIfAborted() }).catch(reject);
  });
}
