/** Returns the time (epoch ms) of a monotonic clock that starts at the system time. Only for waiting. */
export function steadyNow(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
