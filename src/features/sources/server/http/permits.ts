/** The right to send one request. */
export type Permit = {
  /** The request goes out now. @returns false where it must not, since the permit has expired */
  send(): boolean;
  /** The request is over, or will not go out after all. */
  end(): void;
};

/** Hands out permits within a source's limits, each right before its request: whoever waits for something else has none. */
export type Permits = {
  /**
   * A permit, at once where that is possible.
   * @throws HttpFailure `not_permitted` where none is to be had, `aborted` by the signal
   */
  take(signal?: AbortSignal): Permit | Promise<Permit>;
};

/** One permit in advance, for what may or may not make a request; to be ended in any case. */
export async function holdPermit(
  permits: Permits | undefined,
): Promise<{ permits: Permits | undefined; end(): void }> {
  const permit = await permits?.take();
  return { permits: permit && { take: () => permit }, end: () => permit?.end() };
}
