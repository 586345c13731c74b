// The thread of one import: reads the sheet and writes its rows in one transaction on its own connection. If the thread
// is ended before the commit, nothing is stored.
import { workerData } from 'node:worker_threads';
import type pg from 'pg';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { deadlines } from '#server/db/connection/open-db.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import { alreadyImported } from '../import-texts.ts';
import { insertOwnImport } from '../own-imports/own-imports.queries.ts';
import { IdempotentUpload } from '../upload/idempotent-upload.ts';
import { importSheet, type ReportProgress, requireUploadRights } from './import-sheet.ts';
import type { ImportPhase, ImportProgress, ImportTask } from './import-task.ts';

const progressEveryMs = 300;

const task = workerData as ImportTask;

/** Throttles progress: reports the start of each phase, and within it at most every 300 ms. */
function throttleProgress(report: (progress: ImportProgress) => void): ReportProgress {
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

async function importOnce(
  client: pg.Client,
  upload: IdempotentUpload | null,
  reportProgress: ReportProgress,
): Promise<ImportAnswer> {
  let rowsRead = 0;
  await client.query('BEGIN');
  const answer = await importSheet(client, task, (phase, rows) => {
    rowsRead = rows;
    reportProgress(phase, rows);
  });
  await upload?.keepAnswer(answer, rowsRead);
  if (task.ownKey !== null && !(await insertOwnImport(client, task.ownKey, answer.ticket.ticket_number))) {
    throw alreadyImported();
  }
  await client.query('COMMIT');
  return answer;
}

runThreadTask<ImportAnswer, ImportProgress>(
  async (send) => {
    const client = createThreadClient(task.databaseUrl, 'import', deadlines.imports);
    await client.connect();
    try {
      const upload = task.caller && new IdempotentUpload(client, task.caller.id, task.key);
      const first = await upload?.findFirstAnswer(task);
      if (first) await requireUploadRights(client, task);
      const reportProgress = throttleProgress((progress) => send({ kind: 'progress', progress }));
      send({ kind: 'answer', answer: first ?? (await importOnce(client, upload, reportProgress)) });
    } finally {
      // Closing the connection rolls an open transaction back.
      await client.end();
    }
  },
  (error, uncaught) => explainSheetError(task.maxRows, error, uncaught),
);
