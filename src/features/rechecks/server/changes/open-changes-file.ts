import type { Readable } from 'node:stream';
import type { Caller } from '#server/http/caller.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { AskedChanges } from './changes.queries.ts';

/** The thread's task: one file of changes. */
export type ChangesFileJob = {
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
  context: Pick<Context, 'db' | 'readRouter'>,
  job: ChangesFileJob,
  caller: Caller,
  gone: AbortSignal,
  begin: () => Promise<void>,
): Promise<Readable> {
  return files.open(context, job, caller, gone, begin);
}
