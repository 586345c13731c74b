import { statfs } from 'node:fs/promises';

/** Returns the bytes that this account can still write to the disk of a file or folder. */
export async function readFreeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
