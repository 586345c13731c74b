import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '#server/runtime/start-error.ts';

export class DataDirInUseError extends StartError {}

const maxWaitMs = 2000; // until the system has released the lock of a killed process
const sqliteBusy = 5;

/**
 * Locks a folder by a file lock of the operating system. The lock ends with the process, and works between containers
 * that share only the folder. It is taken through Node's SQLite, because Node has no file locks.
 * @returns a function that releases the lock
 * @throws DataDirInUseError while another process holds the lock; StartError if the file cannot be written
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { timeout: maxWaitMs });
    file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    file?.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy)
      throw new DataDirInUseError(`DATA_DIR is in use by another running Coverdesk: ${folder}`);
    throw new StartError(`DATA_DIR cannot be locked by ${path}: ${(error as Error).message}`);
  }
  return () => file.close();
}
