import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { isAlive } from '#server/runtime/is-alive.ts';

const folderOf = (dataDir: string) => join(dataDir, 'uploads');

const nameForm = /^(\d+)-[0-9a-f]+-(.+)$/;
const foreignMs = 24 * 60 * 60 * 1000; // no import takes as long

/** Returns the path for a new temporary file. Its name has the process id and the host. */
export async function createUploadPath(dataDir: string): Promise<string> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${process.pid}-${randomBytes(12).toString('hex')}-${hostname()}`);
}

/**
 * Removes files of processes that have ended. Files with this process's own id are from an earlier process. Those of other
 * machines and containers, which may share the folder, are removed once they are a day old.
 */
export async function removeStaleUploads(dataDir: string): Promise<void> {
  const folder = folderOf(dataDir);
  for (const name of await readdir(folder).catch(() => [])) {
    if (await isStale(join(folder, name))) await rm(join(folder, name), { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  const [, pid, host] = nameForm.exec(basename(path)) ?? [];
  if (host === hostname()) return Number(pid) === process.pid || !isAlive(Number(pid));
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > foreignMs;
}
