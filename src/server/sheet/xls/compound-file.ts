import { SheetError } from '../sheet-error.ts';

/** The streams of a compound file (the container of .xls and of encrypted .xlsx), by their lower-case name. */
export type CompoundFile = { has(name: string): boolean; read(name: string): Buffer };

type Stream = { start: number; size: number };

const endOfChain = 0xfffffffe;
const headerBytes = 512;
const difatInHeader = 109;
const entryBytes = 128;
const storage = 1;
const root = 5;

/**
 * Opens a compound file that is in memory. Every chain of sectors is followed with a bound, so that a cyclic one
 * ends as damage.
 * @throws SheetError 'corrupt'
 */
export function openCompoundFile(bytes: Buffer): CompoundFile {
  if (bytes.length < headerBytes) throw new SheetError('corrupt', 'a compound file without header');
  const sectorShift = bytes.readUInt16LE(30);
  const miniShift = bytes.readUInt16LE(32);
  if ((sectorShift !== 9 && sectorShift !== 12) || miniShift !== 6) {
    throw new SheetError('corrupt', 'a compound file with odd sectors');
  }
  const sectors = new Sectors(bytes, 1, sectorShift);
  const fat = sectors.readTable(listFatSectors(bytes, sectors));
  const follow = (start: number) => followChain(fat, start);
  const directory = sectors.join(follow(bytes.readUInt32LE(48)));
  const { streams, mini } = readDirectory(directory);
  const miniCutoff = bytes.readUInt32LE(56);
  const read = (stream: Stream) => sectors.join(follow(stream.start), stream.size);
  const readMini = (stream: Stream) => {
    const miniFat = sectors.readTable(follow(bytes.readUInt32LE(60)));
    return new Sectors(read(mini), 0, miniShift).join(followChain(miniFat, stream.start), stream.size);
  };
  return {
    has: (name) => streams.has(name),
    read(name) {
      const stream = streams.get(name);
      if (!stream) throw new SheetError('corrupt', `no stream ${name}`);
      return stream.size < miniCutoff ? readMini(stream) : read(stream);
    },
  };
}

/** Equal pieces of some bytes; `skip` of them come before number 0. */
class Sectors {
  #bytes: Buffer;
  #skip: number;
  #shift: number;

  constructor(bytes: Buffer, skip: number, shift: number) {
    this.#bytes = bytes;
    this.#skip = skip;
    this.#shift = shift;
  }

  read(sector: number, most = 2 ** this.#shift): Buffer {
    const start = this.#startOf(sector);
    return this.#bytes.subarray(start, start + Math.min(most, 2 ** this.#shift));
  }

  #startOf(sector: number): number {
    return (sector + this.#skip) * 2 ** this.#shift;
  }

  /** The first `size` bytes of some sectors (all without it), which must be there. */
  join(sectors: number[], size = sectors.length * 2 ** this.#shift): Buffer {
    const needed = sectors.slice(0, Math.ceil(size / 2 ** this.#shift));
    const first = needed[0] ?? 0;
    const promised = needed.length * 2 ** this.#shift;
    // Most files lie in one piece, which then needs no copy.
    const joined = needed.every((sector, i) => sector === first + i)
      ? this.#bytes.subarray(this.#startOf(first), this.#startOf(first) + size)
      : Buffer.concat(needed.map((sector, i) => this.read(sector, size - i * 2 ** this.#shift)));
    if (promised < size || joined.length !== size)
      throw new SheetError('corrupt', 'a compound file that was cut off');
    return joined;
  }

  readTable(sectors: number[]): Uint32Array {
    const bytes = this.join(sectors);
    return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32LE(i * 4));
  }
}

function listFatSectors(header: Buffer, sectors: Sectors): number[] {
  const count = header.readUInt32LE(44);
  if (count * headerBytes > header.length)
    throw new SheetError('corrupt', 'a compound file that was cut off');
  const list: number[] = [];
  for (let i = 0; i < difatInHeader && list.length < count; i++) list.push(header.readUInt32LE(76 + i * 4));
  let next = header.readUInt32LE(68);
  while (list.length < count) {
    const sector = sectors.read(next);
    if (sector.length < headerBytes) throw new SheetError('corrupt', 'a compound file that was cut off');
    const entries = sector.length / 4 - 1;
    for (let i = 0; i < entries && list.length < count; i++) list.push(sector.readUInt32LE(i * 4));
    next = sector.readUInt32LE(entries * 4);
  }
  return list;
}

function followChain(table: Uint32Array, start: number): number[] {
  const chain: number[] = [];
  for (let sector = start; sector !== endOfChain; sector = table[sector] ?? endOfChain) {
    if (sector >= table.length || chain.length >= table.length) {
      throw new SheetError('corrupt', 'a compound file with a broken chain');
    }
    chain.push(sector);
  }
  return chain;
}

function readDirectory(directory: Buffer): { streams: Map<string, Stream>; mini: Stream } {
  const streams = new Map<string, Stream>();
  let mini = { start: endOfChain, size: 0 };
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const nameBytes = Math.min(directory.readUInt16LE(at + 64), 64);
    const type = directory[at + 66];
    const stream = { start: directory.readUInt32LE(at + 116), size: directory.readUInt32LE(at + 120) };
    if (type === root) mini = stream;
    if (nameBytes < 2 || type === root || type === storage) continue;
    const name = directory.toString('utf16le', at, at + nameBytes - 2).toLowerCase();
    if (!streams.has(name)) streams.set(name, stream);
  }
  return { streams, mini };
}
