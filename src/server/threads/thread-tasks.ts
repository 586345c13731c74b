import { Worker } from 'node:worker_threads';
import type { SlotUser } from '#server/concurrency/fair-slots.ts';
import { SharedSlots } from '#server/concurrency/shared-slots.ts';
import type { Db } from '#server/db/db.ts';
import { type ThreadError, unpackError } from './thread-error.ts';

/** A message from a thread that reads a file. The answer or the error ends its task. */
export type FromTaskThread<Answer, Progress> =
  | { kind: 'progress'; progress: Progress }
  | { kind: 'answer'; answer: Answer }
  | { kind: 'failed'; error: ThreadError };

export type TaskLimits = {
  /** The maximum number of threads. Each keeps a core busy. */
  concurrency: number;
  deadlineMs: number;
  heapMb: number;
  /** The maximum of heap and buffers of a thread. */
  memoryMb: number;
};

/** The error of a thread that was terminated because it exceeded a limit. */
export class TaskLimitError extends Error {
  readonly limit: 'time' | 'memory';

  constructor(limit: 'time' | 'memory') {
    super(`a thread needs more ${limit} than it may take`);
    this.limit = limit;
  }
}

const maxWaitMs = 120_000; // several imports of ordinary size
const watchEveryMs = 200;
/** Rows live until their batch is stored. With less, the garbage collector copies most of them. */
const youngMb = 32;
const megabyte = 1024 * 1024;

/**
 * Reads uploaded files, each in its own thread (see `runThreadTask`), so that a file that crashes or exhausts its reader
 * fails only its own task.
 */
export class ThreadTasks<Task, Answer, Progress = never> {
  readonly #script: URL;
  readonly #limits: TaskLimits;
  readonly #slots: SharedSlots;
  readonly #running = new Set<Promise<void>>();

  /**
   * @param kind names the tasks, whose slots are counted over all API processes
   * @param script the module of the threads
   */
  constructor(kind: string, script: URL, limits: TaskLimits) {
    this.#script = script;
    this.#limits = limits;
    this.#slots = new SharedSlots(kind, { concurrency: limits.concurrency, maxWaitMs });
  }

  /**
   * Runs a task when a slot is free. If `signal` aborts before the answer, terminates the thread, which ends its
   * transaction.
   * @param sender the user whose slot it takes
   * @throws AppError 429 if no slot is free in time; TaskLimitError; the error of the thread; the signal's reason
   */
  async run(
    db: Db,
    task: Task,
    sender: SlotUser,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void = () => undefined,
  ): Promise<Answer> {
    const giveBack = await this.#slots.take(db, sender, signal);
    let thread: Worker;
    try {
      thread = new Worker(this.#script, {
        workerData: task,
        resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb, maxYoungGenerationSizeMb: youngMb },
      });
    } catch (error) {
      giveBack();
      throw error;
    }
    // The slot is released at the thread's exit, because it still cleans up in the database after its answer.
    const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
    this.#running.add(ended);
    void ended.then(() => {
      this.#running.delete(ended);
      giveBack();
    });
    return await this.#listen(thread, ended, signal, onProgress);
  }

  /**
   * Does a task in this process when a slot is free, because a thread would cost more than the task itself.
   * @throws AppError 429 if no slot is free in time; the error of the task
   */
  async runHere(db: Db, sender: SlotUser, signal: AbortSignal, work: () => Promise<Answer>): Promise<Answer> {
    const giveBack = await this.#slots.take(db, sender, signal);
    const answer = work();
    const ended = answer.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    void ended.then(() => {
      this.#running.delete(ended);
      giveBack();
    });
    return await answer;
  }

  /** Waits until every task has ended. */
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
        // From now on the thread cleans up, which only the deadline may interrupt.
        signal.removeEventListener('abort', leave);
        if (message.kind === 'answer') resolve(message.answer);
        else reject(unpackError(message.error));
      });
      // Never removed, because an error without a listener would end the process.
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

  /** Ends a thread that takes too long, or more memory than the heap limit counts. */
  #watch(thread: Worker, end: (reason: TaskLimitError) => void): () => void {
    const { deadlineMs, memoryMb } = this.#limits;
    const deadline = setTimeout(() => end(new TaskLimitError('time')), deadlineMs);
    const watch = setInterval(async () => {
      // Undefined while the thread starts or ends.
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
