import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A secret kept in a file of the data folder that only its owner reads; made at the first call. Processes that make
 * it at once end up with the same one.
 */
export async function readOrMakeSecret(folder: string, name: string, make = randomSecret): Promise<string> {
  const file = join(folder, name);
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept) return kept;
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
