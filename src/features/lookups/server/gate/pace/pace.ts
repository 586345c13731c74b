/** The number of calls after which the pace is decided again. */
const windowCalls = 20;
/** At a reduced pace, a worker adds its counts to the shared ones at least this often. */
const gatherMs = 250;

/** A source's pace, shared by all workers: reduced calls per second, the full pace, and recent calls. */
export type Pace = {
  pace: number | null;
  full_pace: number | null;
  window_calls: number;
  window_bad: number;
};

/**
 * Decides a source's pace after some more calls. Of every 20 calls: if more than half failed (retry or throttled),
 * the pace is halved, down to one call a second. If more than half succeeded, a reduced pace is doubled, up to the
 * full pace.
 * @param current the present calls per second, which are halved first
 */
export function nextPace(before: Pace, calls: number, bad: number, current: number): Pace {
  const total = before.window_calls + calls;
  const failed = before.window_bad + bad;
  if (total < windowCalls) return { ...before, window_calls: total, window_bad: failed };
  const steps = Math.min(20, Math.floor(total / windowCalls));
  const fresh = { window_calls: 0, window_bad: 0 };
  if (failed * 2 > total) {
    const full = before.full_pace ?? Math.max(2, Math.round(current));
    const pace = Math.max(1, Math.floor((before.pace ?? full) / 2 ** steps));
    return { ...fresh, pace, full_pace: full };
  }
  if (failed * 2 === total) return { ...before, ...fresh };
  const pace = (before.pace ?? Number.POSITIVE_INFINITY) * 2 ** steps;
  return pace >= (before.full_pace ?? 0)
    ? { ...fresh, pace: null, full_pace: null }
    : { ...fresh, pace, full_pace: before.full_pace };
}

export type PaceCounter = ReturnType<typeof createPaceCounter>;

/** Counts one source's calls in this worker, until they are added to the shared counts. */
export function createPaceCounter() {
  /** Whether each recent call failed, newest last. At full pace only the last 20 matter. */
  let calls: boolean[] = [];
  let since = 0;
  return {
    /** Counts a call. @returns the counts to add to the shared ones now, or null */
    record(bad: boolean, reduced: boolean, now: number) {
      if (calls.length === 0) since = now;
      calls.push(bad);
      const failed = calls.filter(Boolean).length;
      if (reduced ? calls.length < windowCalls && now - since < gatherMs : calls.length < windowCalls)
        return null;
      if (!reduced && failed * 2 <= calls.length) {
        calls.shift();
        return null;
      }
      const counts = { calls: calls.length, bad: failed };
      calls = [];
      return counts;
    },
  };
}
