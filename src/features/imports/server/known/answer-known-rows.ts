import type { Queryable } from '#server/db/db.ts';
import { answerKnownRowsBetween, insertEndDays, numberNotes } from './known-rows.queries.ts';

/** Positions per statement: about 0.1 s, far below the deadline of a statement. */
const rowsAtOnce = 10_000;

/**
 * The counts and positions of the rows that were answered from the register, and for each day the number of coverages that
 * end on it.
 */
export type KnownCounts = {
  done: number;
  activated: number;
  unactivated: number;
  positions: number[];
  endDays: Map<string, number>;
};

/**
 * Answers the rows of a new ticket from the company's register, where the answer is younger than `freshDays`. Call it
 * before lookups are queued, so that these rows are never asked about, and before the ticket takes its number, because the
 * imports of all companies wait for that lock.
 * @param lastPosition the highest position of the ticket
 * @param freshDays null to answer none
 */
export async function answerKnownRows(
  tx: Queryable,
  { ticketId, lastPosition }: { ticketId: number; lastPosition: number },
  { companyCode, freshDays }: { companyCode: string; freshDays: number | null },
): Promise<KnownCounts> {
  const all: KnownCounts = { done: 0, activated: 0, unactivated: 0, positions: [], endDays: new Map() };
  if (freshDays === null) return all;
  for (let lo = 1; lo <= lastPosition; lo += rowsAtOnce) {
    const range = { ticketId, lo, hi: lo + rowsAtOnce - 1 };
    const some = await answerKnownRowsBetween(tx, range, { companyCode, days: freshDays });
    all.done += some.done;
    all.activated += some.activated;
    all.unactivated += some.unactivated;
    for (const position of some.positions) all.positions.push(position);
    for (const [day, count] of Object.entries(some.end_days)) {
      all.endDays.set(day, (all.endDays.get(day) ?? 0) + count);
    }
  }
  return all;
}

/** Completes the notes of known rows for the register, and the end days, once the ticket is stored with its number. */
export async function finishKnownRows(
  tx: Queryable,
  { id, ticket_number }: { id: number; ticket_number: number },
  { endDays }: KnownCounts,
): Promise<void> {
  await numberNotes(tx, id, ticket_number);
  await insertEndDays(tx, id, endDays);
}
