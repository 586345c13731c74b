import { Semaphore } from '#server/concurrency/semaphore.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/** What a line of work bears: so much at once, so much that waits, and so long. */
export type LineLimits = { atOnce: number; waiting: number; patienceMs: number };

/** Work on password hashes, which costs much processor time and memory each: a few at once, the rest in a bounded line. */
export class HashLine {
  readonly #limits: LineLimits;
  readonly #turns: Semaphore;
  #inside = 0;

  constructor(limits: LineLimits) {
    this.#limits = limits;
    this.#turns = new Semaphore(limits.atOnce);
  }

  /**
   * Does one piece of work in its turn.
   * @throws AppError 429 where the line is full, or its turn did not come in time
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { atOnce, waiting, patienceMs } = this.#limits;
    if (this.#inside >= atOnce + waiting) throw busy();
    this.#inside += 1;
    try {
      const end = await this.#turns.take(AbortSignal.timeout(patienceMs)).catch(() => {
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
  return new AppError(429, 'busy', (locale) => m.server_sign_in_busy({}, { locale }), {
    retryAfterSeconds: 5,
  });
}
