import { Worker } from 'node:worker_threads';
import { FairSlots, type SlotUser } from '#server/concurrency/fair-slots.ts';
import { type ThreadError, unpackError } from './thread-error.ts';

/** What a thread that reads a file tells; its task is over with the answer or the failure. */
export type FromTaskThread<Answer, Progress> =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'failed'; error: ThreadError };

/** How much the threads of one kind may use. */
export type TaskLimits = {
  /** Threads at once: each keeps a core busy and holds its memory. */
  concurrency: number;
  /** How long one may live, from its start to its end. */
  deadlineMs: number;
  /** JavaScript objects of one thread. */
  heapMb: number;
  /** Those, and its buffers besides them. */
  memoryMb: number;
};

/** A thread was ended because it took longer, or held more memory, than its limits allow. */
export class TaskLimitError extends Error {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super(`a thread needs more ${limit} than it may take`);
    this.limit = limit;
  }
}

/** How long a task waits in line: several imports of ordinary size may be ahead of it. */
const maxWaitMs = 120_000;
const watchEveryMs = 200;
const megabyte = 1024 * 1024;

/**
 * Reads files that people sent, each in a thread of its own (see `runThreadTask`): whatever a file brings about there
 * ends its own task alone.
 */
export class ThreadTasks<Task, Answer, Progress = never> {
  readonly #script: URL;
  readonly #limits: TaskLimits;
  readonly #slots: FairSlots;
  readonly #running = new Set<Promise<void>>();

  /** @param script the threads' module */
  constructor(script: URL, limits: TaskLimits) {
    this.#script = script;
    this.#limits = limits;
    this.#slots = new FairSlots({ concurrency: limits.concurrency, maxWaitMs });
  }

  /**
   * Runs one task when its turn has come. When `signal` aborts before the answer, the thread is ended and its
   * transaction with it.
   * @param sender whose share of the threads it uses
   * @throws AppError 429 when no thread came free in time; TaskLimitError where the thread was ended for its limits;
   *   the error that the thread met, or the signal's reason
   */
  async run(
    task: Task,
    sender: SlotUser,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Answer> {
    const giveBack = await this.#slots.take(sender, signal);
    const thread = new Worker(this.#script, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: 8 },
    });
    // After its answer the thread still has to tidy up in the database.
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    this.#running.add(ended);
    void ended.then(() => {
      this.#running.delete(ended);
      giveBack();
    });
    return await this.#listen(thread, ended, signal, onProgress);
  }

  /** Waits until every thread has ended by itself. */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
  }

  #listen(
    thread: Worker,
    ended: Promise<void>,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      const end = (reason: Error) => {
        failure ??= reason;
        void thread.terminate();
      };
      const leave = () => end(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      const stopWatching = this.#watch(thread, end);
      thread.on('message', (message: FromTaskThread<Answer, Progress>) => {
        if (message.kind === 'progress') return onProgress(message.progress);
        // What follows is the thread's own tidying up, which nobody may interrupt but the deadline.
        signal.removeEventListener('abort', leave);
        if (message.kind === 'answer') resolve(message.answer);
        else reject(unpackError(message.error));
      });
      // Stays for as long as the thread does: an error that nobody hears would end the process.
      thread.on('error', (error: NodeJS.ErrnoException) => {
        failure ??= error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new TaskLimitError('memory') : error;
      });
      void ended.then(() => {
        stopWatching();
        signal.removeEventListener('abort', leave);
        reject(failure ?? new Error('a thread ended without an answer'));
      });
    });
  }

  /** Ends a thread that takes too long, or more memory than its heap's own limit can see. */
  #watch(thread: Worker, end: (reason: TaskLimitError) => void): () => void {
    const { deadlineMs, memoryMb } = this.#limits;
    const deadline = setTimeout(() => end(new TaskLimitError('time')), deadlineMs);
    const watch = setInterval(async () => {
      // A thread that is about to begin or to end has none.
      const memory = await thread.getHeapStatistics().catch(() => undefined);
      const bytes = memory ? memory.used_heap_size + memory.external_memory : 0;
      if (bytes > memoryMb * megabyte) end(new TaskLimitError('memory'));
    }, watchEveryMs);
    return () => {
      clearTimeout(deadline);
      clearInterval(watch);
    };
  }
}
