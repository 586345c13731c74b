import { PassThrough } from 'node:stream';
import ExcelJS from 'exceljs';
import { writeBook } from '../src/features/results/server/export/export-file.ts';
import { readRows } from '../src/features/results/server/export/read-rows.ts';
import { currentOrigin } from '../src/server/http/origin.ts';
import { createThreadClient } from '../src/server/threads/thread-client.ts';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { createLargeTicket } from './support/large-ticket.ts';

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
    const seconds: [number[], number[]] = [[], []];
    const bytes = [0, 0];
    for (let round = 0; round < rounds; round++) {
      for (const [i, write] of [writeOurs, writeByExceljs].entries()) {
        const before = process.cpuUsage();
        bytes[i] = await readAll(api, ticketId, write);
        const { user, system } = process.cpuUsage(before);
        seconds[i]?.push((user + system) / 1e6);
      }
    }
    const beside = 'exceljs, streaming';
    return [
      {
        what: 'CPU of the process',
        unit: 's',
        measured: median(seconds[0]),
        beside,
        reference: median(seconds[1]),
        maxRatio: 0.75,
      },
      { what: 'size', unit: 'bytes', measured: bytes[0] ?? 0, beside, reference: bytes[1] ?? 0 },
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
