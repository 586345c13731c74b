/** The longest wait before another call. */
const longest = 300_000;
const base = 2000;

/** Exponential backoff with full jitter: the first wait of a row is up to 2 s, the next up to 4 s, ... at most 5 minutes. */
export function backoffMs(tries: number, random: () => number): number {
  return Math.round(random() * Math.min(longest, base * 2 ** (tries - 1)));
}

/** The wait before the n-th probe of a source that refuses the account: 5 s, doubling to 5 minutes. */
export function probeBackoffMs(step: number): number {
  return Math.min(longest, 5000 * 2 ** step);
}
