import { bytea, nullable, type RowOf, text } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { resultRow } from './coverage-rows.ts';
import { type SearchedText, searchedRows, seenRows } from './results.queries.ts';

const { state, reason, type, activation_status, warranty_title } = resultRow;

const listGroups = statement({
  name: 'list-row-groups',
  text: `SELECT state, reason, type, activation_status, warranty_title,
       string_agg(int4send(position) || int4send(coalesce(coverage_end_date - date '2000-01-01', 2147483647)), '') AS rows
     FROM ${seenRows} AND position BETWEEN $2 AND $3
     GROUP BY state, reason, type, activation_status, warranty_title`,
  row: { state, reason, type, activation_status, warranty_title, rows: bytea },
});

/** What rows have in common that are alike in all but their serial and their days. */
export type RowGroup = Omit<RowOf<typeof listGroups.row>, 'rows'>;

/**
 * The seen rows within some positions, both ends included, by what they have in common. `rows`: eight bytes a row, its
 * position and the day on which its coverage ends, counted from 2000 on, each a 32-bit integer, the higher byte first.
 */
export function listRowGroups(
  db: Queryable,
  ticketId: number,
  lo: number,
  hi: number,
): Promise<(RowGroup & { rows: Buffer })[]> {
  return listGroups.all(db, [ticketId, lo, hi]);
}

const listRanks = statement({
  text: `SELECT string_agg(int4send(position) || int4send(rank::integer), '') AS ranks
     FROM (SELECT position, dense_rank() OVER (ORDER BY serial COLLATE "C") AS rank
           FROM serials WHERE ticket_id = $1) AS ranked`,
  row: { ranks: nullable(bytea) },
});

/** Eight bytes a row: its position, and its place among the serials of its ticket, counted from 1. */
export async function readSerialRanks(db: Queryable, ticketId: number): Promise<Buffer> {
  return (await listRanks.one(db, [ticketId])).ranks ?? Buffer.alloc(0);
}

const listSearched = statement({
  text: `SELECT string_agg(int4send(position), '') AS positions FROM ${searchedRows}`,
  row: { positions: nullable(bytea) },
});

/** Four bytes a row: the position of each seen row that a text is found in. */
export async function readSearchedPositions(
  db: Queryable,
  ticketId: number,
  { part, cell }: SearchedText,
): Promise<Buffer> {
  return (await listSearched.one(db, [ticketId, part, cell])).positions ?? Buffer.alloc(0);
}

const findVersion = statement({
  name: 'find-rows-version',
  text: 'SELECT xmin::text AS version FROM tickets WHERE id = $1',
  row: { version: text },
});

/**
 * What changes with every change of a ticket's rows: each is made in a transaction that changes the ticket as well.
 * Undefined for a ticket that is not there any more.
 */
export async function findRowsVersion(db: Queryable, ticketId: number): Promise<string | undefined> {
  return (await findVersion.first(db, [ticketId]))?.version;
}
