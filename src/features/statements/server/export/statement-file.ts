import { record } from '#features/audit/server/audit.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { ScopedStatementQuery } from '../statements.queries.ts';

/** The thread's task: one file of statements. */
export type StatementFileJob = {
  scopedQuery: ScopedStatementQuery;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<StatementFileJob>(
  'statements',
  new URL('./statement-file.thread.ts', import.meta.url),
);

/**
 * Records the download and opens a file with the statements of a month.
 * @param reader the user whose export slot it takes
 * @param signal aborts when the caller disconnects
 * @throws AppError 429 when no slot is free in time
 */
export async function downloadStatements(
  context: Context,
  scopedQuery: ScopedStatementQuery,
  format: 'excel' | 'json',
  locale: Locale,
  reader: Caller,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const month = scopedQuery.firstDay.slice(0, 7);
  const begin = () =>
    record(context.db, {
      action: 'statement.export',
      companyCode: scopeOf(reader) ?? scopedQuery.companyCode,
      after: { format, month },
    });
  const content = await files.open(context, { scopedQuery, format, locale }, reader, signal, begin);
  return { content, name: `statements_${month}` };
}
