import { shareOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import type { Bounds, ShareUser } from './held-shares.ts';

/** The limits of one kind of costly work. */
export type SlotLimits = {
  /** The number of slots. One company gets at most half of them, one user half of that, and each at least one. */
  concurrency: number;
  /** How long a caller may wait for a slot. */
  maxWaitMs: number;
};

export type SlotUser = ShareUser;

const retryAfterSeconds = 5;

type Turn = { user: SlotUser; begin(): void };

/** A semaphore with fair shares within one process: no user and no company can hold all slots. */
export class FairSlots {
  readonly #limits: SlotLimits;
  readonly #holders = new Set<Turn>();
  readonly #queue = new Set<Turn>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Waits for a slot.
   * @returns a function that releases the slot
   * @throws AppError 429 if no slot is free in time, or the signal's reason
   */
  async take(user: SlotUser, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const waitSignal = AbortSignal.any([signal, AbortSignal.timeout(this.#limits.maxWaitMs)]);
    const { promise: turnCame, resolve: begin, reject } = Promise.withResolvers<void>();
    const turn: Turn = { user, begin };
    const leave = () => {
      // At once, because a slot that is released in the same moment would be given to this turn and never return.
      this.#queue.delete(turn);
      reject(signal.aborted ? signal.reason : busy());
    };
    waitSignal.addEventListener('abort', leave, { once: true });
    this.#queue.add(turn);
    this.#serveQueue();
    await turnCame.finally(() => waitSignal.removeEventListener('abort', leave));
    return () => {
      this.#holders.delete(turn);
      this.#serveQueue();
    };
  }

  #serveQueue(): void {
    for (const turn of this.#queue) {
      if (!this.#hasSlotFor(turn.user)) continue;
      this.#queue.delete(turn);
      this.#holders.add(turn);
      turn.begin();
    }
  }

  #hasSlotFor(user: SlotUser): boolean {
    const bounds = boundsOf(this.#limits);
    const company = [...this.#holders].filter((turn) => shareOf(turn.user) === shareOf(user));
    const ofUser = company.filter((turn) => turn.user.id === user.id);
    return (
      this.#holders.size < bounds.everybody && company.length < bounds.company && ofUser.length < bounds.own
    );
  }
}

export function boundsOf({ concurrency }: SlotLimits): Bounds {
  const company = Math.max(1, Math.floor(concurrency / 2));
  return { everybody: concurrency, company, own: Math.ceil(company / 2) };
}

/** Returns the error of a caller who waited too long: 429. */
export function busy(): AppError {
  return new AppError(429, 'busy', m.server_busy, { retryAfterSeconds });
}
