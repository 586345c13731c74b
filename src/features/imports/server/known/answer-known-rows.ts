import type { Queryable } from '#server/db/db.ts';
import { answerKnownRowsBetween } from './known-rows.queries.ts';

/** Positions per statement: about 0.1 s, far below the deadline of a statement. */
const rowsAtOnce = 10_000;

/** The counts and positions of the rows that were answered from the register. */
export type KnownCounts = {
  done: number;
  activated: number;
  unactivated: number;
  positions: number[];
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
  const all: KnownCounts = { done: 0, activated: 0, unactivated: 0, positions: [] };
  if (freshDays === null) return all;
  for (let lo = 1; lo <= lastPosition; lo += rowsAtOnce) {
    const range = { ticketId, lo, hi: lo + rowsAtOnce - 1 };
    const some = await answerKnownRowsBetween.one(tx, { ...range, companyCode, days: freshDays });
    all.done += some.done;
    all.activated += some.activated;
    all.unactivated += some.unactivated;
    for (const position of some.positions) all.positions.push(position);
  }
  return all;
}
