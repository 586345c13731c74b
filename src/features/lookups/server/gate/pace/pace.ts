/** The number of calls after which the pace is decided again. */
const windowCalls = 20;
/** A fall of more than half ends at this many calls a second, so that a short failure does not stop a source. */
const lowestFall = 20;

/** A source's pace, shared by all workers: reduced calls per second, the full pace, and recent calls. */
export type Pace = {
  pace: number | null;
  full_pace: number | null;
  window_calls: number;
  window_bad: number;
};

/**
 * Decides a source's pace after some more calls. Of at least 20 calls: if more than half failed (retry or throttled), the pace
 * is halved, down to one call a second, or falls to twice the answered calls if that is less, down to 20 a second. If more
 * than half succeeded, a reduced pace is doubled, up to the full pace.
 * @param perSecond `current`: the calls that the full pace allows, which are halved first; `answered`: those of the added
 *   calls that did not fail
 */
export function nextPace(
  before: Pace,
  calls: number,
  bad: number,
  perSecond: { current: number; answered: number },
): Pace {
  const total = before.window_calls + calls;
  const failed = before.window_bad + bad;
  const fresh = { window_calls: 0, window_bad: 0 };
  // At full pace, calls before the first failed ones say nothing. So nothing is written for a healthy source.
  if (before.pace === null && failed * 2 <= total) return { ...before, ...fresh };
  if (total < windowCalls) return { ...before, window_calls: total, window_bad: failed };
  if (failed * 2 > total) {
    const full = before.full_pace ?? Math.max(2, Math.round(perSecond.current));
    const half = Math.max(1, Math.floor((before.pace ?? full) / 2));
    const fallen = Math.max(lowestFall, Math.round(perSecond.answered * 2));
    return { ...fresh, pace: Math.min(half, fallen), full_pace: full };
  }
  if (failed * 2 === total) return { ...before, ...fresh };
  const pace = (before.pace ?? Number.POSITIVE_INFINITY) * 2;
  return pace >= (before.full_pace ?? 0)
    ? { ...fresh, pace: null, full_pace: null }
    : { ...fresh, pace, full_pace: before.full_pace };
}
