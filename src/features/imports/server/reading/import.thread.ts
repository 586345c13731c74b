// The thread of one import. If it is ended before the commit, nothing is stored.
import { workerData } from 'node:worker_threads';
import type { ImportAnswer } from '#features/imports/imports.contract.ts';
import { explainSheetError } from '#server/sheet/sheet-failure.ts';
import { runThreadTask } from '#server/threads/thread-task-runner.ts';
import type { ImportProgress, ImportTask } from './import-task.ts';
import { runImport } from './run-import.ts';

const task = workerData as ImportTask;

runThreadTask<ImportAnswer, ImportProgress>(
  (send) =>
    runImport(task, {
      report: (progress) => send({ kind: 'progress', progress }),
      answer: (answer) => send({ kind: 'answer', answer }),
    }),
  (error, uncaught) => explainSheetError(task.maxRows, error, uncaught),
);
