export type LoopOptions = {
  /** Returns the pause from the end of one round to the start of the next. Called after each round. */
  pauseMs(): number;
  /** Called with the error of a failed round. The next round follows after the pause. */
  onFailure(error: unknown): void;
};

/** Repeats some work in rounds, one at a time, also after a failed round. `start` or `wake` begins it. */
export class Loop {
  readonly #work: () => Promise<unknown>;
  readonly #options: LoopOptions;
  #stopped = false;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> | undefined;

  /** @param work one round; resolves with true if the next should follow at once */
  constructor(work: () => Promise<unknown>, options: LoopOptions) {
    this.#work = work;
    this.#options = options;
  }

  /** Starts the loop with a pause. */
  start(): void {
    this.#pause();
  }

  /** Begins a round now, or right after the running one. */
  wake(): void {
    if (this.#stopped) return;
    if (this.#current) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    this.#current = this.#runOnce();
  }

  /** Runs a round that begins after this call. Resolves when it is over. */
  async runRound(): Promise<void> {
    await this.#current;
    this.wake();
    await this.#current;
  }

  /** Stops the loop. Resolves when no round is running. */
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
