import { Semaphore } from '#server/concurrency/semaphore.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** The limits of a queue: tasks that run at once, tasks that wait, tasks of one account that do either, and how long one waits. */
export type QueueLimits = { concurrency: number; waiting: number; ofAccount: number; maxWaitMs: number };

/** A bounded queue for hashing passwords, each of which needs much CPU and memory. */
export class HashQueue {
  readonly #limits: QueueLimits;
  readonly #turns: Semaphore;
  readonly #inside = new Set<{ account: string | undefined }>();

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#turns = new Semaphore(limits.concurrency);
  }

  /**
   * Runs a task when its turn comes.
   * @param account the account whose share of the queue it takes
   * @throws AppError 429 when the queue or the share is full, or its turn did not come in time
   */
  async run<T>(work: () => Promise<T>, account?: string): Promise<T> {
    const { concurrency, waiting, maxWaitMs } = this.#limits;
    if (this.#inside.size >= concurrency + waiting || this.#isShareFull(account)) throw busy();
    const task = { account };
    this.#inside.add(task);
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
      this.#inside.delete(task);
    }
  }

  #isShareFull(account: string | undefined): boolean {
    if (account === undefined) return false;
    const own = [...this.#inside].filter((task) => task.account === account);
    return own.length >= this.#limits.ofAccount;
  }
}

function busy(): AppError {
  return new AppError(429, 'busy', m.server_sign_in_busy, {
    retryAfterSeconds: 5,
  });
}
