import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { ConfigError } from '#server/runtime/config.ts';
import { decrypt, isEncrypted } from './archive/encryption.ts';
import { readTar, type TarEntry } from './archive/tar.ts';
import { BackupError } from './backup-error.ts';
import {
  type Contents,
  contents,
  contentsName,
  type Manifest,
  manifest,
  manifestName,
  tableOfPiece,
} from './contents.ts';

/** Receives a backup while it is read. Nothing is true before `readBackup` has ended without an error. */
export type Receiver = {
  begin?(contents: Contents): Promise<void>;
  /** Receives a piece of a table. The pieces of a table follow each other. */
  add?(table: string, content: Buffer): Promise<void>;
  end?(manifest: Manifest): Promise<void>;
};

type Sums = { rows: number; bytes: number; hash: Hash };

/** Reads a whole backup and compares it with its manifest. @returns its contents and sums */
export async function verifyBackup(
  file: string,
  key: string | undefined,
  signal?: AbortSignal,
): Promise<{ contents: Contents; tables: Manifest['tables'] }> {
  return readBackup(file, key, {}, signal);
}

/**
 * Reads a backup as a stream, and compares it with its manifest at the end.
 * @throws BackupError if the file is no backup, incomplete, changed, encrypted with another key, or not encrypted
 * although there is a key
 */
export async function readBackup(
  file: string,
  key: string | undefined,
  receiver: Receiver,
  signal?: AbortSignal,
): Promise<{ contents: Contents; tables: Manifest['tables'] }> {
  const isSealed = await isEncryptedBackup(file);
  if (isSealed && key === undefined) {
    throw new ConfigError(['BACKUP_KEY takes the key of this backup, which is encrypted']);
  }
  if (!isSealed && key !== undefined) {
    throw new BackupError(
      `${file} is not encrypted, but BACKUP_KEY is set: only with --unencrypted is a file taken that anybody could have made`,
    );
  }
  const opened = (input: AsyncIterable<Buffer>) => (isSealed ? decrypt(input, key ?? '') : input);
  const reading = new Reading(receiver);
  // The receiver's errors, such as those of the database, stay as they are.
  await pipeline(createReadStream(file), opened, createGunzip(), (input) => reading.readAll(input), {
    signal,
  }).catch((error: Error & { code?: string }) => {
    if (reading.received === error || signal?.aborted || error instanceof BackupError) throw error;
    throw new BackupError(`${file} is no backup, damaged or incomplete: ${error.message}`);
  });
  return reading.result();
}

/** Returns whether a backup is encrypted, by its beginning. @throws BackupError if the file cannot be read */
export async function isEncryptedBackup(file: string): Promise<boolean> {
  const beginning = await buffer(createReadStream(file, { end: 63 })).catch((error: Error) => {
    throw new BackupError(`${file} cannot be read: ${error.message}`);
  });
  return isEncrypted(beginning);
}

/** The state of one backup that is being read. */
class Reading {
  /** The error that the receiver threw. */
  received: unknown;
  readonly #receiver: Receiver;
  readonly #sums = new Map<string, Sums>();
  #contents: Contents | undefined;
  #contentsHash = '';
  #manifest: Manifest | undefined;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  async readAll(input: AsyncIterable<Buffer>): Promise<void> {
    for await (const entry of readTar(input)) await this.#read(entry);
    const found = this.#manifest;
    if (!found) throw new Error('it has no manifest');
    await this.#awaitReceiver(this.#receiver.end?.(found));
  }

  result() {
    if (!this.#contents || !this.#manifest) throw new Error('the backup was not read');
    return { contents: this.#contents, tables: this.#manifest.tables };
  }

  async #read({ name, content }: TarEntry): Promise<void> {
    if (this.#manifest) throw new Error('something follows its manifest');
    if (!this.#contents) {
      if (name !== contentsName) throw new Error(`it begins with ${name}`);
      this.#contents = contents.parse(JSON.parse(content.toString()));
      this.#contentsHash = sha256().update(content).digest('hex');
      for (const table of this.#contents.tables)
        this.#sums.set(table.name, { rows: 0, bytes: 0, hash: sha256() });
      await this.#awaitReceiver(this.#receiver.begin?.(this.#contents));
    } else if (name === manifestName) {
      this.#manifest = manifest.parse(JSON.parse(content.toString()));
      this.#compare(this.#manifest);
    } else {
      const table = tableOfPiece(name) ?? '';
      const sums = this.#sums.get(table);
      if (!sums) throw new Error(`${name} belongs to no table of it`);
      sums.rows += countLines(content);
      sums.bytes += content.length;
      sums.hash.update(content);
      await this.#awaitReceiver(this.#receiver.add?.(table, content));
    }
  }

  #compare(stated: Manifest): void {
    if (stated.contents_sha256 !== this.#contentsHash)
      throw new Error(`${contentsName} differs from its manifest`);
    const names = stated.tables.map(({ name }) => name);
    const differing = [...this.#sums].filter(([name, { rows, bytes, hash }]) => {
      const table = stated.tables.find((one) => one.name === name);
      return table?.rows !== rows || table.bytes !== bytes || table.sha256 !== hash.digest('hex');
    });
    const missing = names.filter((name) => !this.#sums.has(name));
    const faults = [...differing.map(([name]) => name), ...missing];
    if (faults.length > 0) throw new Error(`${faults.join(', ')} differ from its manifest`);
  }

  async #awaitReceiver(call: Promise<void> | undefined): Promise<void> {
    try {
      await call;
    } catch (error) {
      this.received = error;
      throw error;
    }
  }
}

function sha256(): Hash {
  return createHash('sha256');
}

/** Counts rows in COPY's text format: a line break in a value is written `\n`. */
function countLines(content: Buffer): number {
  let lines = 0;
  for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) lines += 1;
  return lines;
}
