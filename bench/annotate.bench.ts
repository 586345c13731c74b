import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestApi } from '../tests/support/api/api.ts';
import type { AnnotationUsage } from './support/annotate-child.ts';
import { type Bench, median, type Row } from './support/bench.ts';
import { writeSheet } from './support/large-sheet.ts';
import { createLargeTicket } from './support/large-ticket.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const contenders = ['ours', 'exceljs', 'export'] as const;

/**
 * Compares an uploaded sheet that gets its results beside its rows with a copy that exceljs writes row by row, and with our
 * export of as many rows. Each runs in a process of its own, and reads the same results from the database.
 */
export const bench: Bench = { title: `A sheet of ${rows} rows and ten columns with its results`, run };

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-files-'));
  const api = await createTestApi();
  try {
    const file = join(folder, 'sheet.xlsx');
    await writeSheet(file, rows);
    const { ticketId } = await createLargeTicket(api, rows);
    const measured: Record<(typeof contenders)[number], AnnotationUsage[]> = {
      ours: [],
      exceljs: [],
      export: [],
    };
    for (let round = 0; round < rounds; round++) {
      for (const contender of contenders)
        measured[contender].push(await measure([contender, api.context.databaseUrl, ticketId, file]));
    }
    const read = (of: keyof typeof measured, figure: keyof AnnotationUsage) =>
      median(measured[of].map((usage) => usage[figure]));
    const compare = (
      what: string,
      unit: string,
      figure: keyof AnnotationUsage,
      limits: Partial<Row> = {},
    ): Row[] => [
      {
        what,
        unit,
        measured: read('ours', figure),
        beside: 'exceljs, streaming copy',
        reference: read('exceljs', figure),
        ...limits,
      },
      {
        what,
        unit,
        measured: read('ours', figure),
        beside: 'our export',
        reference: read('export', figure),
      },
    ];
    return [
      ...compare('CPU of the process', 's', 'cpuSeconds', { maxRatio: 1 }),
      ...compare('clock', 's', 'seconds'),
      // The same with any number of rows.
      ...compare('peak memory of the process', 'MB', 'peakMb', { goal: 400 }),
    ];
  } finally {
    await api.close();
    await rm(folder, { recursive: true });
  }
}

async function measure(args: (string | number)[]): Promise<AnnotationUsage> {
  const child = fork(
    fileURLToPath(new URL('./support/annotate-child.ts', import.meta.url)),
    args.map(String),
  );
  const ended = once(child, 'exit').then(() => []);
  const [usage] = (await Promise.race([once(child, 'message'), ended])) as [AnnotationUsage?];
  if (!usage) throw new Error(`${args[0]} ended without a figure`);
  await ended;
  return usage;
}
