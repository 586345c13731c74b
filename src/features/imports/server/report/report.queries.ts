import type { Queryable } from '#server/db.ts';

/** A cell that was not imported, or has no identifier: `first_row` for a duplicate, else `details`. */
export type ReportRow = {
  sheet_row: number;
  value: string;
  details: string | null;
  first_row: number | null;
};

/**
 * All invalid cells and duplicates of an import in the order of the sheet, a batch at a time, as they were when the
 * first was read, without what was deleted by then. Opens a transaction on the connection, which is of no other use meanwhile.
 */
export async function* readReport(
  client: Queryable,
  ticketId: number,
  rowsAtOnce: number,
): AsyncGenerator<ReportRow[]> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Only a cell without an identifier has no kind. It is an outcome as well: it stays until both were deleted.
  await client.query(
    `DECLARE report NO SCROLL CURSOR FOR
     SELECT sheet_row, serial AS value, details, NULL::integer AS first_row
     FROM serials WHERE ticket_id = $1 AND kind IS NULL
       AND NOT (SELECT serial_deleted AND coverage_deleted FROM tickets WHERE id = $1)
     UNION ALL
     SELECT sheet_row, serial, NULL, first_row FROM duplicates WHERE ticket_id = $1
       AND NOT (SELECT serial_deleted FROM tickets WHERE id = $1)
     ORDER BY sheet_row`,
    [ticketId],
  );
  for (;;) {
    const { rows } = await client.query<ReportRow>(`FETCH ${rowsAtOnce} FROM report`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('COMMIT');
}
