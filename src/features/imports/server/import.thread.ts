// A thread of its own for one import: reads the sheet and writes its rows through its own database connection, in one
// transaction. Ending the thread at any moment before the commit leaves nothing.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type pg from 'pg';
import { AppError } from '#server/errors.ts';
import { SheetError } from '#server/sheet/sheet-error.ts';
import { sheetFailure } from '#server/sheet/sheet-failure.ts';
import { createThreadClient } from '#server/thread-client.ts';
import type { Failure } from '#shared/answers.ts';
import type { ImportAnswer } from '../imports.contract.ts';
import { importSheet } from './import-sheet.ts';
import type { FromThread, ImportOutcome, ImportPhase, ImportTask } from './import-task.ts';
import { keyTaken, toFailure } from './import-texts.ts';
import { analyzeSerials } from './imports.queries.ts';
import { claimUpload, deleteOldUploads, findKeptAnswer, keepAnswer, lockUpload } from './uploads.queries.ts';

const progressEveryMs = 300;

const task = workerData as ImportTask;
const { userId, key, locale } = task;

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

async function hashFile(): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(task.path), hash);
  return hash.digest();
}

/** What was answered under the key before; waits for an upload under it that is still going on. */
async function findFirstAnswer(client: pg.Client, uploadKey: string): Promise<ImportOutcome | undefined> {
  const hash = await hashFile();
  await lockUpload(client, userId, uploadKey);
  await deleteOldUploads(client);
  const kept = await findKeptAnswer(client, userId, uploadKey);
  if (kept && !kept.file_hash.equals(hash)) return refuse(keyTaken());
  if (kept?.status === 201) return { answer: kept.answer as ImportAnswer };
  if (kept) return { status: kept.status, failure: kept.answer as Failure };
  await claimUpload(client, userId, uploadKey, hash);
  return undefined;
}

function refuse(error: AppError): { status: number; failure: Failure } {
  return { status: error.status, failure: toFailure(error, locale) };
}

async function importOnce(client: pg.Client): Promise<ImportOutcome> {
  await client.query('BEGIN');
  const answer = await importSheet(client, task, tellProgress);
  if (key !== null) {
    const first = await keepAnswer(client, userId, key, {
      status: 201,
      answer,
      phase: 'done',
      rows: rowsRead,
    });
    if (!first) throw new Error('another upload under the same key was faster');
  }
  await client.query('COMMIT');
  return { answer };
}

function toRefusal(error: unknown): ImportOutcome {
  if (error instanceof SheetError) return refuse(sheetFailure(error.family, task.maxRows));
  if (error instanceof AppError) return refuse(error);
  throw error;
}

async function run(): Promise<void> {
  const client = createThreadClient(task.databaseUrl, 'import');
  await client.connect();
  try {
    const first = key === null ? undefined : await findFirstAnswer(client, key);
    const outcome = first ?? (await importOnce(client).catch(toRefusal));
    tell({ kind: 'outcome', outcome });
    if (!first && 'answer' in outcome) await analyzeSerials(client);
  } finally {
    // A transaction that is still open goes with its connection.
    await client.end();
  }
}

await run().catch((error: Error) => tell({ kind: 'failed', error }));
