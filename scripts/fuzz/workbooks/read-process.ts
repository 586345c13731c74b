// Reads the files that it is told, one after the other, as an import does, and tells what each did to the process.
import { ColumnReader } from '#features/imports/server/reading/column-reader.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { SheetError } from '#server/sheet/sheet-error.ts';
import { peakMegabytes } from '#tests/support/peak-memory.ts';

/** What reading one file came to. */
export type Reading = {
  /** 'rows', or why it is refused. */
  end: string;
  rows: number;
  cpuMs: number;
  /** The most memory that the process ever had. */
  megabytes: number;
  faults: string[];
};

const maxRows = 1_048_576;
const longestText = 65_536;

async function read(path: string, columns: number): Promise<Reading> {
  const began = process.cpuUsage();
  const faults = new Set<string>();
  const column = new ColumnReader(1_000_000);
  let last = 0;
  const end = await readSheet(path, { columns, maxRows: 1_000_000 }, (rows) => {
    for (const { row, cells } of rows) {
      if (row <= last || row > maxRows) faults.add(`row ${row} after row ${last}`);
      if (cells.length > columns) faults.add(`${cells.length} columns instead of ${columns}`);
      if (cells.some((cell) => cell && cell.text.length > longestText))
        faults.add('a text beyond all bounds');
      last = row;
    }
    for (const { serial, position } of column.read(rows).imported) {
      if (!serial.isWellFormed() || serial.includes('\0')) faults.add(`row ${position} cannot be stored`);
    }
  }).then(
    () => 'rows',
    (error: unknown) => judge(error, faults),
  );
  const { user, system } = process.cpuUsage(began);
  return {
    end,
    rows: column.cells,
    cpuMs: (user + system) / 1000,
    megabytes: peakMegabytes(),
    faults: [...faults],
  };
}

/** Whether a refusal is one of ours: a mistake in the code also ends as a damaged file. */
function judge(error: unknown, faults: Set<string>): string {
  const cause = error instanceof SheetError ? error.cause : error;
  // A number that lies outside of a buffer is how a cut file shows.
  const expected = (cause as NodeJS.ErrnoException)?.code?.startsWith('ERR_') ?? false;
  const mistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((kind) => cause instanceof kind);
  if (mistake && !expected) faults.add(`a mistake in the code: ${(cause as Error).stack}`);
  return error instanceof SheetError ? error.fault : 'another error';
}

process.on('uncaughtException', (error) => tell({ uncaught: String(error.stack) }));
process.on('warning', (warning) => tell({ uncaught: `warning: ${warning.message}` }));
process.on('message', async ({ path, columns }: { path: string; columns: number }) => {
  tell({ reading: await read(path, columns) });
});

/** What the process tells: a reading for each file, and between them what nobody caught. */
export type Told = { reading: Reading } | { uncaught: string };

function tell(told: Told): void {
  process.send?.(told);
}
