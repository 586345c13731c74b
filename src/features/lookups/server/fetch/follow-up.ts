import { steadyNow } from '#server/runtime/steady-clock.ts';
import type { FollowUp } from '../jobs/waiting-jobs.queries.ts';
import type { Batch } from '../rows/batch.ts';

/** A batch whose rows all wait goes back to the queue, unless the first of them is due within this time. */
const holdMs = 1000;
/** When a batch is fetched again of which rows wait for the answers to others of the same serials. */
const unreservedMs = 2000;

/** What is left of a batch may be fetched again at once. */
export function atOnce(): FollowUp {
  return { dueAt: steadyNow(), delayedBy: null, sources: [] };
}

/** What the rows wait for that are left of a batch without an active row; null when no row is left. */
export function followUpOf({ delayed, parked, unreserved }: Batch, draining: boolean): FollowUp | null {
  if (delayed.size === 0 && parked.size === 0 && unreserved === 0) return null;
  // A worker that stops parks rows that others may ask about.
  if (draining && parked.size + unreserved > 0) return atOnce();
  const dues = [...delayed].map(({ lookupState }) => lookupState.due ?? 0);
  if (unreserved > 0) dues.push(steadyNow() + unreservedMs);
  const [first] = delayed;
  return {
    dueAt: dues.length > 0 ? Math.min(...dues) : null,
    delayedBy: first?.lookupState.source ?? null,
    sources: [...new Set(parked.values())],
  };
}

/** Whether a batch is kept here since its rows are only delayed, and the first is due soon. */
export function isDueSoon({ parked }: Batch, { dueAt }: FollowUp): boolean {
  return parked.size === 0 && dueAt !== null && dueAt - steadyNow() <= holdMs;
}
