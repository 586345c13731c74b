const firstRestMs = 30_000;
const longestRestMs = 1_800_000;
const leastRestMs = 1100;

/**
 * How long a proxy rests that has failed `step` times before: full jitter, 30 s doubling to 30 min at most. It stays leased
 * until the calls through it no longer count, if that is longer.
 */
export function restMs(step: number, random: () => number): number {
  return Math.max(leastRestMs, Math.round(random() * Math.min(longestRestMs, firstRestMs * 2 ** step)));
}
