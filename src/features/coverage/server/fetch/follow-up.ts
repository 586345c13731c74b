import { steadyNow } from '#server/steady-clock.ts';
import { type FollowUp, waitForLimits, waitForSources } from '../jobs/follow-up-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';

/** A batch whose rows all wait goes back to the queue, unless the first of them is due within this time. */
const holdMs = 1000;
/** When a batch is fetched again of which rows wait for the answers to others of the same serials. */
const unreservedMs = 2000;
/** Longer than a batch waits for a source: it is released when that is back. */
const parkedMs = 3_600_000;

/**
 * The job for what is left of a batch whose rows others have the limits for. Where this worker might fetch it again, only
 * those who have a part of the limits do.
 */
function followUpOfReturned({ delayed, parked, unreserved, returnedFor }: Batch): FollowUp {
  const now = steadyNow();
  const waitsForLimits = returnedFor.size > 0 && delayed.size + parked.size + unreserved === 0;
  return waitsForLimits
    ? { at: now + parkedMs, waitsFor: waitForLimits([...returnedFor]) }
    : { at: now, waitsFor: null };
}

/** The job for what is left of a batch without an active row; null when no row is left. */
export function followUpOf(batch: Batch, draining: boolean): FollowUp | null {
  const { delayed, parked, unreserved, returned } = batch;
  const now = steadyNow();
  if (delayed.size === 0 && parked.size === 0 && unreserved === 0 && returned === 0) return null;
  if (returned > 0) return draining ? { at: now, waitsFor: null } : followUpOfReturned(batch);
  const dues = [...delayed].map(({ lookupState }) => lookupState.due ?? 0);
  const due = Math.min(...dues, ...(unreserved > 0 ? [now + unreservedMs] : []));
  const sources = [...new Set(parked.values())];
  if (sources.length === 0) {
    if (unreserved > 0) return { at: draining ? now : due, waitsFor: null };
    const [first] = new Set([...delayed].map(({ lookupState }) => lookupState.source));
    return { at: due, waitsFor: `later:${first ?? ''}` };
  }
  if (draining) return { at: now, waitsFor: null };
  // It is due when any of them is back, and each of them may be probed with its rows.
  return { at: Math.min(due, now + parkedMs), waitsFor: waitForSources(sources) };
}

/** Whether a batch is kept here since its rows are only delayed, and the first is due soon. */
export function isDueSoon({ parked, returned }: Batch, { at }: FollowUp): boolean {
  return parked.size === 0 && returned === 0 && at - steadyNow() <= holdMs;
}
