const maxMs = 300_000;
const baseMs = 2000;

/**
 * Returns a wait in milliseconds by exponential backoff with full jitter: up to 2 s at first, then up to 4 s, at most
 * 5 minutes.
 */
export function backoffMs(tries: number, random: () => number): number {
  return Math.round(random() * Math.min(maxMs, baseMs * 2 ** (tries - 1)));
}

/**
 * Returns the wait in milliseconds before the n-th probe of a source that refuses the account: 5 s, doubling to 5
 * minutes.
 */
export function probeBackoffMs(step: number): number {
  return Math.min(maxMs, 5000 * 2 ** step);
}
