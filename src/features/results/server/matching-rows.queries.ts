import { sortedField } from '#features/devices/fields.shared.ts';
import {
  activationIs,
  coverageConditions,
  fieldFilterParams,
  joinFields,
  passesFieldFilter,
  sortedValue,
} from '#features/devices/server/devices.service.ts';
import type { RowSort } from '#features/results/row-sorts.shared.ts';
import {
  array,
  bool,
  date,
  int4,
  int8,
  int8multirange,
  nullable,
  type RowOf,
  text,
  type ValuesOf,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { filterSql } from '#server/db/filter-sql.queries.ts';
import { statement } from '#server/db/statement.ts';
import { rowFilters } from '#shared/filters.ts';
import { serialRow } from './result-rows.ts';
import { isVisibleIn, rowStatus } from './results.queries.ts';
import { blanks, type DatedRowQuery, filterValues } from './row-filters.ts';
import { columnsOfRows, selectByColumn } from './rows-by-column.queries.ts';

// Not LIKE, because the search text is no pattern.
const blanksSql = `E'${[...blanks].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`;
const holdsText = `CASE WHEN kind IS NULL
    THEN strpos(upper(translate(serial, ${blanksSql}, '')), upper(:q)) > 0 ELSE strpos(serial, :part::text) > 0 END`;

// Whether the other ticket has a visible row (as in `visibleRows`) with the same serial. The collation is that of the index.
const isInOther = `EXISTS (SELECT FROM serials AS other
    WHERE other.ticket_id = (SELECT id FROM tickets WHERE ticket_number = :compared_with AND NOT coverage_deleted)
      AND other.serial COLLATE "C" = serials.serial COLLATE "C" AND other.kind IS NOT NULL
      AND (other.state <> 'pending' OR NOT (SELECT serial_deleted FROM tickets WHERE ticket_number = :compared_with)))`;

const companyOfTicket = '(SELECT company_code FROM tickets WHERE id = :ticketId)';

/** The serials of a ticket with the values of own columns, which PostgreSQL reads only where a statement needs them. */
const valuedRows = (more = '') =>
  `serials ${joinFields(companyOfTicket, 'serials.serial COLLATE "C"', more)}`;

const sql = filterSql(rowFilters, serialRow, {
  q: holdsText,
  activation: `state = 'done' AND ${activationIs}`,
  warranty: 'warranty_title = :warranty',
  ...coverageConditions,
});

/** SQL: the visible rows of a ticket that pass all filters on the day `:today`. Its parameters are `matchingParams`. */
const whereMatching = `WHERE ${isVisibleIn(':ticketId')}
  ${sql.passes}
  AND (:status::text IS NULL OR ${rowStatus} = :status)
  AND (:positions::int8multirange IS NULL OR position::bigint <@ :positions)
  AND (:compared_with::bigint IS NULL OR (kind IS NOT NULL AND ${isInOther} = :shared))
  ${passesFieldFilter(companyOfTicket)}`;
export const matchingRows = `${valuedRows()} ${whereMatching}`;

export const matchingParams = {
  ticketId: int8,
  today: date,
  ...sql.params,
  part: nullable(text),
  status: nullable(text),
  positions: nullable(int8multirange),
  compared_with: nullable(int8),
  shared: nullable(bool),
  ...fieldFilterParams,
};

/** Returns the values of `matchingParams`. */
export function valuesOf(ticketId: number, rowQuery: DatedRowQuery): ValuesOf<typeof matchingParams> {
  return { ticketId, today: rowQuery.today, ...filterValues(rowQuery) };
}

const countMatching = statement({
  text: `SELECT count(*)::integer AS count FROM ${matchingRows}`,
  params: matchingParams,
  row: { count: int4 },
});

export async function countMatchingRows(
  db: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
): Promise<number> {
  return (await countMatching.one(db, valuesOf(ticketId, rowQuery))).count;
}

/** The columns that lists are sorted by; `field` for an own column. */
const sortColumns: Record<RowSort | 'field', string> = {
  position: 'position',
  serial_number: 'serial COLLATE "C"',
  type: 'type COLLATE "C"',
  activation_status: 'activation_status',
  warranty_title: 'warranty_title COLLATE "C"',
  coverage_end_date: 'coverage_end_date',
  field: 'own.sorted_value',
};

const listSorted = (column: string, order: 'asc' | 'desc') =>
  statement({
    // Positions alone, because sorting whole rows takes three times as long.
    text: `SELECT ARRAY(SELECT position FROM ${valuedRows(sortedValue)} ${whereMatching}
      ORDER BY ${column} ${order} NULLS LAST, position LIMIT :limit OFFSET :offset) AS positions`,
    params: { ...matchingParams, fieldKey: nullable(text), limit: nullable(int8), offset: int8 },
    row: { positions: array(int4) },
  });
type SortedStatement = ReturnType<typeof listSorted>;
const inOrder = Object.fromEntries(
  Object.entries(sortColumns).map(([sort, column]) => [
    sort,
    { asc: listSorted(column, 'asc'), desc: listSorted(column, 'desc') },
  ]),
) as Record<RowSort | 'field', Record<'asc' | 'desc', SortedStatement>>;

/** A part of a list; without a limit, all rows from the offset on. */
export type Page = { offset: number; limit: number | null };

/**
 * Lists the positions of the rows that match a query, in its order. Rows without the sorted value come last. Rows with
 * equal values are sorted by position.
 */
export async function listMatchingPositions(
  db: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  { offset, limit }: Page,
): Promise<number[]> {
  const { sort, order } = rowQuery;
  const fieldKey = sortedField(sort);
  const sorted = inOrder[fieldKey === undefined ? (sort as RowSort) : 'field'][order];
  return (await sorted.one(db, { ...valuesOf(ticketId, rowQuery), fieldKey, limit, offset })).positions;
}

const selectNext = statement({
  text: selectByColumn(`${matchingRows} AND position > :after ORDER BY position LIMIT :limit`),
  params: { ...matchingParams, after: int4, limit: int8 },
  row: columnsOfRows,
});

/** Selects the first rows after a position that pass the filters, in the order of the sheet. */
export function selectNextRows(
  db: Queryable,
  ticketId: number,
  rowQuery: DatedRowQuery,
  { after, limit }: { after: number; limit: number },
): Promise<RowOf<typeof columnsOfRows>> {
  return selectNext.one(db, { ...valuesOf(ticketId, rowQuery), after, limit });
}
