import { int4, listColumns, nullable, text } from '#server/db/column-types.ts';
import { type SerialRow, serialRow } from './result-rows.ts';

const names = Object.keys(serialRow) as (keyof SerialRow)[];
const aggregates = names.map((name) => `json_agg(${name})`).join(', ');

/** Rows as one JSON text, which `rowsOf` parses, and their last position: null without rows. */
export const columnsOfRows = { columns: text, last: nullable(int4) };

/**
 * Selects rows as a single value (`columnsOfRows`), because `pg` needs three times as long for the values of each row. It is a
 * text, so that the next rows can be asked for before it is parsed.
 * @param rows the rest of the statement, from the table on
 */
export const selectByColumn = (rows: string) =>
  `SELECT json_build_array(${aggregates})::text AS columns, max(position) AS last
   FROM (SELECT ${listColumns(serialRow)} FROM ${rows}) AS selected`;

/** Parses the rows of such a value, in the order of the statement. */
export function rowsOf(columns: string): SerialRow[] {
  // A list for each column of `serialRow`, with one value per row; null without rows.
  const lists = JSON.parse(columns) as (unknown[] | null)[];
  const of = Object.fromEntries(names.map((name, nth) => [name, lists[nth] ?? []])) as {
    [Name in keyof SerialRow]: SerialRow[Name][];
  };
  // Named one by one: a loop over the names takes five times as long.
  return of.position.map((position, row) => {
    const fetchedAt = of.fetched_at[row];
    return {
      ticket_id: of.ticket_id[row],
      position,
      serial: of.serial[row],
      original: of.original[row],
      sheet_row: of.sheet_row[row],
      state: of.state[row],
      reason: of.reason[row],
      details: of.details[row],
      type: of.type[row],
      activation_status: of.activation_status[row],
      purchase_date: of.purchase_date[row],
      warranty_title: of.warranty_title[row],
      coverage_start_date: of.coverage_start_date[row],
      coverage_end_date: of.coverage_end_date[row],
      fetched_at: fetchedAt ? new Date(fetchedAt) : null,
      source: of.source[row],
      attempts: of.attempts[row],
      egress: of.egress[row],
      cached: of.cached[row],
    } as SerialRow;
  });
}
