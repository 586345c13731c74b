import { readFile, stat } from 'node:fs/promises';
import type { SheetCell } from '#shared/identifier.ts';
import { SharedCells } from '../shared-cells.ts';
import { SheetError } from '../sheet-error.ts';
import type { SheetOptions, SheetRow, TakeRows } from '../sheet-row.ts';
import { readCells } from './biff-cells.ts';
import { type BiffHead, listRecords, readHead } from './biff-records.ts';
import { readSharedStrings } from './biff-strings.ts';
import { openCompoundFile } from './compound-file.ts';

type Cells = Map<number, (SheetCell | { shared: number } | undefined)[]>;

const mostBytes = 512 * 1024 * 1024;
const rowsAtOnce = 1000;

/**
 * Reads the first visible worksheet of an .xls file (BIFF5 or BIFF8). The file is held in memory once, and of its
 * cells only those asked for.
 * @throws SheetError
 */
export async function readXls(path: string, options: SheetOptions, take: TakeRows): Promise<void> {
  const { size } = await stat(path);
  if (size > mostBytes) throw new SheetError('bomb', `an .xls file over ${mostBytes} bytes`);
  const file = openCompoundFile(await readFile(path));
  if (file.has('encryptedpackage')) throw new SheetError('encrypted', 'an encrypted .xlsx file');
  const name = ['workbook', 'book'].find((stream) => file.has(stream));
  if (!name) throw new SheetError('unsupported', 'a compound file without a workbook');
  const stream = file.read(name);
  const head = readHead(stream);
  const rows = resolveRows(collectCells(stream, head, options.columns), head);
  for (let i = 0; i < rows.length; i += rowsAtOnce) {
    options.signal?.throwIfAborted();
    await take(rows.slice(i, i + rowsAtOnce), head);
  }
}

function collectCells(stream: Buffer, head: BiffHead, columns: number): Cells {
  const rows: Cells = new Map();
  for (const { row, column, cell } of readCells(head, listRecords(stream, head.sheet))) {
    if (column >= columns) continue;
    const cells = rows.get(row) ?? [];
    cells[column] = cell;
    rows.set(row, cells);
  }
  return rows;
}

/** The rows in the order of the sheet, each shared string in its place. */
function resolveRows(found: Cells, head: BiffHead): SheetRow[] {
  const wanted = new Set<number>();
  for (const cells of found.values()) {
    for (const cell of cells) if (cell && 'shared' in cell) wanted.add(cell.shared);
  }
  const strings = head.sharedStrings
    ? readSharedStrings(head.sharedStrings, wanted)
    : new Map<number, string>();
  const shared = new SharedCells((index) => strings.get(index));
  const resolve = (cell: SheetCell | { shared: number } | undefined): SheetCell | undefined =>
    cell && 'shared' in cell ? shared.get(cell.shared) : cell;
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([row, cells]) => ({ row: row + 1, cells: cells.map(resolve) }));
}
