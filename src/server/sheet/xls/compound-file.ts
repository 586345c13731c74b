import { SheetError } from '../sheet-error.ts';
import { type ByteSource, cutOff } from './byte-source.ts';
import { Sectors } from './sectors.ts';

/** The streams in the root of a compound file (the container of .xls and encrypted .xlsx), by lower-case name. */
export type CompoundFile = { has(name: string): boolean; open(name: string): ByteSource };

type Stream = { start: number; size: number };

const headerBytes = 512;
const difatInHeader = 109;
const entryBytes = 128;
const miniShift = 6;
/** Smaller streams lie in mini sectors; the format allows no other threshold. */
const miniCutoff = 4096;
const maxDirectoryBytes = 1024 * 1024;
const streamType = 2;
/** The entry of the root is the first, and begins at this byte. */
const root = 0;

/**
 * Opens a compound file. Declared sizes and counts are checked against the file, and a chain never visits a sector
 * twice.
 * @throws SheetError 'corrupt'
 */
export function openCompoundFile(bytes: ByteSource): CompoundFile {
  if (bytes.length < headerBytes) throw new SheetError('corrupt', 'a compound file without header');
  const header = bytes.read(0, headerBytes);
  const sectorShift = header.readUInt16LE(30);
  if ((sectorShift !== 9 && sectorShift !== 12) || header.readUInt16LE(32) !== miniShift) {
    throw new SheetError('corrupt', 'a compound file with an invalid sector size');
  }
  const sectors = new Sectors(bytes, 1, 2 ** sectorShift);
  const table = sectors.readTable(listTableSectors(header, sectors));
  const openChain = (start: number, size?: number) => {
    const chain = sectors.follow(table, start);
    return sectors.join(chain, size ?? chain.length * sectors.size);
  };
  const directory = openChain(header.readUInt32LE(48));
  if (directory.length > maxDirectoryBytes) throw new SheetError('bomb', 'a directory that is too large');
  const { streams, mini } = readDirectory(directory.read(0, directory.length));
  const openSmall = (stream: Stream) => {
    const small = new Sectors(openChain(mini.start, mini.size), 0, 2 ** miniShift);
    const smallTable = sectors.readTable(sectors.follow(table, header.readUInt32LE(60)));
    return small.join(small.follow(smallTable, stream.start), stream.size);
  };
  return {
    has: (name) => streams.has(name),
    open(name) {
      const stream = streams.get(name);
      if (!stream) throw new SheetError('corrupt', `no stream ${name}`);
      return stream.size < miniCutoff ? openSmall(stream) : openChain(stream.start, stream.size);
    },
  };
}

/** Lists the sectors of the allocation table: the first in the header, more in a chain of sectors. */
function listTableSectors(header: Buffer, sectors: Sectors): Uint32Array {
  const count = header.readUInt32LE(44);
  // Each sector of the table describes many other sectors.
  if (count > sectors.count) throw cutOff();
  const list = new Uint32Array(count);
  const visited = new Set<number>();
  let length = 0;
  const add = (sector: number) => {
    if (sector >= sectors.count) throw cutOff();
    if (visited.has(sector))
      throw new SheetError('corrupt', 'a compound file whose table names a sector twice');
    visited.add(sector);
    list[length++] = sector;
  };
  for (let i = 0; i < difatInHeader && length < count; i++) add(header.readUInt32LE(76 + i * 4));
  let next = header.readUInt32LE(68);
  while (length < count) {
    if (next >= sectors.count) throw cutOff();
    const sector = sectors.read(next);
    const entries = sector.length / 4 - 1;
    for (let i = 0; i < entries && length < count; i++) add(sector.readUInt32LE(i * 4));
    next = sector.readUInt32LE(entries * 4);
  }
  return list;
}

/**
 * Lists the streams of the root, which are a tree of entries. Those of storages are left out: they belong to other documents
 * within the file.
 */
function readDirectory(directory: Buffer): { streams: Map<string, Stream>; mini: Stream } {
  const streams = new Map<string, Stream>();
  const visited = new Set([root]);
  const found = [directory.readUInt32LE(root + 76)];
  for (let entry = found.pop(); entry !== undefined; entry = found.pop()) {
    const at = entry * entryBytes;
    if (visited.has(entry) || at + entryBytes > directory.length) continue;
    visited.add(entry);
    found.push(directory.readUInt32LE(at + 68), directory.readUInt32LE(at + 72));
    const nameBytes = Math.min(directory.readUInt16LE(at + 64), 64);
    if (nameBytes < 2 || directory[at + 66] !== streamType) continue;
    const name = directory.toString('utf16le', at, at + nameBytes - 2).toLowerCase();
    if (!streams.has(name)) streams.set(name, readStream(directory, at));
  }
  return { streams, mini: readStream(directory, root) };
}

function readStream(directory: Buffer, at: number): Stream {
  return { start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) };
}
