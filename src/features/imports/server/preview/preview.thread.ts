// The thread of one preview: reads the sheet on its own connection, and stores nothing.
import { workerData } from 'node:worker_threads';
import { deadlines } from '#server/db/connection/open-db.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import { previewRows } from './preview-rows.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';

const task = workerData as PreviewTask;

runThreadTask<PreviewedSheet, never>(
  async (send) => {
    const client = createThreadClient(task.databaseUrl, 'preview', deadlines.imports);
    await client.connect();
    try {
      send({ kind: 'answer', answer: await previewRows(client, task) });
    } finally {
      await client.end();
    }
  },
  (error, uncaught) => explainSheetError(task.maxRows, error, uncaught),
);
