import type { Readable } from 'node:stream';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { AskedChanges } from './changes.queries.ts';

/** The thread's task: one file of changes. */
export type ChangesFileJob = {
  databaseUrl: string;
  asked: AskedChanges;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<ChangesFileJob>(
  'changes',
  new URL('./changes-file.thread.ts', import.meta.url),
  2,
);

/** Opens a file of changes when a slot is free. @throws AppError 429 as `ThreadFiles.open` */
export function openChangesFile(
  db: Db,
  job: ChangesFileJob,
  caller: Caller,
  gone: AbortSignal,
  begin: () => Promise<void>,
): Promise<Readable> {
  return files.open(db, job, caller, gone, begin);
}
