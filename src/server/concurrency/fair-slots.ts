import { type Caller, shareOf } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

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

type Turn = { user: SlotUser; begin(): void };

/** Slots for costly work, shared fairly: no user and no company can hold all of them. */
export class FairSlots {
  readonly #limits: SlotLimits;
  readonly #held = new Set<Turn>();
  readonly #line = new Set<Turn>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Waits in line for a slot.
   * @returns gives the slot back
   * @throws AppError 429 when no slot came free in time; the signal's reason when it aborts before
   */
  async take(user: SlotUser, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const patience = AbortSignal.any([signal, AbortSignal.timeout(this.#limits.patienceMs)]);
    const { promise: turnCame, resolve: begin, reject } = Promise.withResolvers<void>();
    const leave = () => reject(signal.aborted ? signal.reason : busy());
    patience.addEventListener('abort', leave, { once: true });
    const turn: Turn = { user, begin };
    this.#line.add(turn);
    this.#serveLine();
    await turnCame.finally(() => {
      patience.removeEventListener('abort', leave);
      this.#line.delete(turn);
    });
    return () => {
      this.#held.delete(turn);
      this.#serveLine();
    };
  }

  #serveLine(): void {
    for (const turn of this.#line) {
      if (!this.#hasSlotFor(turn.user)) continue;
      this.#line.delete(turn);
      this.#held.add(turn);
      turn.begin();
    }
  }

  #hasSlotFor(user: SlotUser): boolean {
    const { atOnce } = this.#limits;
    const perCompany = Math.max(1, Math.floor(atOnce / 2));
    const company = [...this.#held].filter((turn) => shareOf(turn.user) === shareOf(user));
    const own = company.filter((turn) => turn.user.id === user.id);
    return this.#held.size < atOnce && company.length < perCompany && own.length < Math.ceil(perCompany / 2);
  }
}

function busy(): AppError {
  return new AppError(429, 'busy', (locale) => m.server_busy({}, { locale }), { retryAfterSeconds });
}
