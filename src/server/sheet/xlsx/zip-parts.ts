import { open } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { SheetError } from '../sheet-error.ts';
import { ZipFileReader } from './zip-file-reader.ts';

const maxEntries = 2000;
const maxInflatedBytes = 2 * 1024 ** 3;
/** Below this size in bytes any compression ratio is accepted. */
const unsuspectedBytes = 64 * 1024 ** 2;
const maxRatio = 200;
/**
 * The markup that any part may contain. Markup takes time even when it is short; a good sheet has less than one tag
 * per compressed byte.
 */
const unsuspectedMarkup = 6_000_000;
const maxMarkupPerByte = 2;
const chunkBytes = 128 * 1024;

/** An XML part, inflated piece by piece and never to disk. Detects bombs and damage. */
export type Part = {
  pieces: AsyncGenerator<Buffer, void>;
  /** The maximum number of tags and other pieces of markup for a part of this compressed size. */
  maxMarkup: number;
};

/** An entry of a zip file as it is stored. */
export type StoredEntry = {
  /** The path as in `Package`, in lower case. */
  path: string;
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  /** Sizes in bytes: compressed, and not. */
  packed: number;
  size: number;
  /** Reads the compressed bytes. */
  read(): AsyncGenerator<Buffer, void>;
};

/** The parts of an OOXML package, by path without a leading slash; case-insensitive. */
export type Package = {
  has(path: string): boolean;
  /** The size of a part as the package declares it; `read` enforces it. */
  sizeOf(path: string): number;
  read(path: string): Part;
  /** Lists all entries in their order, to be copied. */
  list(): StoredEntry[];
  close(): Promise<void>;
};

/**
 * Opens a zip file and lists its parts.
 * @throws SheetError when the list is damaged, too long, ambiguous or encrypted
 */
export async function openPackage(path: string): Promise<Package> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const options = { lazyEntries: true, autoClose: false };
    const zip = await fromRandomAccessReaderPromise(new ZipFileReader(file, size), size, options);
    const entries = await listEntries(zip);
    let inflated = 0;
    const find = (part: string) => {
      const entry = entries.get(part.toLowerCase());
      if (!entry) throw new SheetError('corrupt', `part ${part} is missing`);
      return entry;
    };
    return {
      has: (part) => entries.has(part.toLowerCase()),
      sizeOf: (part) => find(part).uncompressedSize,
      read(part) {
        const entry = find(part);
        inflated += entry.uncompressedSize;
        if (inflated > maxInflatedBytes) throw new SheetError('bomb', `more than ${maxInflatedBytes} bytes`);
        const maxMarkup = unsuspectedMarkup + entry.compressedSize * maxMarkupPerByte;
        return { pieces: readEntry(zip, entry), maxMarkup };
      },
      list: () => Array.from(entries, ([path, entry]) => describeEntry(zip, path, entry)),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw new SheetError('bomb', `more than ${maxEntries} entries`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.toLowerCase();
    if (entries.has(path)) throw new SheetError('corrupt', `two entries named ${entry.fileName}`);
    entries.set(path, entry);
  }
  return entries;
}

function describeEntry(zip: ZipFile, path: string, entry: Entry): StoredEntry {
  return {
    path,
    name: entry.fileNameRaw,
    flags: entry.generalPurposeBitFlag,
    method: entry.compressionMethod,
    crc: entry.crc32,
    packed: entry.compressedSize,
    size: entry.uncompressedSize,
    async *read() {
      const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
      yield* raw as AsyncIterable<Buffer>;
    },
  };
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void> {
  const { uncompressedSize: declared, compressedSize } = entry;
  if (entry.isEncrypted()) throw new SheetError('encrypted', 'an encrypted zip entry');
  if (!entry.canDecodeFileData()) throw new SheetError('corrupt', 'an unknown compression method');
  if (declared > unsuspectedBytes && declared > compressedSize * maxRatio) {
    throw new SheetError('bomb', `${compressedSize} bytes declare ${declared}`);
  }
  const raw = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  const inflate = createInflateRaw({ chunkSize: chunkBytes });
  raw.on('error', (error) => inflate.destroy(error));
  const source = entry.compressionMethod === 8 ? raw.pipe(inflate) : raw;
  let size = 0;
  let checksum = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > declared) throw new SheetError('bomb', `more than the declared ${declared} bytes`);
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } finally {
    raw.destroy();
    inflate.destroy();
  }
  if (size !== declared || checksum !== entry.crc32)
    throw new SheetError('corrupt', 'wrong size or checksum');
}
