import { lstat, realpath, rename, rm } from 'node:fs/promises';
import { Failure } from './failures.mjs';

/**
 * Writes a file, which appears only when it is complete. A link stays one. Devices and pipes are written straight.
 * @param write writes the file at a path. `isReplaced` is whether it may begin again
 * @throws Failure naming the file
 */
export async function writeFileAt(out, write) {
  const target = await realpath(out).catch(() => out);
  const found = await lstat(target).catch(() => undefined);
  const isReplaced = !found || found.isFile();
  const path = isReplaced ? `${target}.${process.pid}.part` : target;
  try {
    await write(path, isReplaced);
    if (isReplaced) await rename(path, target);
  } catch (error) {
    if (isReplaced) await rm(path, { force: true });
    // A fault of the disk has the name of a system call.
    throw error.syscall ? new Failure(`${out} cannot be written: ${error.message}`) : error;
  }
}
