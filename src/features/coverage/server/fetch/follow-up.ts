import { steadyNow } from '#server/steady-clock.ts';
import { type FollowUp, waitForSource } from '../jobs/follow-up-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';

/** A batch whose rows all wait goes back to the queue, unless the first of them is due within this time. */
const holdMs = 1000;
/** When a batch is fetched again whose rows wait for different things. */
const mixedWaitMs = 5000;
/** When a batch is fetched again of which rows wait for the answers to others of the same serials. */
const unreservedMs = 2000;
/** When a batch that waits for a source is fetched again if nobody released it. */
const parkedMs = 3_600_000;

/** The job for what is left of a batch without an active row; null when no row is left. */
export function followUpOf({ delayed, parked, unreserved }: Batch, draining: boolean): FollowUp | null {
  const now = steadyNow();
  if (delayed.size === 0 && parked.size === 0 && unreserved === 0) return null;
  const dues = [...delayed].map(({ lookupState }) => lookupState.due ?? 0);
  const due = Math.min(...dues, ...(unreserved > 0 ? [now + unreservedMs] : []));
  const sources = [...new Set(parked.values())];
  const [source] = sources;
  if (source === undefined) {
    if (unreserved > 0) return { at: draining ? now : due, waitsFor: null };
    const [first] = new Set([...delayed].map(({ lookupState }) => lookupState.source));
    return { at: due, waitsFor: `later:${first ?? ''}` };
  }
  if (draining) return { at: now, waitsFor: null };
  // A job names one source, whose probes may use its rows. Where rows wait for several, each is named now and then.
  const waitsFor = waitForSource(sources[now % sources.length] ?? source);
  if (delayed.size === 0 && unreserved === 0 && sources.length === 1) return { at: now + parkedMs, waitsFor };
  return { at: Math.min(due, now + mixedWaitMs), waitsFor };
}

/** Whether a batch is kept here since its rows are only delayed, and the first is due soon. */
export function isDueSoon({ parked }: Batch, { at }: FollowUp): boolean {
  return parked.size === 0 && at - steadyNow() <= holdMs;
}
