import { withFields } from '#features/devices/server/devices.service.ts';
import { ticketNotFound } from '#features/tickets/server/tickets.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { unavailable } from '#server/http/errors/errors.ts';
import type { AddedRow } from '#server/workbook/annotation/annotate-sheet.ts';
import { textOfCell } from '#server/workbook/annotation/annotated-cell.ts';
import type { Cell } from '#server/workbook/cell.ts';
import type { ValuedRow } from '../result-rows.ts';
import { findDeletions, listRowsAt } from '../results.queries.ts';
import { readPlaces } from './annotated-rows.queries.ts';

const rowsAtOnce = 1000;

/**
 * Reads the cells that each row of a sheet gets, in the order of the sheet. A row with several identifiers has one line
 * for each in every cell.
 * @throws AppError 404 without the ticket; 503 at the end if its rows or results were deleted while they were read
 */
export async function* readAnnotatedRows(
  client: Queryable,
  { ticketId, companyCode }: { ticketId: number; companyCode: string },
  cellsOf: (row: ValuedRow) => Cell[],
): AsyncGenerator<AddedRow[]> {
  const deleted = await findDeletions.first(client, { ticketId });
  if (!deleted) throw ticketNotFound();
  let last: { row: number; results: Cell[][] } | undefined;
  for await (const places of readPlaces(client, ticketId, rowsAtOnce)) {
    const positions = [...new Set(places.map(({ position }) => position))];
    const rows = await withFields(client, companyCode, await listRowsAt(client, ticketId, positions));
    const results = new Map(rows.map((row) => [row.position, row]));
    const complete: AddedRow[] = [];
    for (const { sheet_row: row, position } of places) {
      if (last?.row !== row) {
        if (last) complete.push(joinResults(last));
        last = { row, results: [] };
      }
      const result = results.get(position);
      if (result) last.results.push(cellsOf(result));
    }
    if (complete.length > 0) yield complete;
  }
  if (last) yield [joinResults(last)];
  const now = await findDeletions.first(client, { ticketId });
  const isSame = now?.results === deleted.results && now.uploaded_rows === deleted.uploaded_rows;
  if (!isSame) throw unavailable();
}

function joinResults({ row, results }: { row: number; results: Cell[][] }): AddedRow {
  const [first = [], ...others] = results;
  if (others.length === 0) return { row, cells: first };
  return { row, cells: first.map((_, column) => joinLines(results.map((cells) => cells[column] ?? null))) };
}

/** Returns one line per cell; nothing if all are empty. */
function joinLines(cells: Cell[]): string {
  const lines = cells.map(textOfCell);
  return lines.every((line) => line === '') ? '' : lines.join('\n');
}
