// A thread of its own for one export: reads rows through its own database connection and writes the file.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/thread-client.ts';
import { writeThreadFile } from '#server/thread-file-writer.ts';
import type { SerialRow } from '../coverage-rows.ts';
import { writeFile } from './export-file.ts';
import type { ExportJob } from './export-job.ts';
import { readRows } from './export-rows.queries.ts';

const rowsAtOnce = 1000;

const job = workerData as ExportJob;
const client = createThreadClient(job.databaseUrl, 'export');

async function* batches(): AsyncGenerator<SerialRow[]> {
  if (job.ticketId === null) return;
  await client.connect();
  yield* readRows(client, job.ticketId, job.filter, rowsAtOnce);
}

writeThreadFile(writeFile(batches(), job), () => client.end());
