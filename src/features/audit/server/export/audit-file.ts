import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import type { AuditQuery } from '../../audit.contract.ts';
import type { ScopedAuditQuery } from '../audit.queries.ts';
import { record } from '../audit.service.ts';

/** The thread's task: one audit log file. */
export type AuditFileJob = {
  scopedQuery: ScopedAuditQuery;
  timeZone: string;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<AuditFileJob>('audit log', new URL('./audit-file.thread.ts', import.meta.url));

/**
 * Records the download and opens a file with the entries that the reader may see and that pass a filter.
 * @param reader the user whose export slot it takes
 * @param signal aborts when the caller disconnects
 * @throws AppError 429 when no slot is free in time
 */
export async function downloadAudit(
  context: Context,
  { format, ...query }: AuditQuery & { format: 'excel' | 'json' },
  locale: Locale,
  reader: Caller,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const timeZone = context.config.APP_TIMEZONE;
  const scope = scopeOf(reader);
  const begin = () =>
    record(context.db, {
      action: 'audit.export',
      companyCode: scope,
      after: { format, ...query },
    });
  const content = await files.open(
    context,
    { scopedQuery: { ...query, scope }, timeZone, format, locale },
    reader,
    signal,
    begin,
  );
  const day = dayIn(timeZone, context.now());
  return { content, name: `audit_${day}` };
}
