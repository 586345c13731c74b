import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '#server/runtime/exists.ts';

/**
 * Reads a secret from a file in the data folder, and creates the file (mode 0600) if it is missing. Concurrent calls
 * return the same secret.
 */
export async function readOrMakeSecret(folder: string, name: string, make = randomSecret): Promise<string> {
  const file = join(folder, name);
  if (await exists(file)) return readFile(file, 'utf8');
  const partial = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  await writeFile(partial, make(), { mode: 0o600, flush: true });
  try {
    await link(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(partial);
  }
  return readFile(file, 'utf8');
}

function randomSecret(): string {
  return randomBytes(48).toString('base64url');
}
