import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { StoredEntry } from '../sheet/xlsx/zip-parts.ts';

type NewEntry = { name: string; text: AsyncIterable<string> | Iterable<string> };
/** One file of an archive: a text that is produced while it is read, or an entry of another archive. */
export type ZipEntry = NewEntry | StoredEntry;

/** 1 January 1980, so that equal content gives equal archives. */
const dosDate = 0x0021;
/** Sizes follow the data; names are UTF-8. */
const flags = 0x0808;
const sizesFollow = 0x0008;
const deflated = 8;
const version = 20;
const largest = 0xffffffff;
/** A tenth larger than zlib's default, in a third of its time. */
const packing = { level: 3, chunkSize: 64 * 1024 };

type WrittenEntry = Omit<StoredEntry, 'path' | 'read'> & { offset: number };

/** Writes a zip archive as a stream; only a few numbers per entry stay in memory. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Uint8Array> {
  const written: WrittenEntry[] = [];
  let offset = 0;
  const count = (bytes: Buffer) => {
    offset += bytes.length;
    if (offset > largest) throw new Error('the archive is too large');
    return bytes;
  };
  for await (const source of entries) {
    // The sizes of a stored entry are known, so they need not follow the data.
    const entry =
      'read' in source
        ? { ...source, flags: source.flags & ~sizesFollow, offset }
        : { name: Buffer.from(source.name), flags, method: deflated, offset, crc: 0, packed: 0, size: 0 };
    yield count(localHead(entry));
    if ('read' in source) {
      for await (const bytes of source.read()) yield count(bytes);
    } else {
      for await (const bytes of deflate(source.text, entry)) yield count(bytes);
      yield count(record(0x08074b50, [], [entry.crc, entry.packed, entry.size], []));
    }
    written.push(entry);
  }
  const start = offset;
  for (const { name, offset: at, flags, method, crc, packed, size } of written) {
    const head = record(
      0x02014b50,
      [version, version, flags, method, 0, dosDate],
      [crc, packed, size],
      [name.length, 0, 0, 0, 0, 0, 0],
    );
    const place = Buffer.alloc(4);
    place.writeUInt32LE(at);
    yield count(Buffer.concat([head, place, name]));
  }
  const files = written.length;
  yield record(0x06054b50, [0, 0, files, files], [offset - start, start], [0]);
}

/** Returns the record before the data of an entry. */
function localHead({ name, flags, method, crc, packed, size }: WrittenEntry): Buffer {
  const shorts = [version, flags, method, 0, dosDate];
  return Buffer.concat([record(0x04034b50, shorts, [crc, packed, size], [name.length, 0]), name]);
}

/** Compresses a text; stores size and checksum on the entry. */
async function* deflate(text: NewEntry['text'], entry: WrittenEntry): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw(packing);
  async function* bytes() {
    for await (const part of text) {
      const chunk = Buffer.from(part);
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  }
  const fed = pipeline(bytes, packer);
  // The loop below throws its error.
  fed.catch(() => undefined);
  for await (const chunk of packer as AsyncIterable<Buffer>) {
    entry.packed += chunk.length;
    yield chunk;
  }
  await fed;
  if (entry.size > largest) throw new Error('a file of the archive is too large');
}

/** Returns a record of the archive: signature, then integers of two, four and two bytes. */
function record(signature: number, shorts: number[], longs: number[], lastShorts: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * shorts.length + 4 * longs.length + 2 * lastShorts.length);
  let at = bytes.writeUInt32LE(signature);
  for (const value of shorts) at = bytes.writeUInt16LE(value, at);
  for (const value of longs) at = bytes.writeUInt32LE(value, at);
  for (const value of lastShorts) at = bytes.writeUInt16LE(value, at);
  return bytes;
}
