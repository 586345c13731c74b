import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import { Semaphore } from '#server/semaphore.ts';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import { unpackError } from '#server/thread-error.ts';
import type { ImportAnswer } from '../imports.contract.ts';
import type { FromThread, ImportTask } from './import-task.ts';

type Progress = Extract<FromThread, { kind: 'progress' }>;

const script = new URL('./import.thread.ts', import.meta.url);
/** Each keeps a core busy and holds some 150 MB. */
const threadsAtOnce = 4;
const resourceLimits = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 8 };

/** The threads that import sheets, a few at a time. */
export class ImportThreads {
  #semaphore = new Semaphore(threadsAtOnce);
  #running = new Set<Promise<unknown>>();

  /**
   * Runs one import. When `signal` aborts before its commit, nothing of it stays.
   * @throws AppError why it was refused; what the thread could not explain, or the signal's reason
   */
  async run(
    task: ImportTask,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<ImportAnswer> {
    const giveBack = await this.#semaphore.take(signal);
    const thread = new Worker(script, { workerData: task, resourceLimits });
    // After its answer the thread still has to tidy up in the database.
    const ended = once(thread, 'exit').finally(() => {
      this.#running.delete(ended);
      giveBack();
    });
    this.#running.add(ended);
    try {
      return await listen(thread, signal, onProgress);
    } catch (error) {
      if (error instanceof AppError) throw error;
      await thread.terminate();
      signal.throwIfAborted();
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      throw sheetFailure('bomb', task.maxRows);
    }
  }

  /** Waits until every thread has ended by itself. */
  async drain(): Promise<void> {
    await Promise.allSettled(this.#running);
  }
}

function listen(
  thread: Worker,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ImportAnswer> {
  return new Promise((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      if (message.kind === 'progress') onProgress(message);
      else if (message.kind === 'answer') resolve(message.answer);
      else reject(unpackError(message.error));
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('the import thread ended without an answer')));
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
