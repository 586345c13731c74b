import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ExcelJS from 'exceljs';
import { from as copyFrom } from 'pg-copy-streams';
import { readSheet } from '../src/server/sheet/read-sheet.ts';
import { createTestApi, type TestApi } from '../tests/support/api/api.ts';
import { createUser } from '../tests/support/api/factories.ts';
import type { Bench, Row } from './support/bench.ts';
import { writeSheet } from './support/large-sheet.ts';
import { compare, cpuSeconds, sendCall, timeMs } from './support/measure.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = 3;

/** Compares reading column A of a large sheet with exceljs, and an import with a scan and one COPY. */
export const bench: Bench = { title: `Column A of a sheet of ${rows} rows and ten columns`, run };

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-files-'));
  const file = join(folder, 'sheet.xlsx');
  try {
    await writeSheet(file, rows);
    const countAll = (count: typeof countOurs) => () =>
      cpuSeconds(async () => {
        const found = await count(file);
        if (found !== rows) throw new Error(`${found} rows instead of ${rows}`);
      });
    const cpu = await compare(rounds, countAll(countOurs), countAll(countByExceljs));
    return [
      { what: 'CPU of the process', unit: 's', beside: 'exceljs, streaming', maxRatio: 0.45, ...cpu },
      await compareImports(file),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Compares an upload with a scan of the sheet and a COPY into a table with a primary key. */
async function compareImports(file: string): Promise<Row> {
  const api = await createTestApi({ MAX_UPLOAD_MB: '500' });
  try {
    const { token } = await createUser(api);
    const upload = { field: 'excel', name: 'sheet.xlsx', content: await readFile(file) };
    const times = await compare(
      rounds,
      () => timeMs(() => sendCall(api, 'POST /api/data/upload', { token, file: upload })),
      () => timeMs(() => scanAndCopy(api, file)),
    );
    return { what: 'import', unit: 'ms', beside: 'scan and keyed COPY', maxRatio: 5, ...times };
  } finally {
    await api.close();
  }
}

async function scanAndCopy({ context }: TestApi, file: string): Promise<void> {
  const lines: string[] = [];
  await readSheet(file, { columns: 1, maxRows: rows }, (some) => {
    lines.push(some.map(({ row, cells }) => `1\t${row}\t${cells[0]?.text}\n`).join(''));
  });
  const client = await context.db.connect();
  try {
    await client.query(
      'CREATE TABLE copied (ticket integer, position integer, serial text, PRIMARY KEY (ticket, position))',
    );
    await pipeline(Readable.from(lines), client.query(copyFrom('COPY copied FROM STDIN')));
    await client.query('DROP TABLE copied');
  } finally {
    client.release();
  }
}

async function countOurs(file: string): Promise<number> {
  let found = 0;
  await readSheet(file, { columns: 1, maxRows: rows }, (some) => {
    found += some.length;
  });
  return found;
}

async function countByExceljs(file: string): Promise<number> {
  let found = 0;
  for await (const sheet of new ExcelJS.stream.xlsx.WorkbookReader(file, { styles: 'ignore' })) {
    for await (const row of sheet) if (row.getCell(1).value) found += 1;
  }
  return found;
}
