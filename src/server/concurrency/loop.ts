export type LoopOptions = {
  /** Milliseconds from the end of one round to the start of the next; asked after each round. */
  pauseMs(): number;
  /** Told why a round failed; the next one comes after the pause. */
  onFailure(error: unknown): void;
};

/** Does some work round after round, never twice at once, also after it failed. It begins when it is told to. */
export class Loop {
  readonly #work: () => Promise<unknown>;
  readonly #options: LoopOptions;
  #stopped = false;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> | undefined;

  /** @param work one round; resolves with true when the next is to follow at once */
  constructor(work: () => Promise<unknown>, options: LoopOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Begins with a pause. */
  start(): void {
    this.#pause();
  }

  /** Begins a round now, or as soon as the one under way is over. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#current) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#current = this.#runOnce();
  }

  /** Does a round that sees all that was so before. Resolves when it is over. */
  async runRound(): Promise<void> {
    await this.#current;
    this.wake();
    await this.#current;
  }

  /** Begins no round any more. Resolves when none is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#current;
  }

  async #runOnce(): Promise<void> {
    this.#again = false;
    const goesOn = await this.#work().then(
      (more) => more === true || this.#again,
      (error: unknown) => {
        this.#options.onFailure(error);
        return false;
      },
    );
    this.#current = undefined;
    if (this.#stopped) return;
    if (goesOn) this.wake();
    else this.#pause();
  }

  #pause(): void {
    this.#timer = setTimeout(() => this.wake(), this.#options.pauseMs());
  }
}
