import type pg from 'pg';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { deadlines } from '#server/db/connection/open-db.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { alreadyImported } from '../import-texts.ts';
import { insertOwnImport } from '../own-imports/own-imports.queries.ts';
import { IdempotentUpload } from '../upload/idempotent-upload.ts';
import { importSheet, type ReportProgress, requireUploadRights } from './import-sheet.ts';
import type { ImportPhase, ImportProgress, ImportTask } from './import-task.ts';

const progressEveryMs = 300;

export type ImportCalls = {
  report(progress: ImportProgress): void;
  /** Gets the answer once it is certain, before the connection is closed. */
  answer(answer: ImportAnswer): void;
  /** Throws if the import is no longer wanted. Called right before its commit. */
  check?(): void;
};

/**
 * Runs an import in one transaction on a connection of its own: its key stays locked until the connection ends. Until the
 * commit, the end of this thread or process leaves nothing behind.
 * @throws SheetError, or AppError with the reason of a refusal
 */
export async function runImport(task: ImportTask, calls: ImportCalls): Promise<void> {
  const client = createThreadClient(task.databaseUrl, 'import', deadlines.imports);
  await client.connect();
  try {
    const upload = task.caller && new IdempotentUpload(client, task.caller, task.key);
    const first = await upload?.findFirstAnswer(task);
    if (first) await requireUploadRights(client, task);
    calls.answer(first ?? (await importInTransaction(client, task, upload, calls)));
  } finally {
    // Closing the connection rolls an open transaction back.
    await client.end();
  }
}

async function importInTransaction(
  client: pg.Client,
  task: ImportTask,
  upload: IdempotentUpload | null,
  { report, check }: ImportCalls,
): Promise<ImportAnswer> {
  let rowsRead = 0;
  const reportProgress = throttleProgress(report);
  await client.query('BEGIN');
  const answer = await importSheet(client, task, (phase, rows) => {
    rowsRead = rows;
    reportProgress(phase, rows);
  });
  await upload?.storeAnswer(answer, rowsRead);
  if (task.ownKey !== null && !(await insertOwnImport(client, task.ownKey, answer.ticket.ticket_number))) {
    throw alreadyImported();
  }
  check?.();
  await client.query('COMMIT');
  return answer;
}

/** Throttles progress: reports the start of each phase, and within it at most every 300 ms. */
function throttleProgress(report: ImportCalls['report']): ReportProgress {
  let reportedAt = 0;
  let reportedPhase: ImportPhase | undefined;
  return (phase, rows) => {
    const now = performance.now();
    if (phase === reportedPhase && now - reportedAt < progressEveryMs) return;
    reportedPhase = phase;
    reportedAt = now;
    report({ phase, rows });
  };
}
