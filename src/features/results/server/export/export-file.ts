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
      for (const row of rows) yield cellsOf(describeRow(row, job.today), ++number);
    }
  }
  return writeXlsxStream(cells(), { name, columns, freezePane: { rows: 1 } });
}

/** A JSON array, a row a line. */
async function* writeJson(batches: Batches, job: ExportJob): AsyncGenerator<Uint8Array> {
  let before = '[';
  for await (const rows of batches) {
    const lines = rows.map((row) => JSON.stringify(describeRow(row, job.today)));
    yield Buffer.from(`${before}\n${lines.join(',\n')}`);
    before = ',';
  }
  yield Buffer.from(before === '[' ? '[]\n' : '\n]\n');
}

/** Joins small chunks, so that each message between threads is worth its price. */
export async function* joinChunks(
  chunks: AsyncIterable<Uint8Array>,
  leastBytes: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    kept.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < leastBytes) continue;
    yield join(kept, bytes);
    kept = [];
    bytes = 0;
  }
  if (bytes > 0) yield join(kept, bytes);
}

/** One array with memory of its own, which can be handed over to another thread. */
function join(chunks: Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
