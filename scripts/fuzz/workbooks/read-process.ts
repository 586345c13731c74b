// Reads the files whose paths it is sent, as an import does, and sends the result of each to its parent.
import { ColumnReader } from '#features/imports/server/reading/column-reader.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { SheetError } from '#server/sheet/sheet-error.ts';
import { peakMegabytes } from '#tests/support/peak-memory.ts';

/** The result of reading one file. */
export type Reading = {
  /** 'rows', or the reason of the refusal. */
  end: string;
  rows: number;
  cpuMs: number;
  /** The peak memory of the process since its start. */
  megabytes: number;
  faults: string[];
};

const maxRows = 1_048_576;
const maxTextLength = 65_536;

async function read(path: string, columns: number): Promise<Reading> {
  const began = process.cpuUsage();
  const faults = new Set<string>();
  const column = new ColumnReader(1_000_000);
  let last = 0;
  const end = await readSheet(path, { columns, maxRows: 1_000_000 }, (rows) => {
    for (const { row, cells } of rows) {
      if (row <= last || row > maxRows) faults.add(`row ${row} after row ${last}`);
      if (cells.length > columns) faults.add(`${cells.length} columns instead of ${columns}`);
      if (cells.some((cell) => cell && cell.text.length > maxTextLength))
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

/** Names the reason of a refusal. A mistake in the code, which `readSheet` reports as a damaged file, is a fault. */
function judge(error: unknown, faults: Set<string>): string {
  const cause = error instanceof SheetError ? error.cause : error;
  // In a truncated file, a read beyond the end of a buffer is expected (ERR_OUT_OF_RANGE).
  const expected = (cause as NodeJS.ErrnoException)?.code?.startsWith('ERR_') ?? false;
  const mistake = [TypeError, ReferenceError, SyntaxError, RangeError].some((kind) => cause instanceof kind);
  if (mistake && !expected) faults.add(`a mistake in the code: ${(cause as Error).stack}`);
  return error instanceof SheetError ? error.fault : 'another error';
}

process.on('uncaughtException', (error) => send({ uncaught: String(error.stack) }));
process.on('warning', (warning) => send({ uncaught: `warning: ${warning.message}` }));
process.on('message', async ({ path, columns }: { path: string; columns: number }) => {
  send({ reading: await read(path, columns) });
});

/** A message to the parent: the result of a file, or an error that nothing caught. */
export type Message = { reading: Reading } | { uncaught: string };

function send(message: Message): void {
  process.send?.(message);
}
