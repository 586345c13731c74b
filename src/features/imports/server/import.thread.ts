// A thread of its own for one import: reads the sheet and writes its rows through its own database connection, in one
// transaction. Ending the thread at any moment before the commit leaves nothing.
import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { SheetError } from '#server/sheet/sheet-error.ts';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import { createThreadClient } from '#server/thread-client.ts';
import { packError } from '#server/thread-error.ts';
import type { ImportAnswer } from '../imports.contract.ts';
import { IdempotentUpload } from './idempotent-upload.ts';
import { importSheet } from './import-sheet.ts';
import type { FromThread, ImportPhase, ImportTask } from './import-task.ts';
import { analyzeSerials } from './imports.queries.ts';

const progressEveryMs = 300;

const task = workerData as ImportTask;

function tell(message: FromThread): void {
  parentPort?.postMessage(message);
}

let rowsRead = 0;
let toldAt = 0;
let toldPhase: ImportPhase | undefined;
function tellProgress(phase: ImportPhase, rows: number): void {
  rowsRead = rows;
  const now = performance.now();
  if (phase === toldPhase && now - toldAt < progressEveryMs) return;
  toldPhase = phase;
  toldAt = now;
  tell({ kind: 'progress', phase, rows });
}

async function importOnce(client: pg.Client, upload: IdempotentUpload): Promise<ImportAnswer> {
  await client.query('BEGIN');
  const answer = await importSheet(client, task, tellProgress);
  await upload.keepAnswer(answer, rowsRead);
  await client.query('COMMIT');
  return answer;
}

function tellFailure(error: unknown): void {
  const told = error instanceof SheetError ? sheetFailure(error.family, task.maxRows) : error;
  tell({ kind: 'failed', error: packError(told) });
}

async function run(): Promise<void> {
  const client = createThreadClient(task.databaseUrl, 'import');
  await client.connect();
  try {
    const upload = new IdempotentUpload(client, task.userId, task.key);
    const first = await upload.findFirstAnswer(task.path);
    tell({ kind: 'answer', answer: first ?? (await importOnce(client, upload)) });
    if (!first) await analyzeSerials(client);
  } catch (error) {
    tellFailure(error);
  } finally {
    // A transaction that is still open goes with its connection.
    await client.end();
  }
}

await run().catch(tellFailure);
