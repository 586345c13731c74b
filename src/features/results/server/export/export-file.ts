import { writeXlsxStream } from 'hucre/xlsx';
import { describeRow, type SerialRow } from '../coverage-rows.ts';
import type { ExportJob } from './export-job.ts';
import { layOutSheet } from './sheet-columns.ts';

type Batches = AsyncIterable<SerialRow[]>;

/** The bytes of a workbook, made as they are read. */
export function writeWorkbook(batches: Batches, job: ExportJob): AsyncIterable<Uint8Array> {
  const { name, columns, cellsOf } = layOutSheet(job, job.provenance);
  async function* cells() {
    let number = 0;
    for await (const rows of batches) {
      for (const row of rows) yield cellsOf(describeRow(row, job.question.today), ++number);
    }
  }
  return writeXlsxStream(cells(), { name, columns, freezePane: { rows: 1 } });
}

/** Rows as JSON, where the database has not written them so already. */
export async function* writeRows(batches: Batches, today: string): AsyncGenerator<string[]> {
  for await (const rows of batches) yield rows.map((row) => JSON.stringify(describeRow(row, today)));
}

/** The bytes of a JSON array, a row a line, made as they are read. */
export async function* writeJson(batches: AsyncIterable<string[]>): AsyncGenerator<Uint8Array> {
  let before = '[';
  for await (const lines of batches) {
    yield Buffer.from(`${before}\n${lines.join(',\n')}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}
