/** The present time (epoch ms) by a clock that nobody sets while the process runs: only good for waiting. */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
