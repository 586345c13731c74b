import type { RowSort } from '#features/results/row-sorts.shared.ts';
import { int4, int4Array } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { type Statement, statement } from '#server/db/statement.ts';
import type { SerialRow } from './result-rows.ts';
import { rowStatus, visibleRows } from './results.queries.ts';
import { blanks, filterValues, type RowQuery } from './row-filters.ts';
import { columnsOfRows, rowsOf, selectByColumn } from './rows-by-column.queries.ts';

// Not LIKE, because the search text is no pattern.
const blanksSql = `E'${[...blanks].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`;
const holdsText = `CASE WHEN kind IS NULL
    THEN strpos(upper(translate(serial, ${blanksSql}, '')), upper($13)) > 0 ELSE strpos(serial, $14::text) > 0 END`;

// Whether the other ticket has a visible row (as in `visibleRows`) with the same serial. The collation is that of the index.
const isInOther = `EXISTS (SELECT FROM serials AS other
    WHERE other.ticket_id = (SELECT id FROM tickets WHERE ticket_number = $16 AND NOT coverage_deleted)
      AND other.serial COLLATE "C" = serials.serial COLLATE "C" AND other.kind IS NOT NULL
      AND (other.state <> 'pending' OR NOT (SELECT serial_deleted FROM tickets WHERE ticket_number = $16)))`;

/** The visible rows of the ticket `$1` that pass all filters on the day `$2`. `$3` to `$17` are the `filterValues`. */
export const matchingRows = `${visibleRows}
  AND ($3::text IS NULL OR ${rowStatus} = $3) AND ($4::text IS NULL OR ${rowStatus} = $4)
  AND ($5::serial_state IS NULL OR state = $5) AND ($6::text IS NULL OR reason = $6)
  AND ($7::text IS NULL OR type = $7) AND ($8::text IS NULL OR warranty_title = $8)
  AND ($9::date IS NULL OR coverage_end_date >= $9) AND ($10::date IS NULL OR coverage_end_date <= $10)
  AND ($11::integer IS NULL OR coverage_end_date BETWEEN $2::date AND $2::date + $11)
  AND ($12::boolean IS NULL OR (coverage_end_date < $2::date) = $12)
  AND ($13::text IS NULL OR ${holdsText})
  AND ($15::int8multirange IS NULL OR position::bigint <@ $15)
  AND ($16::bigint IS NULL OR (kind IS NOT NULL AND ${isInOther} = $17))`;

/** Returns the values of the parameters `$1` to `$17`. */
export function valuesOf(ticketId: number, rowQuery: RowQuery): unknown[] {
  return [ticketId, rowQuery.today, ...filterValues(rowQuery)];
}

const countMatching = statement({
  text: `SELECT count(*)::integer AS count FROM ${matchingRows}`,
  row: { count: int4 },
});

export async function countMatchingRows(
  db: Queryable,
  ticketId: number,
  rowQuery: RowQuery,
): Promise<number> {
  return (await countMatching.one(db, valuesOf(ticketId, rowQuery))).count;
}

const sortColumns: Record<RowSort, string> = {
  position: 'position',
  serial_number: 'serial COLLATE "C"',
  type: 'type COLLATE "C"',
  activation_status: 'activation_status',
  warranty_title: 'warranty_title COLLATE "C"',
  coverage_end_date: 'coverage_end_date',
};

// Positions alone, because sorting whole rows takes three times as long.
const listSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    text: `SELECT ARRAY(SELECT position FROM ${matchingRows}
       ORDER BY ${column} ${order} NULLS LAST, position LIMIT $18 OFFSET $19) AS positions`,
    row: { positions: int4Array },
  });
type SortedStatement = Statement<{ positions: typeof int4Array }>;
const inOrder = Object.fromEntries(
  Object.entries(sortColumns).map(([sort, column]) => [
    sort,
    { asc: listSorted(column, 'asc'), desc: listSorted(column, 'desc') },
  ]),
) as Record<RowSort, Record<'asc' | 'desc', SortedStatement>>;

/** A part of a list; without a limit, all rows from the offset on. */
export type Page = { offset: number; limit: number | null };

/**
 * Lists the positions of the rows that match a query, in its order. Rows without the sorted value come last. Rows with
 * equal values are sorted by position.
 */
export async function listMatchingPositions(
  db: Queryable,
  ticketId: number,
  rowQuery: RowQuery,
  { offset, limit }: Page,
): Promise<number[]> {
  const values = [...valuesOf(ticketId, rowQuery), limit, offset];
  return (await inOrder[rowQuery.sort][rowQuery.order].one(db, values)).positions;
}

const listNext = statement({
  text: selectByColumn(`${matchingRows} AND position > $18 ORDER BY position LIMIT $19`),
  row: columnsOfRows,
});

/** Lists the first rows after a position that pass the filters, in the order of the sheet. */
export async function listNextRows(
  db: Queryable,
  ticketId: number,
  rowQuery: RowQuery,
  { after, limit }: { after: number; limit: number },
): Promise<SerialRow[]> {
  return rowsOf((await listNext.one(db, [...valuesOf(ticketId, rowQuery), after, limit])).columns);
}
