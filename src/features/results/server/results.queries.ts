import { int4, int8, listColumns, nullable } from '#server/column-types.ts';
import type { Queryable } from '#server/db.ts';
import { statement } from '#server/statement.ts';
import { criteriaOf, type RowFilter, resultRow, type SerialRow } from './coverage-rows.ts';

const findEnds = statement({
  name: 'find-row-bounds',
  text: 'SELECT min(position) AS lo, max(position) AS hi FROM serials WHERE ticket_id = $1',
  row: { lo: nullable(int4), hi: nullable(int4) },
});

/** The lowest and highest position of a ticket's rows; null without rows. Two looks into an index. */
export function findBounds(
  db: Queryable,
  ticketId: number,
): Promise<{ lo: number | null; hi: number | null }> {
  return findEnds.one(db, [ticketId]);
}

/**
 * The rows of the ticket `$1` that anyone may still see: from the moment when results or uploaded rows are deleted none
 * of those, however long it takes until they are gone. The flags are read by the statement that reads the rows.
 */
const seenRows = `serials WHERE ticket_id = $1
  AND NOT (SELECT coverage_deleted FROM tickets WHERE id = $1)
  AND (state <> 'pending' OR NOT (SELECT serial_deleted FROM tickets WHERE id = $1))`;

const listRange = statement({
  name: 'list-row-range',
  text: `SELECT ${listColumns(resultRow)} FROM ${seenRows} AND position BETWEEN $2 AND $3 ORDER BY position`,
  row: resultRow,
});

/** The rows of a range of positions, both ends included, in the order of the sheet. */
export function listRowRange(db: Queryable, ticketId: number, lo: number, hi: number): Promise<SerialRow[]> {
  return listRange.all(db, [ticketId, lo, hi]);
}

/** The seen rows of the ticket `$1` in the state `$2` and with the activation status `$3`; null for any. */
export const filteredRows = `${seenRows}
  AND ($2::serial_state IS NULL OR state = $2) AND ($3::activation IS NULL OR activation_status = $3)`;

/** What is searched for: in identifiers as they are stored, and in cells that hold none as they were written. */
export type SearchedText = {
  /** Null where nothing of it can stand in an identifier. */
  part: string | null;
  /** Without blanks; they do not count in the cell either. */
  cell: string;
};

// Not LIKE: what is typed holds no patterns. Without a name: planned anew at each call, what is not asked for costs
// nothing for a row.
const blanks = String.raw`E' \t\n\r\u00a0\u2007\u202f\u200b\u200c\u200d\u2060\u3000\ufeff'`;
const foundRows = `${filteredRows} AND ($5::text IS NULL OR CASE WHEN kind IS NULL
    THEN strpos(upper(translate(serial, ${blanks}, '')), upper($5)) > 0 ELSE strpos(serial, $4::text) > 0 END)`;

export type RowSearch = { ticketId: number; filter: RowFilter; searched: SearchedText | undefined };

const searchValues = ({ ticketId, filter, searched }: RowSearch) => [
  ticketId,
  ...criteriaOf(filter),
  searched?.part ?? null,
  searched?.cell ?? null,
];

const listFound = statement({
  text: `SELECT ${listColumns(resultRow)} FROM ${foundRows} ORDER BY position LIMIT $6 OFFSET $7`,
  row: resultRow,
});

/** One page of the rows that a search finds, in the order of the sheet. */
export function listFoundRows(
  db: Queryable,
  search: RowSearch,
  limit: number,
  offset: number,
): Promise<SerialRow[]> {
  return listFound.all(db, [...searchValues(search), limit, offset]);
}

const listPositions = statement({
  text: `SELECT position FROM ${foundRows} ORDER BY position LIMIT $6 OFFSET $7`,
  row: { position: int4 },
});

/** The positions of one page of the rows that a search finds. */
export async function listFoundPositions(
  db: Queryable,
  search: RowSearch,
  limit: number,
  offset: number,
): Promise<number[]> {
  const rows = await listPositions.all(db, [...searchValues(search), limit, offset]);
  return rows.map(({ position }) => position);
}

const listAt = statement({
  name: 'list-rows-at',
  text: `SELECT ${listColumns(resultRow)} FROM ${seenRows} AND position = ANY($2::integer[]) ORDER BY position`,
  row: resultRow,
});

/** The rows at some positions, in the order of the sheet. */
export function listRowsAt(db: Queryable, ticketId: number, positions: number[]): Promise<SerialRow[]> {
  return listAt.all(db, [ticketId, positions]);
}

const countFound = statement({ text: `SELECT count(*) FROM ${foundRows}`, row: { count: int8 } });

export async function countFoundRows(db: Queryable, search: RowSearch): Promise<number> {
  return (await countFound.one(db, searchValues(search))).count;
}

const markDeleted = statement({ text: 'UPDATE tickets SET coverage_deleted = true WHERE id = $1' });
const deleteEndMonths = statement({ text: 'DELETE FROM ticket_end_months WHERE ticket_id = $1' });

/** Marks a ticket's results as deleted, and forgets what was counted from them for the pictures on Home. */
export async function markCoverageDeleted(tx: Queryable, ticketId: number): Promise<void> {
  await markDeleted.run(tx, [ticketId]);
  await deleteEndMonths.run(tx, [ticketId]);
}
