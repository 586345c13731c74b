import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '#server/runtime/start-error.ts';

/** Another product already runs on the same DATA_DIR. */
export class DataDirInUseError extends StartError {}

/** A killed process's lock goes with it; a moment is enough. */
const maxWaitMs = 2000;
const sqliteBusy = 5;

/**
 * Locks a folder for this process by the operating system's lock on a file in it, which ends with the process however
 * that ends, and holds between containers that share nothing but the folder. Node has no such lock of its own; SQLite,
 * which it brings, does.
 * @returns what unlocks it
 * @throws DataDirInUseError while another process has it
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
