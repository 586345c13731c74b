import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { BackupError } from '../backup-error.ts';
import { ByteReader } from './byte-reader.ts';

/**
 * An encrypted backup: a header (magic, salt, the first 7 bytes of every nonce), an empty chunk that proves the key, then
 * chunks of 64 KiB, each with its tag (AES-256-GCM). The other bytes of a nonce are the chunk's number and whether it is
 * the last (the STREAM construction), so that no chunk can be changed, moved, left out or cut off.
 */
const magic = Buffer.from('CVDBACK1');
const saltBytes = 16;
const prefixBytes = 7;
const headerBytes = magic.length + saltBytes + prefixBytes;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** About 100 ms and 32 MB for each guess of a key. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

type Sealing = { key: Buffer; header: Buffer };

/** Encrypts a stream with a key that scrypt derives from `password`. */
export async function* encrypt(input: AsyncIterable<Buffer>, password: string): AsyncGenerator<Buffer> {
  const header = Buffer.concat([magic, randomBytes(saltBytes + prefixBytes)]);
  const sealing = await openHeader(header, password);
  yield header;
  yield seal(sealing, 0, false, Buffer.alloc(0));
  const reader = new ByteReader(input);
  let chunk = await reader.read(chunkBytes);
  for (let number = 1; ; number++) {
    const next = await reader.read(chunkBytes);
    const isLast = next.length === 0;
    yield seal(sealing, number, isLast, chunk);
    if (isLast) return;
    chunk = next;
  }
}

/** Returns whether a file begins as `encrypt` begins it. */
export function isEncrypted(beginning: Buffer): boolean {
  return beginning.subarray(0, magic.length).equals(magic);
}

/**
 * Decrypts a stream that `encrypt` made.
 * @throws BackupError with another password, or if the stream was changed or cut off
 */
export async function* decrypt(input: AsyncIterable<Buffer>, password: string): AsyncGenerator<Buffer> {
  const reader = new ByteReader(input);
  const header = await reader.read(headerBytes);
  const sealing = await openHeader(header, password);
  if (!open(sealing, 0, false, await reader.read(tagBytes))) {
    throw new BackupError('BACKUP_KEY is not the key of this backup, or its beginning was changed');
  }
  let chunk = await reader.read(chunkBytes + tagBytes);
  for (let number = 1; ; number++) {
    const next = await reader.read(chunkBytes + tagBytes);
    const isLast = next.length === 0;
    const opened = open(sealing, number, isLast, chunk);
    if (!opened) {
      const isCut = isLast && open(sealing, number, false, chunk);
      throw new BackupError(isCut ? 'the backup is incomplete' : 'the backup was changed or is incomplete');
    }
    yield opened;
    if (isLast) return;
    chunk = next;
  }
}

async function openHeader(header: Buffer, password: string): Promise<Sealing> {
  const salt = header.subarray(magic.length, magic.length + saltBytes);
  return { key: await derive(password, salt, 32, cost), header };
}

function nonceOf({ header }: Sealing, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  header.copy(nonce, 0, magic.length + saltBytes);
  nonce.writeUInt32BE(number, prefixBytes);
  nonce.writeUInt8(isLast ? 1 : 0, prefixBytes + 4);
  return nonce;
}

function seal(sealing: Sealing, number: number, isLast: boolean, chunk: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, sealing.key, nonceOf(sealing, number, isLast)).setAAD(
    sealing.header,
  );
  return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
}

/** Returns the opened chunk; undefined if it was sealed otherwise. */
function open(sealing: Sealing, number: number, isLast: boolean, chunk: Buffer): Buffer | undefined {
  if (chunk.length < tagBytes) return undefined;
  const nonce = nonceOf(sealing, number, isLast);
  const decipher = createDecipheriv(algorithm, sealing.key, nonce, { authTagLength: tagBytes })
    .setAAD(sealing.header)
    .setAuthTag(chunk.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
