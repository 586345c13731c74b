/** Latencies are counted in buckets that grow by a quarter: bucket n holds calls of up to 1.25^n milliseconds. */
const growth = 1.25;
/** The last bucket holds everything above some 5 minutes. */
const buckets = 58;

export function emptyLatencies(): number[] {
  return Array.from({ length: buckets }, () => 0);
}

/** The bucket of a call that took `ms` milliseconds. */
export function bucketOf(ms: number): number {
  if (ms <= 1) return 0;
  return Math.min(buckets - 1, Math.ceil(Math.log(ms) / Math.log(growth)));
}

/** The latency that `share` of the calls stayed within, in ms to within a quarter; null without calls. */
export function percentile(counts: number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let seen = 0;
  const index = counts.findIndex((count) => {
    seen += count;
    return seen >= total * share;
  });
  return Math.round(growth ** index * 10) / 10;
}
