import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { readSheet } from '../src/server/sheet/read-sheet.ts';
import { makeImeis } from '../tests/support/sheets/devices.ts';
import { type Bench, median, type Row } from './support/bench.ts';

const rows = Number(process.env.BENCH_ROWS ?? 1_000_000);
const rounds = 3;

/** What does reading column A of a large sheet cost, beside exceljs reading it as a stream? */
export const bench: Bench = { title: `Column A of a sheet of ${rows} rows and ten columns`, run };

async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-files-'));
  const file = join(folder, 'sheet.xlsx');
  try {
    await writeSheet(file);
    const seconds: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      for (const [i, count] of [countOurs, countByExceljs].entries()) {
        const before = process.cpuUsage();
        const found = await count(file);
        if (found !== rows) throw new Error(`${found} rows instead of ${rows}`);
        const { user, system } = process.cpuUsage(before);
        seconds[i]?.push((user + system) / 1e6);
      }
    }
    return [
      {
        ...{ what: 'CPU of the process', unit: 's', measured: median(seconds[0]) },
        ...{ beside: 'exceljs, streaming', reference: median(seconds[1]), mostRatio: 0.45 },
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
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

async function writeSheet(file: string): Promise<void> {
  const stream = createWriteStream(file);
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ stream, useStyles: false, useSharedStrings: false });
  const sheet = book.addWorksheet('Devices');
  for (const [i, imei] of makeImeis(rows).entries()) {
    const device = [imei, 'iPhone 15 Pro', `Store ${i % 97}`, i % 10, 1234.5 + (i % 50)];
    sheet.addRow([...device, 45_000 + (i % 900), `note & ${i}`, 'Jakarta', `C-${i}`, i % 2 === 0]).commit();
  }
  await book.commit();
}
