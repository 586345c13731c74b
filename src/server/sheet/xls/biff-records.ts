import { SheetError } from '../sheet-error.ts';

/** Record types of [MS-XLS] that matter here. */
export const recordType = {
  formula: 0x0006,
  eof: 0x000a,
  date1904: 0x0022,
  filePass: 0x002f,
  continue: 0x003c,
  codePage: 0x0042,
  boundSheet: 0x0085,
  multipleRk: 0x00bd,
  richString: 0x00d6,
  sharedStrings: 0x00fc,
  labelShared: 0x00fd,
  number: 0x0203,
  label: 0x0204,
  boolOrError: 0x0205,
  string: 0x0207,
  rk: 0x027e,
  bof: 0x0809,
} as const;

const headerBytes = 4;

/** One record: `data` are its bytes, `rest` those of the Continue records behind it. */
export type BiffRecord = { type: number; data: Buffer; rest: Buffer[] };

/**
 * Lists the records of the substream that begins at `start`, without those of substreams inside it (charts).
 * @throws SheetError 'corrupt' when it does not begin or end as it must
 */
export function* listRecords(stream: Buffer, start: number): Generator<BiffRecord> {
  let depth = 0;
  let current: BiffRecord | undefined;
  for (let at = start; at + headerBytes <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const end = at + headerBytes + stream.readUInt16LE(at + 2);
    if (end > stream.length || (at === start && type !== recordType.bof)) break;
    const data = stream.subarray(at + headerBytes, end);
    if (type === recordType.continue) {
      current?.rest.push(data);
    } else {
      if (current && depth === 1) yield current;
      if (type === recordType.bof) depth++;
      current = { type, data, rest: [] };
      if (type === recordType.eof && --depth === 0) return;
    }
    at = end;
  }
  throw new SheetError('corrupt', 'a workbook stream that ends too early');
}

/** What the head of a workbook stream tells. */
export type BiffHead = {
  /** BIFF8 holds Unicode and a table of shared strings, BIFF5 texts in a code page. */
  version: 5 | 8;
  /** Where the first visible worksheet begins, in the order of the tabs. */
  sheet: number;
  codePage: number;
  date1904: boolean;
  sharedStrings: BiffRecord | undefined;
};

const versions = new Map([
  [0x0500, 5 as const],
  [0x0600, 8 as const],
]);

/**
 * Reads the head of a workbook stream.
 * @throws SheetError 'unsupported' for other versions, 'encrypted' when a password locks it, 'corrupt'
 */
export function readHead(stream: Buffer): BiffHead {
  if (stream.length < 8 || stream.readUInt16LE(0) !== recordType.bof) {
    throw new SheetError('unsupported', 'a workbook stream of another kind');
  }
  const version = versions.get(stream.readUInt16LE(4));
  if (!version) throw new SheetError('unsupported', 'a workbook stream of another version');
  let sheet: number | undefined;
  const head: Omit<BiffHead, 'sheet'> = {
    version,
    codePage: 1252,
    date1904: false,
    sharedStrings: undefined,
  };
  for (const record of listRecords(stream, 0)) {
    const { type, data } = record;
    if (type === recordType.filePass) throw new SheetError('encrypted', 'an .xls file with a password');
    if (type === recordType.date1904) head.date1904 = data[0] === 1;
    if (type === recordType.codePage && data.length >= 2) head.codePage = data.readUInt16LE(0);
    if (type === recordType.sharedStrings) head.sharedStrings = record;
    if (type === recordType.boundSheet && data.length >= 6) {
      const visible = ((data[4] ?? 0) & 3) === 0;
      const worksheet = data[5] === 0;
      if (visible && worksheet) sheet ??= data.readUInt32LE(0);
    }
  }
  if (sheet === undefined) throw new SheetError('corrupt', 'no visible worksheet');
  return { ...head, sheet };
}
