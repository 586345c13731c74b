// Writes one workbook with results from the database in a process of its own, and sends its CPU time and peak memory.
import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import { readAnnotatedRows } from '../../src/features/results/server/annotated/annotated-rows.ts';
import { readRows } from '../../src/features/results/server/export/read-rows.ts';
import { layOutResults, layOutSheet } from '../../src/features/results/server/export/sheet-columns.ts';
import type { SerialRow } from '../../src/features/results/server/result-rows.ts';
import { openPackage } from '../../src/server/sheet/xlsx/zip-parts.ts';
import { createThreadClient } from '../../src/server/threads/thread-client.ts';
import { annotateWorkbook } from '../../src/server/workbook/annotation/annotate-workbook.ts';
import type { Cell } from '../../src/server/workbook/cell.ts';
import { writeWorkbook } from '../../src/server/workbook/write-workbook.ts';
import { peakMegabytes } from '../../tests/support/peak-memory.ts';

/** How a workbook is written: an export, or the uploaded sheet with its results, by us or by exceljs. */
export type Way = keyof typeof ways;
export type WorkbookUsage = { cpu: number; megabytes: number };

const [way = '', databaseUrl = '', ticketId = '', file = ''] = process.argv.slice(2);
const context = { locale: 'en', timeZone: 'Asia/Jakarta', today: '2026-11-22' } as const;
const ways = { exportOurs, exportByExceljs, annotateOurs, annotateByExceljs };
const client = createThreadClient(databaseUrl, 'bench');
await client.connect();
const began = process.cpuUsage();
if ((await ways[way as Way]()) === 0) throw new Error(`${way} wrote nothing`);
await client.end();
const { user, system } = process.cpuUsage(began);
process.send?.({ cpu: (user + system) / 1e6, megabytes: peakMegabytes() } satisfies WorkbookUsage);
process.disconnect();

async function* readExported(cellsOf: (row: SerialRow) => Cell[]) {
  const query = { today: context.today, sort: 'position', order: 'asc' } as const;
  for await (const rows of readRows(client, Number(ticketId), query, 1000)) yield rows.map(cellsOf);
}

function exportOurs(): Promise<number> {
  const { cellsOf, ...sheet } = layOutSheet(context, false);
  return countBytes(writeWorkbook([{ ...sheet, rows: readExported(cellsOf) }]));
}

async function exportByExceljs(): Promise<number> {
  const { book, sheet, written } = createBook();
  for await (const rows of readExported(layOutSheet(context, false).cellsOf)) {
    for (const cells of rows) sheet.addRow(cells.map(plainValue)).commit();
  }
  await book.commit();
  return written();
}

async function annotateOurs(): Promise<number> {
  const parts = await openPackage(file);
  const { columns, cellsOf } = layOutResults(context);
  const widths = columns.map(({ width }) => width);
  const bytes = annotateWorkbook(
    parts,
    'xl/worksheets/sheet1.xml',
    widths,
    readAnnotatedRows(client, Number(ticketId), cellsOf),
  );
  const size = await countBytes(bytes);
  await parts.close();
  return size;
}

async function annotateByExceljs(): Promise<number> {
  const { book, sheet: copy, written } = createBook();
  async function* listResults() {
    for await (const rows of readAnnotatedRows(client, Number(ticketId), layOutResults(context).cellsOf))
      yield* rows;
  }
  const results = listResults();
  let next = await results.next();
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, { styles: 'ignore' })) {
    for await (const row of sheet) {
      const added = !next.done && next.value.row === row.number ? next.value.cells : [];
      copy.addRow([...row.values.slice(1), ...added.map(plainValue)]).commit();
      if (added.length > 0) next = await results.next();
    }
  }
  await book.commit();
  return written();
}

/** Creates a workbook by the cheapest settings of exceljs: no styles, dates as numbers. */
function createBook() {
  let size = 0;
  const stream = new PassThrough().on('data', (bytes: Buffer) => {
    size += bytes.length;
  });
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  return { book, sheet: book.addWorksheet('Devices'), written: () => size };
}

function plainValue(cell: Cell) {
  return cell !== null && typeof cell === 'object' ? cell.value : cell;
}

async function countBytes(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of chunks) size += chunk.length;
  return size;
}
