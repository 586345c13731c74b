import { Semaphore } from '#server/concurrency/semaphore.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** The limits of a queue: tasks that run at once, tasks that wait, and how long one waits. */
export type QueueLimits = { concurrency: number; waiting: number; maxWaitMs: number };

/** A bounded queue for hashing passwords, each of which needs much CPU and memory. */
export class HashQueue {
  readonly #limits: QueueLimits;
  readonly #turns: Semaphore;
  #inside = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#turns = new Semaphore(limits.concurrency);
  }

  /**
   * Runs a task when its turn comes.
   * @throws AppError 429 when the queue is full, or its turn did not come in time
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { concurrency, waiting, maxWaitMs } = this.#limits;
    if (this.#inside >= concurrency + waiting) throw busy();
    this.#inside += 1;
    try {
      const end = await this.#turns.take(AbortSignal.timeout(maxWaitMs)).catch(() => {
        throw busy();
      });
      try {
        return await work();
      } finally {
        end();
      }
    } finally {
      this.#inside -= 1;
    }
  }
}

function busy(): AppError {
  return new AppError(429, 'busy', m.server_sign_in_busy, {
    retryAfterSeconds: 5,
  });
}
