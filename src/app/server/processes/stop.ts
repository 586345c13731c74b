/** How the product is asked to end: `gently` finishes what was begun, `quickly` only leaves nothing behind. */
export type StopReason = 'gently' | 'quickly';

/** Thrown where a start goes on after somebody asked for its end. */
export class StopRequested extends Error {}

/** One request to end, from wherever it came first, and what has to be closed then. */
export class Stop {
  /** Resolves once somebody asks for the end; rejects once the product cannot go on. */
  readonly requested: Promise<StopReason>;
  #reason: StopReason | undefined;
  #failure: Error | undefined;
  readonly #ended = Promise.withResolvers<StopReason>();
  readonly #closers: ((reason: StopReason) => Promise<void>)[] = [];

  constructor() {
    this.requested = this.#ended.promise;
    // It may fail before anybody waits for it.
    this.requested.catch(() => undefined);
  }

  /** Asks for the end; only the first request counts, so that a signal may arrive several times. */
  request(reason: StopReason): void {
    this.#reason ??= reason;
    this.#ended.resolve(this.#reason);
  }

  /** Asks for a gentle end because the product cannot go on; without effect after another request. */
  fail(error: Error): void {
    if (this.#reason) return;
    this.#reason = 'gently';
    this.#failure = error;
    this.#ended.reject(error);
  }

  /** @throws StopRequested once the end was asked for, or the error of `fail` */
  check(): void {
    if (this.#reason) throw this.#failure ?? new StopRequested();
  }

  /** Has something closed at the end, before everything that was named earlier. */
  later(close: (reason: StopReason) => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Closes everything, the latest first; one that fails does not keep the others open. */
  async closeAll(onFailure: (error: unknown) => void): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) {
      await close(this.#reason ?? 'gently').catch(onFailure);
    }
  }
}

/** Listens to signals, and to the script that started this process: its messages, and its sudden end. */
export function listenForStop(stop: Stop): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => stop.request('gently'));
  process.on('message', (message: { type?: string }) => {
    if (message.type === 'stop') stop.request('gently');
  });
  process.on('disconnect', () => stop.request('quickly'));
}
