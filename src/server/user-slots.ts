import { Semaphore } from './semaphore.ts';

/** Slots for work that takes long: each user has half of them, and only with one of those waits for one of all. */
export class UserSlots {
  readonly #perUser: number;
  readonly #inAll: Semaphore;
  readonly #users = new Map<number, { slots: Semaphore; asking: number }>();

  constructor(inAll: number) {
    this.#perUser = Math.ceil(inAll / 2);
    this.#inAll = new Semaphore(inAll);
  }

  /**
   * Waits for the user's turn.
   * @returns what ends it; call it once
   * @throws the signal's reason when it aborts before the turn comes
   */
  async take(userId: number, signal: AbortSignal): Promise<() => void> {
    const user = this.#users.get(userId) ?? { slots: new Semaphore(this.#perUser), asking: 0 };
    this.#users.set(userId, user);
    user.asking += 1;
    const leave = () => {
      user.asking -= 1;
      if (user.asking === 0) this.#users.delete(userId);
    };
    let giveOwnBack: (() => void) | undefined;
    try {
      giveOwnBack = await user.slots.take(signal);
      const giveBack = await this.#inAll.take(signal);
      const giveOwn = giveOwnBack;
      return () => {
        giveBack();
        giveOwn();
        leave();
      };
    } catch (error) {
      giveOwnBack?.();
      leave();
      throw error;
    }
  }
}
