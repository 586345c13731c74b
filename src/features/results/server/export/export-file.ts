import { writeXlsxStream } from 'hucre/xlsx';
import { describeRow, type SerialRow } from '../coverage-rows.ts';
import type { ExportJob } from './export-job.ts';
import { layOutSheet } from './sheet-columns.ts';

type Batches = AsyncIterable<SerialRow[]>;

/** The bytes of an export, made as they are read. */
export function writeFile(batches: Batches, job: ExportJob): AsyncIterable<Uint8Array> {
  return job.format === 'excel' ? writeWorkbook(batches, job) : writeJson(batches, job);
}

function writeWorkbook(batches: Batches, job: ExportJob): AsyncIterable<Uint8Array> {
  const { name, columns, cellsOf } = layOutSheet(job, job.provenance);
  async function* cells() {
    let number = 0;
    for await (const rows of batches) {
      for (const row of rows) yield cellsOf(describeRow(row, job.question.today), ++number);
    }
  }
  return writeXlsxStream(cells(), { name, columns, freezePane: { rows: 1 } });
}

/** A JSON array, a row a line. */
async function* writeJson(batches: Batches, job: ExportJob): AsyncGenerator<Uint8Array> {
  let before = '[';
  for await (const rows of batches) {
    const lines = rows.map((row) => JSON.stringify(describeRow(row, job.question.today)));
    yield Buffer.from(`${before}\n${lines.join(',\n')}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}
