import { SheetError } from '../sheet-error.ts';

type BiffRecord = { type: number; at: number; end: number };

/** Record types of [MS-XLS] that matter here. */
const type = {
  bof: 0x0809,
  eof: 0x000a,
  filePass: 0x002f,
  date1904: 0x0022,
  codePage: 0x0042,
  boundSheet: 0x0085,
  sharedStrings: 0x00fc,
  continue: 0x003c,
  string: 0x0207,
} as const;

const globals = new Set<number>([type.bof, type.codePage, type.date1904, type.sharedStrings, type.eof]);
/** Formula, BoolErr, Number, LabelSst, Label, RString, RK, MulRk: each begins with row and column. */
const cells = new Set([0x0006, 0x0205, 0x0203, 0x00fd, 0x0204, 0x00d6, 0x027e, 0x00bd]);
/** BIFF5 and BIFF8, as their BOF record says. */
const versions = new Set([0x0500, 0x0600]);
const headerBytes = 4;

/**
 * Cuts a workbook stream down to its first visible worksheet (in the order of the tabs) and to the cells of the
 * columns wanted, so that the reader behind meets nothing else of what a hostile file may hold.
 * @throws SheetError 'unsupported', 'encrypted', or 'corrupt' for streams that end too early
 */
export function extractSheet(stream: Buffer, columns: number): { workbook: Buffer; date1904: boolean } {
  if (stream.length < 8 || stream.readUInt16LE(0) !== type.bof || !versions.has(stream.readUInt16LE(4))) {
    throw new SheetError('unsupported', 'a workbook stream of another version');
  }
  let position: number | undefined;
  let boundSheet = Buffer.alloc(0);
  let date1904 = false;
  const head: Buffer[] = [];
  for (const record of listRecords(stream, 0)) {
    const bytes = stream.subarray(record.at, record.end);
    if (record.type === type.filePass) throw new SheetError('encrypted', 'an .xls file with a password');
    if (record.type === type.date1904) date1904 = bytes[headerBytes] === 1;
    if (record.type === type.boundSheet && bytes.length >= 12 && position === undefined) {
      const visible = ((bytes[8] ?? 0) & 3) === 0;
      const worksheet = bytes[9] === 0;
      if (visible && worksheet) {
        position = bytes.readUInt32LE(headerBytes);
        boundSheet = Buffer.from(bytes);
        head.push(boundSheet);
      }
    }
    if (globals.has(record.type) || record.follows === type.sharedStrings) head.push(bytes);
  }
  if (position === undefined) throw new SheetError('corrupt', 'no visible worksheet');
  const rows = collectCells(stream, position, columns);
  boundSheet.writeUInt32LE(
    head.reduce((sum, bytes) => sum + bytes.length, 0),
    headerBytes,
  );
  return { workbook: Buffer.concat([...head, ...rows]), date1904 };
}

function collectCells(stream: Buffer, position: number, columns: number): Buffer[] {
  const kept: Buffer[] = [];
  let keep = false;
  for (const record of listRecords(stream, position)) {
    const bytes = stream.subarray(record.at, record.end);
    if (cells.has(record.type)) keep = bytes.length >= 8 && bytes.readUInt16LE(6) < columns;
    // The text of a formula follows it, and a long text goes on in the next record.
    else if (record.type === type.bof || record.type === type.eof) keep = true;
    else if (record.type !== type.string && record.type !== type.continue) continue;
    if (keep) kept.push(bytes);
  }
  return kept;
}

/**
 * The records of one substream without those of substreams inside; `follows` is the type of the record that a
 * Continue record continues.
 */
function* listRecords(
  stream: Buffer,
  start: number,
): Generator<BiffRecord & { follows: number | undefined }> {
  let depth = 0;
  let follows: number | undefined;
  for (let at = start; at + headerBytes <= stream.length; ) {
    const record = stream.readUInt16LE(at);
    const end = at + headerBytes + stream.readUInt16LE(at + 2);
    if (end > stream.length || (at === start && record !== type.bof)) break;
    if (record === type.bof) depth++;
    if (depth === 1) {
      if (record !== type.continue) follows = record;
      yield { type: record, at, end, follows: record === type.continue ? follows : undefined };
    }
    if (record === type.eof && --depth === 0) return;
    at = end;
  }
  throw new SheetError('corrupt', 'a workbook stream that ends too early');
}
