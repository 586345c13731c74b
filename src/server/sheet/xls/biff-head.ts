import { SheetError } from '../sheet-error.ts';
import { listRecords, recordType } from './biff-records.ts';
import { readText } from './biff-strings.ts';
import type { ByteSource } from './byte-source.ts';

/** The globals of a workbook stream, before its worksheets. */
export type BiffHead = {
  /** BIFF8 has Unicode and a table of shared strings, BIFF5 texts in a code page. */
  version: 5 | 8;
  /** The names and offsets of the visible worksheets, by order of the tabs. */
  sheets: { name: string; at: number }[];
  codePage: number;
  date1904: boolean;
  /** The offset of the table of shared strings. It may be as large as the file, so it is never held in memory. */
  sharedStrings: number | undefined;
};

const versions = new Map([
  [0x0500, 5 as const],
  [0x0600, 8 as const],
]);

/**
 * Reads the globals of a workbook stream.
 * @throws SheetError 'unsupported' for other versions, 'encrypted' for a password, 'corrupt'
 */
export function readHead(stream: ByteSource): BiffHead {
  const start = stream.read(0, Math.min(stream.length, 8));
  if (start.length < 8 || start.readUInt16LE(0) !== recordType.bof) {
    throw new SheetError('unsupported', 'a workbook stream of another kind');
  }
  const version = versions.get(start.readUInt16LE(4));
  if (!version) throw new SheetError('unsupported', 'a workbook stream of another version');
  const head: BiffHead = {
    version,
    sheets: [],
    codePage: 1252,
    date1904: false,
    sharedStrings: undefined,
  };
  for (const record of listRecords(stream, 0)) {
    const { type, data } = record;
    if (type === recordType.filePass) throw new SheetError('encrypted', 'an .xls file with a password');
    if (type === recordType.date1904) head.date1904 = data[0] === 1;
    if (type === recordType.codePage && data.length >= 2) head.codePage = data.readUInt16LE(0);
    if (type === recordType.sharedStrings) head.sharedStrings = record.at;
    if (type === recordType.boundSheet && data.length >= 8) {
      const visible = ((data[4] ?? 0) & 3) === 0;
      const worksheet = data[5] === 0;
      if (visible && worksheet)
        head.sheets.push({ name: readText(head, record, 6, 1), at: data.readUInt32LE(0) });
    }
  }
  if (head.sheets.length === 0) throw new SheetError('corrupt', 'no visible worksheet');
  return head;
}
