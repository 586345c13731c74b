// The thread of one annotated sheet. Copies the uploaded file from the database to a temporary file, which it can read at
// any place, and writes it with the results.
import { rm, writeFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';
import { foldHead } from '#features/devices/fields.shared.ts';
import { readOriginal } from '#features/imports/server/originals/originals.service.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { findMacros } from '#server/sheet/xlsx/find-macros.ts';
import { maxColumns } from '#server/sheet/xlsx/raw-cell.ts';
import { openPackage, type Package } from '#server/sheet/xlsx/zip-parts.ts';
import { createThreadClient } from '#server/threads/thread-client.ts';
import type { ThreadFileData } from '#server/threads/thread-file.ts';
import { writeThreadFile } from '#server/threads/thread-file-writer.ts';
import { createUploadPath } from '#server/uploads/upload-files.ts';
import type { AddedRow } from '#server/workbook/annotation/annotate-sheet.ts';
import { annotateWorkbook, NoFreeColumnError } from '#server/workbook/annotation/annotate-workbook.ts';
import { m } from '#shared/texts/messages.js';
import { createExportRecorder } from '../export/record-export.ts';
import { layOutResults } from '../export/sheet-columns.ts';
import type { AnnotationJob } from './annotated.service.ts';
import { readAnnotatedRows } from './annotated-rows.ts';

const job = workerData as ThreadFileData<AnnotationJob>;
const client = createThreadClient(job.readUrl, 'annotation');
const recordExport = createExportRecorder(job);

type Layout = ReturnType<typeof layOutResults>;

let parts: Package | undefined;
let started = false;
let rows = 0;

/** Opens the uploaded file, and lays out the columns that its sheet gets. */
async function openOriginal() {
  const path = await createUploadPath(job.dataDir);
  try {
    await writeFile(path, readOriginal(client, job.ticketId), { mode: 0o600 });
    // Its import could open it, so now it is cut short: its chunks are deleted one after another.
    parts = await openPackage(path).catch(() => {
      throw new AppError(410, 'original_gone', m.server_original_gone);
    });
    const heads = await readHeads(path);
    const lacking = job.fields.filter(({ name }) => !heads.has(foldHead(name)));
    // Files from before the fact was stored may have macros, too.
    if (await findMacros(parts)) throw new AppError(410, 'original_macros', m.server_original_macros);
    return { opened: parts, layout: layOutResults(job.context, lacking) };
  } finally {
    // An open file stays readable, and nothing is left if the thread is ended.
    await rm(path, { force: true });
  }
}

/** Reads the heads of the sheet, in the form in which they are compared; none without a header row. */
async function readHeads(path: string): Promise<Set<string>> {
  const { headerRow: lastRow, sheetPart, fields } = job;
  const heads = new Set<string>();
  if (lastRow === null || fields.length === 0) return heads;
  await readSheet(path, { columns: maxColumns, maxRows: lastRow, lastRow, sheetPart }, (rows) => {
    const head = rows.find(({ row }) => row === lastRow);
    for (const cell of head?.cells ?? []) if (cell) heads.add(foldHead(cell.text));
  });
  return heads;
}

/** Reads the rows that get cells, with the heads at the row of the header. */
async function* listRows({ columns, cellsOf }: Layout): AsyncGenerator<AddedRow[]> {
  if (job.headerRow !== null) yield [{ row: job.headerRow, cells: columns.map(({ header }) => header) }];
  for await (const batch of readAnnotatedRows(client, job, cellsOf)) {
    rows += batch.length;
    yield batch;
  }
}

async function* writeFileOfSheet(): AsyncGenerator<Uint8Array> {
  await client.connect();
  const { opened, layout } = await openOriginal();
  const widths = layout.columns.map(({ width }) => width);
  try {
    for await (const bytes of annotateWorkbook(opened, job.sheetPart, widths, listRows(layout))) {
      started = true;
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof NoFreeColumnError)) throw error;
    throw new AppError(422, 'no_free_column', m.server_original_full);
  }
  await recordExport({ rows, complete: true });
}

writeThreadFile(writeFileOfSheet(), async () => {
  try {
    await parts?.close();
    if (started) await recordExport({ rows, complete: false });
  } finally {
    await client.end();
  }
});
