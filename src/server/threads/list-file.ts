import type pg from 'pg';
import { cellsOf, type ListSheet, layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import type { Locale } from '#shared/locale.ts';
import { createThreadClient } from './thread-client.ts';
import type { ThreadFileData } from './thread-file.ts';
import { writeThreadFile } from './thread-file-writer.ts';
import { writeJsonArray } from './write-json-array.ts';

/** A list for download. */
export type ListFile<Row> = {
  /** Reads all rows in batches. @param client the thread's own connection */
  read(client: pg.Client): AsyncIterable<Row[]>;
  /** Returns an element of the JSON array. */
  describe(row: Row): unknown;
  sheet: ListSheet<Row>;
};

/**
 * The thread's side of `ThreadFiles` for a list, as a workbook or as JSON.
 * @param purpose as in `createThreadClient`
 */
export function writeListFile<Row>(
  { readUrl, format, locale }: ThreadFileData<{ format: 'excel' | 'json'; locale: Locale }>,
  purpose: string,
  { read, describe, sheet }: ListFile<Row>,
): void {
  const client = createThreadClient(readUrl, purpose);
  async function* listRows<T>(layOut: (row: Row) => T): AsyncGenerator<T[]> {
    await client.connect();
    for await (const rows of read(client)) yield rows.map(layOut);
  }
  const file =
    format === 'json'
      ? writeJsonArray(listRows(describe))
      : writeWorkbook([{ ...layOutHead(sheet, locale), rows: listRows((row) => cellsOf(sheet, row)) }]);
  writeThreadFile(file, () => client.end());
}
