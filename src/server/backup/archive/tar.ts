import { ByteReader } from './byte-reader.ts';

/** A file of a tar archive. */
export type TarEntry = { name: string; content: Buffer };

const blockBytes = 512;
/** More than any file that a backup has. A damaged size must not take the memory. */
const maxEntryBytes = 64 * 1024 * 1024;
const maxNameBytes = 100;
const sum = { from: 148, to: 156 };

/** The two empty blocks at the end of an archive. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

/** Returns one file as a tar archive has it (POSIX ustar): a header, the content, and zeros up to a whole block. */
export function toTarEntry({ name, content }: TarEntry): Buffer {
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new Error(`the name ${name} is too long for a tar archive`);
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0);
  header.write('0000600\0', 100); // mode
  header.write('0000000\0', 108); // user
  header.write('0000000\0', 116); // group
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136); // time of change
  header.write('0', 156); // a plain file
  header.write('ustar\x0000', 257);
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, sum.from);
  return Buffer.concat([header, content, Buffer.alloc(paddingOf(content.length))]);
}

/**
 * Reads the files of an archive that `toTarEntry` and `tarEnd` made.
 * @throws Error for anything else
 */
export async function* readTar(input: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(input);
  for (;;) {
    const header = await reader.read(blockBytes);
    if (header.length < blockBytes) throw new Error('the archive has no end');
    if (header.every((byte) => byte === 0)) break;
    if (numberAt(header, sum.from, sum.to) !== checksumOf(header))
      throw new Error('a header has another checksum');
    const bytes = numberAt(header, 124, 136);
    if (!(bytes <= maxEntryBytes)) throw new Error('a file of the archive is too large');
    const content = await reader.read(bytes);
    const padding = await reader.read(paddingOf(bytes));
    if (content.length < bytes || padding.length < paddingOf(bytes))
      throw new Error('the archive has no end');
    yield { name: textAt(header, 0, maxNameBytes), content };
  }
  // To the end of the stream, where compression and encryption check that it is complete.
  while ((await reader.read(blockBytes)).length > 0);
}

function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** Returns the sum of a header's bytes, with spaces in place of the sum itself. */
function checksumOf(header: Buffer): number {
  const spaces = ' '.charCodeAt(0);
  return header.reduce((total, byte, at) => total + (at >= sum.from && at < sum.to ? spaces : byte), 0);
}

function textAt(header: Buffer, from: number, to: number): string {
  return header.toString('utf8', from, to).replace(/\0.*$/s, '');
}

function numberAt(header: Buffer, from: number, to: number): number {
  return Number.parseInt(textAt(header, from, to), 8);
}
