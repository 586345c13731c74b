// A thread of its own for one export: reads rows through its own database connection and writes the file.
import { workerData } from 'node:worker_threads';
import { record } from '#features/audit/server/audit.service.ts';
import { giveUpReading } from '#server/read-batches.ts';
import { createThreadClient } from '#server/thread-client.ts';
import { writeThreadFile } from '#server/thread-file-writer.ts';
import { filterOf, type SerialRow } from '../coverage-rows.ts';
import { isInSheetOrder } from '../narrowing.ts';
import { writeBook, writeJson, writeRows } from './export-file.ts';
import type { ExportJob } from './export-job.ts';
import { readJsonRows, readRows } from './export-rows.queries.ts';
import { readPickedRows } from './picked-rows.ts';

const rowsAtOnce = 1000;

const job = workerData as ExportJob;
const client = createThreadClient(job.databaseUrl, 'export');

let connected = false;
let recorded = false;
let rows = 0;

/** What is read of the ticket, counted, with the record of the export at its end. */
async function* readAll<T extends { length: number }>(
  read: (ticketId: number) => AsyncIterable<T>,
): AsyncGenerator<T> {
  await client.connect();
  connected = true;
  if (job.ticket) {
    for await (const batch of read(job.ticket.id)) {
      rows += batch.length;
      yield batch;
    }
  }
  await recordExport(true);
}

function writeFile(): AsyncIterable<Uint8Array> {
  const { question, format } = job;
  const isPlain = isInSheetOrder(question);
  const filter = filterOf(question.status);
  const read = (ticketId: number): AsyncGenerator<SerialRow[]> =>
    isPlain
      ? readRows(client, ticketId, filter, rowsAtOnce)
      : readPickedRows(client, ticketId, question, rowsAtOnce);
  if (format === 'excel') return writeBook(readAll(read), job);
  if (!isPlain) return writeJson(writeRows(readAll(read), question.today));
  return writeJson(readAll((ticketId) => readJsonRows(client, ticketId, filter, question.today, rowsAtOnce)));
}

/** Before its last bytes leave, or once its reader has gone: what was handed out is on record. */
async function recordExport(complete: boolean): Promise<void> {
  recorded = true;
  await record(client, { ...job.deed, after: { ...job.deed.after, rows, complete } }, job.origin);
}

writeThreadFile(writeFile(), async () => {
  try {
    if (!connected || recorded) return;
    await giveUpReading(client);
    await recordExport(false);
  } finally {
    await client.end();
  }
});
