// The thread that writes one file of changes, with its own database connection.
import { workerData } from 'node:worker_threads';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { writeJsonArray } from '#server/threads/write-json-array.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { layOutChanges } from './change-columns.ts';
import { type ChangeRow, readChanges } from './changes.queries.ts';
import type { ChangesFileJob } from './changes.service.ts';
import { describeChange } from './describe-change.ts';

const rowsAtOnce = 1000;

const { readUrl, asked, format, locale } = workerData as ThreadFileData<ChangesFileJob>;
const client = createThreadClient(readUrl, 'changes');

async function* batches(): AsyncGenerator<ChangeRow[]> {
  await client.connect();
  yield* readChanges(client, asked, rowsAtOnce);
}

async function* describeChanges() {
  for await (const rows of batches()) yield rows.map(describeChange);
}

const { cellsOf, ...sheet } = layOutChanges(locale);

async function* listRows() {
  for await (const rows of batches()) yield rows.map(cellsOf);
}

const file =
  format === 'json' ? writeJsonArray(describeChanges()) : writeWorkbook([{ ...sheet, rows: listRows() }]);
writeThreadFile(file, () => client.end());
