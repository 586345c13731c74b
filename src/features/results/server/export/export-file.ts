import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { describeRow, type SerialRow } from '../coverage-rows.ts';
import type { ExportJob } from './export-job.ts';
import type { JsonRows } from './export-rows.queries.ts';
import { layOutSheet } from './sheet-columns.ts';
import { type ExportedRows, layOutTicket, listTicketLines } from './ticket-sheet.ts';

type Batches = AsyncIterable<SerialRow[]>;

/** The bytes of a workbook, made as they are read. */
export function writeBook(batches: Batches, job: ExportJob): AsyncIterable<Uint8Array> {
  const { cellsOf, ...coverage } = layOutSheet({ ...job, today: job.question.today }, job.provenance);
  const exported: ExportedRows = { count: 0, bySource: new Map() };
  async function* listRows() {
    for await (const rows of batches) {
      yield rows.map((row) => {
        exported.count += 1;
        if (row.source) exported.bySource.set(row.source, (exported.bySource.get(row.source) ?? 0) + 1);
        return cellsOf(row, exported.count);
      });
    }
  }
  // Asked for when the rows are written: then it is known how many there were.
  async function* listLines() {
    yield listTicketLines(job.ticket, exported, job);
  }
  return writeWorkbook([
    { ...coverage, rows: listRows() },
    { ...layOutTicket(job.locale), rows: listLines() },
  ]);
}

/** Rows as JSON, where the database has not written them so already. */
export async function* writeRows(batches: Batches, today: string): AsyncGenerator<JsonRows> {
  for await (const rows of batches) {
    const lines = rows.map((row) => JSON.stringify(describeRow(row, today)));
    yield { length: rows.length, json: lines.join(',\n') };
  }
}

/** The bytes of a JSON array, a row a line, made as they are read. */
export async function* writeJson(batches: AsyncIterable<JsonRows>): AsyncGenerator<Uint8Array> {
  let before = '[';
  for await (const { json } of batches) {
    yield Buffer.from(`${before}\n${json}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}
