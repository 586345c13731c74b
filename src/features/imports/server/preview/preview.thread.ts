// The thread of one preview: reads the sheet on its own connection, and stores nothing.
import { workerData } from 'node:worker_threads';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import type { PreviewedSheet, PreviewTask } from './preview-task.ts';
import { runPreview } from './run-preview.ts';

const task = workerData as PreviewTask;

runThreadTask<PreviewedSheet, never>(
  async (send) => send({ kind: 'answer', answer: await runPreview(task) }),
  (error, uncaught) => explainSheetError(task.maxRows, error, uncaught),
);
