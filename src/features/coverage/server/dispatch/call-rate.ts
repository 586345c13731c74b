/** Counts events and says how many came lately. */
export type Meter = {
  count(now: number): void;
  /** Events a second over the last second or so. */
  rate(now: number): number;
};

export function createMeter(): Meter {
  let since = performance.now();
  let counted = 0;
  let last = 0;
  const turn = (now: number) => {
    const elapsed = now - since;
    if (elapsed < 1000) return;
    last = (counted * 1000) / elapsed;
    [counted, since] = [0, now];
  };
  return {
    count(now) {
      turn(now);
      counted += 1;
    },
    rate(now) {
      turn(now);
      // Early in a second the second before says more.
      return Math.max(last, counted);
    },
  };
}
