import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';

/** A batch whose rows all wait is kept if the first of them is due within this time. */
const holdMs = 1000;
/** The wait before rows that have left their batch are loaded again. */
const departedMs = 2000;

/** Returns a follow-up that may be fetched again immediately. */
export function immediately(): FollowUp {
  return { dueAt: steadyNow(), delayedBy: null, sources: [] };
}

/** Returns the conditions that the unfinished rows of a batch wait for; null if all rows are finished. */
export function followUpOf(
  { rows: { delayed, parked, departed } }: Batch,
  isDraining: boolean,
): FollowUp | null {
  if (delayed.size === 0 && parked.size === 0 && departed.size === 0) return null;
  // A worker that stops parks rows that others may ask about.
  if (isDraining && parked.size + departed.size > 0) return immediately();
  const dues = [...delayed].map(({ lookupState }) => lookupState.due ?? 0);
  if (departed.size > 0) dues.push(steadyNow() + departedMs);
  const [first] = delayed;
  return {
    dueAt: dues.length > 0 ? Math.min(...dues) : null,
    delayedBy: first?.lookupState.source ?? null,
    sources: [...new Set([...parked].flatMap(({ awaits }) => awaits ?? []))],
  };
}

/**
 * Returns whether a batch without active rows is kept: its first delayed row is due within `holdMs`, and no row is
 * parked. Its departed rows wait until the batch ends.
 */
export function mayKeepBatch({ rows: { parked } }: Batch, { dueAt }: FollowUp): boolean {
  return parked.size === 0 && dueAt !== null && dueAt - steadyNow() <= holdMs;
}
