// Writes one workbook with results from the database in a process of its own, and sends what that took.
import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import { readAnnotatedRows } from '../../src/features/results/server/annotated/annotated-rows.ts';
import { layOutResults, layOutSheet } from '../../src/features/results/server/export/sheet-columns.ts';
import type { SerialRow } from '../../src/features/results/server/result-rows.ts';
import { openPackage } from '../../src/server/sheet/xlsx/zip-parts.ts';
import { createThreadClient } from '../../src/server/threads/thread-client.ts';
import { annotateWorkbook } from '../../src/server/workbook/annotation/annotate-workbook.ts';
import type { Cell } from '../../src/server/workbook/cell.ts';
import { writeWorkbook } from '../../src/server/workbook/write-workbook.ts';
import { peakMegabytes } from '../../tests/support/peak-memory.ts';

export type AnnotationUsage = { cpuSeconds: number; seconds: number; peakMb: number };

const [contender = '', databaseUrl = '', ticketId = '', file = ''] = process.argv.slice(2);
const context = { locale: 'en', timeZone: 'Asia/Jakarta', today: '2026-11-22' } as const;
const { columns, cellsOf } = layOutResults(context);
const client = createThreadClient(databaseUrl, 'bench');
const contenders: Record<string, () => Promise<number>> = {
  ours: annotate,
  exceljs: copyByExceljs,
  export: writeExport,
};

await client.connect();
const began = performance.now();
const size = await contenders[contender]?.();
if (!size) throw new Error(`${contender} wrote nothing`);
await client.end();
const { user, system } = process.cpuUsage();
const usage: AnnotationUsage = {
  cpuSeconds: (user + system) / 1e6,
  seconds: (performance.now() - began) / 1000,
  peakMb: peakMegabytes(),
};
process.send?.(usage);
process.disconnect();

function readRows(write: (row: SerialRow) => Cell[] = cellsOf) {
  return readAnnotatedRows(client, Number(ticketId), write);
}

async function annotate(): Promise<number> {
  const parts = await openPackage(file);
  const widths = columns.map(({ width }) => width);
  let written = 0;
  for await (const bytes of annotateWorkbook(parts, 'xl/worksheets/sheet1.xml', widths, readRows()))
    written += bytes.length;
  await parts.close();
  return written;
}

async function writeExport(): Promise<number> {
  const sheet = layOutSheet(context, false);
  async function* listRows() {
    for await (const rows of readRows(sheet.cellsOf)) yield rows.map(({ cells }) => cells);
  }
  let written = 0;
  for await (const bytes of writeWorkbook([{ ...sheet, rows: listRows() }])) written += bytes.length;
  return written;
}

/** Copies values only, which is the cheapest that exceljs can do: no styles, dates as numbers. */
async function copyByExceljs(): Promise<number> {
  let written = 0;
  const stream = new PassThrough().on('data', (bytes: Buffer) => {
    written += bytes.length;
  });
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  const copy = book.addWorksheet('Devices');
  const added = listAdded();
  let next = await added.next();
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, { styles: 'ignore' })) {
    for await (const row of sheet) {
      const result = next.done ? undefined : next.value;
      const isHere = result?.row === row.number;
      copy.addRow([...row.values.slice(1), ...(isHere ? result.cells.map(plainValue) : [])]).commit();
      if (isHere) next = await added.next();
    }
  }
  await book.commit();
  return written;
}

async function* listAdded() {
  for await (const rows of readRows()) yield* rows;
}

function plainValue(cell: Cell) {
  return cell !== null && typeof cell === 'object' ? cell.value : cell;
}
