import { type Caller, shareOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';
import { Semaphore } from './semaphore.ts';

/** The bounds of one kind of costly work. */
export type SlotLimits = {
  /** Slots of all together. One company holds at most half of them, one user half of that, each at least one. */
  atOnce: number;
  /** How long a caller may wait in line, in milliseconds. */
  patienceMs: number;
};

/** Whose share of the slots is used. */
export type SlotUser = Pick<Caller, 'id' | 'companyCode' | 'superadmin'>;

const retryAfterSeconds = 5;

/** Slots for costly work, shared fairly: no user and no company can hold all of them. */
export class FairSlots {
  readonly #patienceMs: number;
  readonly #users: KeyedSemaphores<number>;
  readonly #companies: KeyedSemaphores<string>;
  readonly #all: Semaphore;

  constructor({ atOnce, patienceMs }: SlotLimits) {
    const perCompany = Math.max(1, Math.floor(atOnce / 2));
    this.#patienceMs = patienceMs;
    this.#users = new KeyedSemaphores(Math.ceil(perCompany / 2));
    this.#companies = new KeyedSemaphores(perCompany);
    this.#all = new Semaphore(atOnce);
  }

  /**
   * Waits in line for a slot.
   * @returns gives the slot back; call it once
   * @throws AppError 429 when no slot came free in time; the signal's reason when it aborts before
   */
  async take(user: SlotUser, signal: AbortSignal): Promise<() => void> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(this.#patienceMs)]);
    const held: (() => void)[] = [];
    const giveBack = () => {
      for (const release of held) release();
    };
    try {
      // The narrowest bound first: who waits for a colleague holds nothing that another company could use.
      held.push(await this.#users.take(user.id, patience));
      held.push(await this.#companies.take(shareOf(user), patience));
      held.push(await this.#all.take(patience));
      return giveBack;
    } catch {
      giveBack();
      throw signal.aborted ? signal.reason : busy();
    }
  }
}

/** One semaphore per key, kept while it is held or awaited. */
class KeyedSemaphores<Key> {
  readonly #permits: number;
  readonly #byKey = new Map<Key, { semaphore: Semaphore; callers: number }>();

  constructor(permits: number) {
    this.#permits = permits;
  }

  async take(key: Key, signal: AbortSignal): Promise<() => void> {
    const entry = this.#byKey.get(key) ?? { semaphore: new Semaphore(this.#permits), callers: 0 };
    this.#byKey.set(key, entry);
    entry.callers += 1;
    const leave = () => {
      entry.callers -= 1;
      if (entry.callers === 0) this.#byKey.delete(key);
    };
    try {
      const release = await entry.semaphore.take(signal);
      return () => {
        release();
        leave();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

function busy(): AppError {
  return new AppError(429, 'busy', (locale) => m.server_busy({}, { locale }), { retryAfterSeconds });
}
