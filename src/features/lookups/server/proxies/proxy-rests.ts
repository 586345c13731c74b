const firstRestMs = 30_000;
const longestRestMs = 1_800_000;
const minRestMs = 1100;

/**
 * Returns the rest of a proxy that has failed `step` times before, in milliseconds: full jitter of 30 s, doubling to
 * 30 min. The proxy stays leased until the calls through it no longer count, even if that is longer.
 */
export function restMs(step: number, random: () => number): number {
  return Math.max(minRestMs, Math.round(random() * Math.min(longestRestMs, firstRestMs * 2 ** step)));
}
