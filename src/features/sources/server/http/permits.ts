/** The right to send one request. */
export type Permit = {
  /** Notes that the request is sent. @returns false if it must not be, because the permit has expired */
  send(): boolean;
  /** Ends the request, sent or not. */
  end(): void;
};

/** Hands out permits within a source's limits, each just before its request, so that no waiting call holds one. */
export type Permits = {
  /**
   * Returns a permit, without a promise if possible.
   * @throws HttpFailure `not_permitted` if there is none, `aborted` by the signal
   */
  take(signal?: AbortSignal): Permit | Promise<Permit>;
};

/** Takes one permit in advance, for work that may or may not send a request. The caller must call `end`. */
export async function holdPermit(
  permits: Permits | undefined,
): Promise<{ permits: Permits | undefined; end(): void }> {
  const permit = await permits?.take();
  return { permits: permit && { take: () => permit }, end: () => permit?.end() };
}
