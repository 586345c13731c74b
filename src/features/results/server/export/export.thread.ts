// The thread of one export. Reads rows through its own database connection and writes the file.
import { workerData } from 'node:worker_threads';
import { record } from '#features/audit/server/audit.service.ts';
import { createThreadClient, withThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import type { SerialRow } from '../result-rows.ts';
import { writeBook, writeJson } from './export-file.ts';
import type { ExportJob } from './export-job.ts';
import { readRows } from './read-rows.ts';

const rowsAtOnce = 1000;

const job = workerData as ThreadFileData<ExportJob>;
const client = createThreadClient(job.readUrl, 'export');

let connected = false;
let recorded = false;
let rows = 0;

/** Reads and counts the rows; records the export at the end. */
async function* readAll(): AsyncGenerator<SerialRow[]> {
  await client.connect();
  connected = true;
  if (job.ticket) {
    for await (const batch of readRows(client, job.ticket.id, job.rowQuery, rowsAtOnce)) {
      rows += batch.length;
      yield batch;
    }
  }
  await recordExport(true);
}

function writeFile(): AsyncIterable<Uint8Array> {
  return job.format === 'excel' ? writeBook(readAll(), job) : writeJson(readAll(), job.rowQuery.today);
}

/** Records the export and its number of rows, before the last bytes or after the caller has disconnected. */
async function recordExport(complete: boolean): Promise<void> {
  recorded = true;
  const action = { ...job.action, after: { ...job.action.after, rows, complete } };
  await withThreadClient(job.databaseUrl, 'export', (primary) => record(primary, action, job.origin));
}

writeThreadFile(writeFile(), async () => {
  try {
    if (!connected || recorded) return;
    await recordExport(false);
  } finally {
    await client.end();
  }
});
