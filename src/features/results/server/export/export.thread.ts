// A thread of its own for one export: reads rows through its own database connection, writes the file, and hands it
// over chunk by chunk as it is asked for more.
import { parentPort, workerData } from 'node:worker_threads';
import pg from 'pg';
// For its column types.
import '#server/db.ts';
import type { SerialRow } from '../coverage-rows.ts';
import { joinChunks, writeFile } from './export-file.ts';
import type { ExportJob, FromThread, ToThread } from './export-job.ts';
import { readRows } from './export-rows.queries.ts';

const rowsAtOnce = 1000;
const bytesAtOnce = 64 * 1024;

const job = workerData as ExportJob;
const port = parentPort;
if (!port) throw new Error('this module runs as a thread');

const client = new pg.Client({ connectionString: job.databaseUrl, application_name: 'coverdesk export' });
// A connection that breaks fails the query that is under way.
client.on('error', () => undefined);
const chunks = joinChunks(writeFile(batches(), job), bytesAtOnce);

async function* batches(): AsyncGenerator<SerialRow[]> {
  if (job.ticketId === null) return;
  await client.connect();
  yield* readRows(client, job.ticketId, job.filter, rowsAtOnce);
}

function tell(message: FromThread): void {
  port?.postMessage(message, message.kind === 'chunk' ? [message.chunk.buffer] : []);
}

async function sendNext(): Promise<void> {
  const { value, done } = await chunks.next();
  if (!done) return tell({ kind: 'chunk', chunk: value });
  tell({ kind: 'end' });
  await leave();
}

/** Ends the connection politely; without it and the port nothing keeps the thread alive. */
async function leave(): Promise<void> {
  port?.close();
  await client.end();
}

port.on('message', (message: ToThread) => {
  if (message === 'stop') return leave();
  sendNext().catch(async (error: Error) => {
    tell({ kind: 'failed', error });
    await leave();
  });
});
