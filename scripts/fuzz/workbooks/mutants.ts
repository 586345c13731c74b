import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { openCompoundFile } from '#server/sheet/xls/compound-file.ts';
import { withZip64Locator } from '#tests/support/sheets/make-workbook.ts';
import { root } from '../../run/paths.mjs';
import { changeNumbers, editList, findAll } from './edits.ts';
import { mutateCompound, mutateRecords } from './xls-mutants.ts';
import { mutateXml } from './xml-mutants.ts';

/** The structure that was changed. */
type Level = 'bytes' | 'zip' | 'xml' | 'compound' | 'records';
/** A changed workbook. */
export type Mutant = { level: Level; source: string; bytes: Buffer };

/** The maximum size of a part that is changed, in bytes. */
const maxPartBytes = 2 * 1024 * 1024;
const folder = join(root, 'tests', 'cases', 'sheets');

/** Mutants of the workbooks of tests/cases/sheets. */
export const mutants: fc.Arbitrary<Mutant> = fc.oneof(
  ...readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && !/\.(json|md)$/.test(file.name))
    .map(({ name }) => mutantsOf(name, readFileSync(join(folder, name)))),
);

function mutantsOf(source: string, bytes: Buffer): fc.Arbitrary<Mutant> {
  const of = (level: Level, changed: fc.Arbitrary<Buffer>) =>
    changed.map((made) => ({
      level,
      source,
      bytes: made,
      [fc.toStringMethod]: () => `${level} of ${source}`,
    }));
  const ways = [of('bytes', mutateBytes(bytes))];
  const magic = bytes.toString('hex', 0, 4);
  if (magic === '504b0304') {
    ways.push(of('zip', mutateZip(bytes)));
    // Three times as often, because most code of the reader is about XML.
    const parts = readParts(bytes);
    if (parts.size > 0) ways.push(...Array(3).fill(of('xml', mutateXml(parts))));
  }
  if (magic === 'd0cf11e0') {
    ways.push(of('compound', mutateCompound(bytes)));
    const book = readStream(bytes);
    if (book) ways.push(...Array(3).fill(of('records', mutateRecords(book.name, book.stream))));
  }
  return fc.oneof(...ways);
}

/** Changes bytes regardless of their meaning. */
function mutateBytes(bytes: Buffer): fc.Arbitrary<Buffer> {
  const blocks = Array.from({ length: Math.ceil(bytes.length / 64) }, (_, n) =>
    bytes.subarray(64 * n, 64 * n + 64),
  );
  const edited = editList<Uint8Array>(blocks, fc.uint8Array({ maxLength: 64 })).map((list) =>
    Buffer.concat(list),
  );
  const cut = fc.nat(bytes.length).map((end) => bytes.subarray(0, end));
  return fc.oneof(edited, cut, changeNumbers(bytes, [0], Math.max(1, bytes.length)));
}

/** Changes a zip file's own structure: sizes, offsets, counts, names, methods. */
function mutateZip(bytes: Buffer): fc.Arbitrary<Buffer> {
  const structures = ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06'].map((mark) => findAll(bytes, mark));
  const changed = structures
    .filter((offsets) => offsets.length > 0)
    .map((offsets) => changeNumbers(bytes, offsets, 58));
  const located = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((place) => withZip64Locator(bytes, place));
  return fc.oneof(...changed, located);
}

/** Returns the parts of a zip file; none if it is damaged or has a part over `maxPartBytes`. */
function readParts(bytes: Buffer): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  try {
    for (const at of findAll(bytes, 'PK\x01\x02')) {
      const local = bytes.readUInt32LE(at + 42);
      const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
      const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
      const isPacked = bytes.readUInt16LE(at + 10) === 8;
      const part = isPacked ? inflateRawSync(packed, { maxOutputLength: maxPartBytes }) : packed;
      parts.set(bytes.toString('utf8', at + 46, at + 46 + bytes.readUInt16LE(at + 28)), part);
    }
    return parts;
  } catch {
    return new Map();
  }
}

/** Returns the workbook's stream of an .xls file; nothing if it is damaged. */
function readStream(bytes: Buffer): { name: string; stream: Buffer } | undefined {
  try {
    const read = (start: number, length: number) => bytes.subarray(start, start + length);
    const file = openCompoundFile({ length: bytes.length, read });
    const name = ['Workbook', 'Book'].find((stream) => file.has(stream.toLowerCase()));
    if (!name) return undefined;
    const source = file.open(name.toLowerCase());
    return { name, stream: source.read(0, source.length) };
  } catch {
    return undefined;
  }
}
