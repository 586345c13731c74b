export type CallRate = ReturnType<typeof createCallRate>;

export function createCallRate() {
  let since = performance.now();
  let counted = 0;
  let last = 0;
  const closeSecond = (now: number) => {
    const elapsed = now - since;
    if (elapsed < 1000) return;
    last = (counted * 1000) / elapsed;
    [counted, since] = [0, now];
  };
  return {
    count(now: number) {
      closeSecond(now);
      counted += 1;
    },
    /** Returns the calls per second over about the last second. */
    perSecond(now: number) {
      closeSecond(now);
      // At the beginning of a second the second before says more.
      return Math.max(last, counted);
    },
  };
}
