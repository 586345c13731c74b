/** A counting semaphore, first in, first out. */
export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Waits for a permit.
   * @returns a function that releases the permit; call it once
   * @throws the signal's reason if it aborts first
   */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#waitInLine(signal);
    return () => {
      const next = this.#line.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  #waitInLine(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#line.splice(this.#line.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#line.push(enter);
    });
  }
}
