import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Queryable } from '#server/db.ts';
import type { Schema } from '#server/schema.ts';
import { type RowFilter, resultColumns, type SerialRow } from './coverage-rows.ts';

/** The lowest and highest position of a ticket's rows; null without rows. Two looks into an index. */
export async function findBounds(
  db: Kysely<Schema>,
  ticketId: number,
): Promise<{ lo: number; hi: number } | undefined> {
  const row = await db
    .selectFrom('serials')
    .select((eb) => [eb.fn.min('position').as('lo'), eb.fn.max('position').as('hi')])
    .where('ticket_id', '=', ticketId)
    .executeTakeFirst();
  return row && row.lo !== null && row.hi !== null ? { lo: row.lo, hi: row.hi } : undefined;
}

/** The rows of a range of positions, both ends included, in the order of the sheet. */
export function listRowRange(
  db: Kysely<Schema>,
  ticketId: number,
  lo: number,
  hi: number,
): Promise<SerialRow[]> {
  return db
    .selectFrom('serials')
    .select(resultColumns)
    .where('ticket_id', '=', ticketId)
    .where('position', '>=', lo)
    .where('position', '<=', hi)
    .orderBy('position')
    .execute();
}

export type RowSearch = { ticketId: number; filter: RowFilter; q: string | undefined };

/** One page of the rows that a search finds, in the order of the sheet. */
export function listFoundRows(
  db: Kysely<Schema>,
  search: RowSearch,
  limit: number,
  offset: number,
): Promise<SerialRow[]> {
  return db
    .selectFrom('serials')
    .select(resultColumns)
    .where((eb) => matches(eb, search))
    .orderBy('position')
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countFoundRows(db: Kysely<Schema>, search: RowSearch): Promise<number> {
  const row = await db
    .selectFrom('serials')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where((eb) => matches(eb, search))
    .executeTakeFirstOrThrow();
  return row.count;
}

function matches(eb: ExpressionBuilder<Schema, 'serials'>, { ticketId, filter, q }: RowSearch) {
  const conditions = [eb('ticket_id', '=', ticketId)];
  if (filter === 'activated' || filter === 'unactivated') {
    conditions.push(eb('activation_status', '=', filter), eb('state', '=', 'done'));
  } else if (filter) {
    conditions.push(eb('state', '=', filter));
  }
  // Not LIKE: what is typed holds no patterns.
  if (q) conditions.push(eb(eb.fn<number>('strpos', ['serial', eb.val(q)]), '>', 0));
  return eb.and(conditions);
}

/** Marks a ticket's results as deleted, and forgets what was counted from them for the pictures on Home. */
export async function markCoverageDeleted(tx: Queryable, ticketId: number): Promise<void> {
  await tx.query('UPDATE tickets SET coverage_deleted = true WHERE id = $1', [ticketId]);
  await tx.query('DELETE FROM ticket_end_months WHERE ticket_id = $1', [ticketId]);
}
