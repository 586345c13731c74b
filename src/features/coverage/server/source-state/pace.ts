/** Calls after which a source's pace is looked at again. */
const windowCalls = 20;
/** How long calls gather, while the pace is reduced, before all workers' counts are added up. */
const gatherMs = 250;

/** A source's pace as all workers share it: calls a second while it is reduced, and what it was before. */
export type Pace = {
  pace: number | null;
  full_pace: number | null;
  window_calls: number;
  window_bad: number;
};

/**
 * Adds calls to a source's window. After every 20 calls of which more than half failed (retry or throttled) the pace
 * is halved, down to one call a second; after every 20 of which more than half were answered a reduced one doubles,
 * until it is what it was.
 * @param present calls a second as they are made now, to halve from where the pace is not reduced yet
 */
export function nextPace(before: Pace, calls: number, bad: number, present: number): Pace {
  const total = before.window_calls + calls;
  const failed = before.window_bad + bad;
  if (total < windowCalls) return { ...before, window_calls: total, window_bad: failed };
  const steps = Math.min(20, Math.floor(total / windowCalls));
  const fresh = { window_calls: 0, window_bad: 0 };
  if (failed * 2 > total) {
    const full = before.full_pace ?? Math.max(2, Math.round(present));
    const pace = Math.max(1, Math.floor((before.pace ?? full) / 2 ** steps));
    return { ...fresh, pace, full_pace: full };
  }
  if (failed * 2 === total) return { ...before, ...fresh };
  const pace = (before.pace ?? Number.POSITIVE_INFINITY) * 2 ** steps;
  return pace >= (before.full_pace ?? 0)
    ? { ...fresh, pace: null, full_pace: null }
    : { ...fresh, pace, full_pace: before.full_pace };
}

/** Watches one source's calls in this worker for what the pace has to know. */
export type PaceWatch = {
  /** Notes a call. Answers counts that all workers should be told now, or null. */
  record(bad: boolean, reduced: boolean, now: number): { calls: number; bad: number } | null;
};

export function createPaceWatch(): PaceWatch {
  /** The last calls, newest last: while the pace is full at most 20 of them matter. */
  let calls: boolean[] = [];
  let since = 0;
  return {
    record(bad, reduced, now) {
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
