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
 * @throws DataDirInUseError while another process holds the lock
 */
export function lockFolder(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: maxWaitMs });
  try {
    file.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw (error as { errcode?: number }).errcode === sqliteBusy ? inUse(folder) : error;
  }
  return () => file.close();
}

function inUse(folder: string): DataDirInUseError {
  return new DataDirInUseError(`DATA_DIR is in use by another running Coverdesk: ${folder}`);
}
