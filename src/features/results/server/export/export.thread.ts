// The thread of one export. Reads rows through its own database connection and writes the file.
import { workerData } from 'node:worker_threads';
import { batchesWithFields } from '#features/devices/server/devices.service.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import type { ValuedRow } from '../result-rows.ts';
import { writeBook, writeJson } from './export-file.ts';
import type { ExportJob } from './export-job.ts';
import { readRows } from './read-rows.ts';
import { createExportRecorder } from './record-export.ts';

const rowsAtOnce = 2000;

const job = workerData as ThreadFileData<ExportJob>;
const client = createThreadClient(job.readUrl, 'export');
const recordExport = createExportRecorder(job);

let connected = false;
let rows = 0;

/** Reads and counts the rows; records the export at the end. */
async function* readAll(): AsyncGenerator<ValuedRow[]> {
  await client.connect();
  connected = true;
  if (job.ticket) {
    const { id, company_code } = job.ticket;
    const batches = readRows(client, id, job.rowQuery, rowsAtOnce);
    for await (const batch of batchesWithFields(client, company_code, job.fields, batches)) {
      rows += batch.length;
      yield batch;
    }
  }
  await recordExport({ rows, complete: true });
}

function writeFile(): AsyncIterable<Uint8Array> {
  return job.format === 'excel' ? writeBook(readAll(), job) : writeJson(readAll(), job.rowQuery.today);
}

writeThreadFile(writeFile(), async () => {
  try {
    if (connected) await recordExport({ rows, complete: false });
  } finally {
    await client.end();
  }
});
