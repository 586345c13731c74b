import { SheetError } from '../sheet-error.ts';
import { type ByteSource, cutOff } from './byte-source.ts';

const endOfChain = 0xfffffffe;

/** The sectors of a byte source: pieces of equal size. `skip` of them precede sector 0. */
export class Sectors {
  readonly size: number;
  /** The number of sectors; the last may be truncated. */
  readonly count: number;
  readonly #bytes: ByteSource;
  readonly #skip: number;

  constructor(bytes: ByteSource, skip: number, size: number) {
    this.#bytes = bytes;
    this.#skip = skip;
    this.size = size;
    this.count = Math.max(0, Math.ceil(bytes.length / size) - skip);
  }

  read(sector: number): Buffer {
    return this.#bytes.read((sector + this.#skip) * this.size, this.size);
  }

  /**
   * Lists the sectors of a chain.
   * @throws SheetError for a chain that leaves the file or loops
   */
  follow(table: Uint32Array, start: number): Uint32Array {
    const most = Math.min(table.length, this.count);
    const chain = new Uint32Array(most);
    let length = 0;
    for (let sector = start; sector !== endOfChain; sector = table[sector] ?? endOfChain) {
      if (sector >= most || length >= most) {
        throw new SheetError('corrupt', 'a compound file with a broken chain');
      }
      chain[length++] = sector;
    }
    return chain.slice(0, length);
  }

  /** Returns the first `length` bytes of these sectors, in order, as one source. */
  join(sectors: Uint32Array, length: number): ByteSource {
    if (length > sectors.length * this.size) throw cutOff();
    return {
      length,
      read: (start, count) => {
        if (start + count > length) throw cutOff();
        const pieces: Buffer[] = [];
        for (let done = 0; done < count; ) {
          const piece = this.#readRun(sectors, start + done, count - done);
          pieces.push(piece);
          done += piece.length;
        }
        const [only] = pieces;
        return only && pieces.length === 1 ? only : Buffer.concat(pieces);
      },
    };
  }

  #readRun(sectors: Uint32Array, start: number, wanted: number): Buffer {
    const index = Math.floor(start / this.size);
    const within = start % this.size;
    const first = sectors[index] ?? 0;
    let run = 1;
    while (run * this.size - within < wanted && sectors[index + run] === first + run) run++;
    const place = (first + this.#skip) * this.size + within;
    return this.#bytes.read(place, Math.min(wanted, run * this.size - within));
  }

  readTable(sectors: Uint32Array): Uint32Array {
    const table = new Uint32Array((sectors.length * this.size) / 4);
    let at = 0;
    for (const sector of sectors) {
      const bytes = this.read(sector);
      for (let i = 0; i < bytes.length; i += 4) table[at++] = bytes.readUInt32LE(i);
    }
    return table;
  }
}
