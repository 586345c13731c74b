import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestApi } from '../tests/support/api/api.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { writeSheet } from './support/large-sheet.ts';
import { runModule } from './support/measure.ts';
import { storeTickets } from './support/stored-tickets.ts';
import type { Way, WorkbookUsage } from './support/workbook-child.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);

/**
 * Compares an export, and an uploaded sheet that gets its results, with workbooks that exceljs writes row by row. Each is
 * written in a process of its own from the same results.
 */
export const bench: Bench = {
  title: `An export of ${rows} rows, and a sheet of as many rows and ten columns with its results`,
  run,
};

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const api = await createTestApi();
  try {
    const file = join(folder, 'sheet.xlsx');
    await writeSheet(file, rows);
    const ticket = await storeTickets(api, { tickets: 1, rows });
    const write = (way: Way) =>
      runModule<WorkbookUsage>('./workbook-child.ts', [way, api.context.databaseUrl, ticket.id, file]);
    const usages: Record<Way, WorkbookUsage[]> = {
      exportOurs: [],
      exportByExceljs: [],
      annotateOurs: [],
      annotateByExceljs: [],
    };
    for (let round = 0; round < rounds; round++) {
      for (const [way, measured] of Object.entries(usages)) measured.push(await write(way as Way));
    }
    const row = (what: string, unit: string, figure: keyof WorkbookUsage, ours: Way, theirs: Way): Row => ({
      what,
      unit,
      measured: median(usages[ours].map((usage) => usage[figure])),
      beside: 'exceljs, streaming',
      reference: median(usages[theirs].map((usage) => usage[figure])),
    });
    return [
      { ...row('export, CPU', 's', 'cpu', 'exportOurs', 'exportByExceljs'), maxRatio: 0.75 },
      row('export, peak memory', 'MB', 'megabytes', 'exportOurs', 'exportByExceljs'),
      { ...row('annotated sheet, CPU', 's', 'cpu', 'annotateOurs', 'annotateByExceljs'), maxRatio: 1 },
      // The same with any number of rows.
      {
        ...row('annotated sheet, peak memory', 'MB', 'megabytes', 'annotateOurs', 'annotateByExceljs'),
        goal: 400,
      },
    ];
  } finally {
    await api.close();
    await rm(folder, { recursive: true });
  }
}
