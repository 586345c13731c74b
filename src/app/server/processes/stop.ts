/**
 * How the product ends: `gently` finishes running work, `quickly` only closes and cleans up. `replaced` ends gently, too, and
 * gives reverse proxies the time to send their requests to another process.
 */
export type StopReason = 'gently' | 'quickly' | 'replaced';

/** The error of a start that was interrupted by a request to stop. */
export class StopRequested extends Error {}

/** The first request to stop, and the functions to call then. */
export class Stop {
  /** Resolves with the first request to stop; rejects with the error of `fail`. */
  readonly requested: Promise<StopReason>;
  #reason: StopReason | undefined;
  #failure: Error | undefined;
  readonly #aborting = new AbortController();
  /** Aborts with the first request to stop, or with `fail`. */
  readonly signal = this.#aborting.signal;
  readonly #ended = Promise.withResolvers<StopReason>();
  readonly #closers: ((reason: StopReason) => Promise<void>)[] = [];

  constructor() {
    this.requested = this.#ended.promise;
    // It may reject before it is awaited.
    this.requested.catch(() => undefined);
  }

  request(reason: StopReason): void {
    this.#reason ??= reason;
    this.#aborting.abort();
    this.#ended.resolve(this.#reason);
  }

  /** Requests a gentle stop because of a fatal error, unless a stop was requested before. */
  fail(error: Error): void {
    if (this.#reason) return;
    this.#reason = 'gently';
    this.#failure = error;
    this.#aborting.abort();
    this.#ended.reject(error);
  }

  /** @throws StopRequested after a request to stop, or the error of `fail` */
  check(): void {
    if (this.#reason) throw this.#failure ?? new StopRequested();
  }

  /** Registers a function for `closeAll`. */
  onStop(close: (reason: StopReason) => Promise<void>): void {
    this.#closers.push(close);
  }

  /** Calls all registered functions, last registered first, also after one of them has failed. */
  async closeAll(onFailure: (error: unknown) => void): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) {
      await close(this.#reason ?? 'gently').catch(onFailure);
    }
  }
}

/** Requests the stop at a signal, at a message of the script that started this process, or when that script ends. */
export function listenForStop(stop: Stop): void {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.request('gently'));
  process.on('SIGTERM', () => stop.request('replaced'));
  process.on('message', (message: { type?: string; isReplaced?: boolean }) => {
    if (message.type === 'stop') stop.request(message.isReplaced ? 'replaced' : 'gently');
  });
  process.on('disconnect', () => stop.request('quickly'));
}
