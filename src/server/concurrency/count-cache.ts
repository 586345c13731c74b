const maxEntries = 500; // a few kilobytes each

/** Caches counts. Concurrent calls with the same key share one query. */
export class CountCache {
  readonly #counts = new Map<string, Promise<unknown>>();

  /**
   * Returns the cached count of a key, or counts.
   * @param dependencies all values that the count depends on, such as the version of a ticket or of the register
   */
  get<T>(dependencies: unknown[], count: () => Promise<T>): Promise<T> {
    const key = JSON.stringify(dependencies);
    const cached = (this.#counts.get(key) as Promise<T> | undefined) ?? count();
    // The least recently used entry is the first.
    this.#counts.delete(key);
    this.#counts.set(key, cached);
    cached.catch(() => this.#counts.delete(key));
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= maxEntries) break;
      this.#counts.delete(oldest);
    }
    return cached;
  }
}
