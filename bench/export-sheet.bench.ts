import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import { writeBook } from '../src/features/results/server/export/export-file.ts';
import { readRows } from '../src/features/results/server/export/read-rows.ts';
import { currentOrigin } from '../src/server/http/origin.ts';
import { createThreadClient } from '../src/server/threads/thread-client.ts';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import type { Bench, Row } from './support/bench.ts';
import { createLargeTicket } from './support/large-ticket.ts';
import { compare, cpuSeconds } from './support/measure.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = 3;
const job: Parameters<typeof writeBook>[1] = {
  databaseUrl: '',
  ticket: null,
  now: new Date(),
  format: 'excel',
  provenance: false,
  locale: 'en',
  timeZone: 'Asia/Jakarta',
  origin: currentOrigin(),
  rowQuery: { today: '2026-11-22', sort: 'position', order: 'asc' },
  action: { action: 'results.export' },
};

/** Compares our workbook writer with exceljs for a large ticket. Both read from the same cursor. */
export const bench: Bench = { title: `Export of ${rows} rows as .xlsx`, run };

async function run(): Promise<Row[]> {
  const api = await createTestApi();
  try {
    const { ticketId } = await createLargeTicket(api, rows);
    const bytes = { ours: 0, theirs: 0 };
    const cpu = await compare(
      rounds,
      () => cpuSeconds(async () => (bytes.ours = await readAll(api, ticketId, writeOurs))),
      () => cpuSeconds(async () => (bytes.theirs = await readAll(api, ticketId, writeByExceljs))),
    );
    const beside = 'exceljs, streaming';
    return [
      { what: 'CPU of the process', unit: 's', beside, maxRatio: 0.75, ...cpu },
      { what: 'size', unit: 'bytes', measured: bytes.ours, beside, reference: bytes.theirs },
    ];
  } finally {
    await api.close();
  }
}

type Batches = ReturnType<typeof readRows>;

async function readAll(api: TestApi, ticketId: number, write: (batches: Batches) => Promise<number>) {
  const client = createThreadClient(api.context.databaseUrl, 'bench');
  await client.connect();
  const size = await write(readRows(client, ticketId, job.rowQuery, 1000));
  await client.end();
  return size;
}

async function writeOurs(batches: Batches): Promise<number> {
  let size = 0;
  for await (const chunk of writeBook(batches, job)) size += chunk.length;
  return size;
}

async function writeByExceljs(batches: Batches): Promise<number> {
  let size = 0;
  const stream = new PassThrough().on('data', (chunk: Buffer) => {
    size += chunk.length;
  });
  // The cheapest settings of exceljs: no styles, dates as text.
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  const sheet = book.addWorksheet('Coverage');
  const head = [
    'No',
    'Serial',
    'Type',
    'Status',
    'Purchased',
    'Warranty',
    'Start',
    'End',
    'Expires',
    'Fetched',
    'Reason',
  ];
  sheet.addRow(head).commit();
  let number = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      const device = [row.serial, row.type, row.activation_status, row.purchase_date];
      const coverage = [row.warranty_title, row.coverage_start_date, row.coverage_end_date, '9 days'];
      sheet.addRow([++number, ...device, ...coverage, row.fetched_at?.toISOString(), row.reason]).commit();
    }
  }
  await book.commit();
  return size;
}
