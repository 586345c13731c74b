import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '#server/runtime/exists.ts';
import { StartError } from '#server/runtime/start-error.ts';

const minBytes = 32;

/**
 * Reads a secret from a file in the data folder, without the line break that an editor may have added. Creates the file
 * (mode 0600) if it is missing. Concurrent calls return the same secret.
 * @throws StartError if the file is cut off
 */
export async function readOrCreateSecret(folder: string, name: string, make = randomSecret): Promise<string> {
  const file = join(folder, name);
  if (await exists(file)) return readSecret(file);
  const partial = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(partial, make(), { mode: 0o600, flush: true });
  try {
    await link(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(partial);
  }
  return readSecret(file);
}

async function readSecret(file: string): Promise<string> {
  const secret = (await readFile(file, 'utf8')).trim();
  if (Buffer.byteLength(secret) >= minBytes) return secret;
  throw new StartError(`${file} has less than ${minBytes} bytes: put the whole file back`);
}

function randomSecret(): string {
  return randomBytes(48).toString('base64url');
}
