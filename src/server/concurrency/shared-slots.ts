import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '#server/db/db.ts';
import { boundsOf, busy, FairSlots, type SlotLimits, type SlotUser } from './fair-slots.ts';
import { holdShare } from './held-shares.ts';

const retryMs = 200; // how often a process asks for a slot that another process may have released

/** Fair slots (see `FairSlots`) that are counted over all API processes on a database. */
export class SharedSlots {
  readonly #kind: string;
  readonly #limits: SlotLimits;
  readonly #localSlots: FairSlots;

  /** @param kind names the work in all processes */
  constructor(kind: string, limits: SlotLimits) {
    this.#kind = kind;
    this.#limits = limits;
    // Callers of this process wait in one queue, so that only its first ones ask the database.
    this.#localSlots = new FairSlots(limits);
  }

  /**
   * Waits for a slot.
   * @returns a function that releases the slot
   * @throws AppError 429 if no slot is free in time, the signal's reason, or an error of the database
   */
  async take(db: Db, user: SlotUser, signal: AbortSignal): Promise<() => void> {
    const deadline = performance.now() + this.#limits.maxWaitMs;
    const giveBack = await this.#localSlots.take(user, signal);
    try {
      for (;;) {
        const releaseOrBound = await holdShare(db, this.#kind, user, 1, boundsOf(this.#limits));
        if (typeof releaseOrBound === 'function') {
          if (!signal.aborted) return () => void releaseOrBound().then(giveBack);
          await releaseOrBound();
        }
        signal.throwIfAborted();
        if (performance.now() > deadline) throw busy();
        await delay(retryMs, undefined, { signal }).catch(() => undefined);
      }
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
