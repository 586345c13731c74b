import { writeJsonArray } from '#server/threads/write-json-array.ts';
import { layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { describeRow, type ValuedRow } from '../result-rows.ts';
import type { ExportJob } from './export-job.ts';
import { layOutSheet } from './sheet-columns.ts';
import { type ExportedRows, listTicketLines, ticketHead } from './ticket-sheet.ts';

type Batches = AsyncIterable<ValuedRow[]>;

/** Writes the bytes of a workbook as the rows are read. */
export function writeBook(batches: Batches, job: ExportJob): AsyncIterable<Uint8Array> {
  const { cellsOf, ...coverage } = layOutSheet(
    { ...job, today: job.rowQuery.today },
    job.provenance,
    job.fields,
  );
  const exported: ExportedRows = { count: 0, bySource: new Map() };
  async function* listRows() {
    for await (const rows of batches) {
      yield rows.map((row) => {
        exported.count += 1;
        if (row.source) exported.bySource.set(row.source, (exported.bySource.get(row.source) ?? 0) + 1);
        return cellsOf(row);
      });
    }
  }
  // Called after all rows are written, when their number is known.
  async function* listLines() {
    yield listTicketLines(job.ticket, exported, job);
  }
  return writeWorkbook([
    { ...coverage, rows: listRows() },
    { ...layOutHead(ticketHead, job.locale), rows: listLines() },
  ]);
}

/** Writes the bytes of a JSON array of rows as `GET /imei` answers them. */
export function writeJson(batches: Batches, today: string): AsyncIterable<Uint8Array> {
  async function* describeRows() {
    for await (const rows of batches) yield rows.map((row) => describeRow(row, today));
  }
  return writeJsonArray(describeRows());
}
