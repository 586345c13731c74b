import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '#server/runtime/is-alive.ts';

const folderOf = (dataDir: string) => join(dataDir, 'uploads');

/** Returns the path for a new temporary file. Its name begins with the process id. */
export async function makeUploadPath(dataDir: string): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${process.pid}-${randomBytes(12).toString('hex')}`);
}

/** Removes files of processes that have ended. Files with this process's own id are from an earlier process. */
export async function removeStaleUploads(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    const maker = Number.parseInt(name, 10);
    if (maker === process.pid || !isAlive(maker)) await rm(join(folder, name), { force: true });
  }
}
