import { getTicketOrNewest } from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Query } from '#shared/endpoint.ts';
import type { Locale } from '#shared/locale.ts';
import type { downloadResults as downloadEndpoint } from '../../results.contract.ts';
import { findComparedTicket } from '../results.service.ts';
import { hasNoFilter } from '../row-filters.ts';
import type { ExportJob } from './export-job.ts';

const exports = new ThreadFiles<ExportJob>('exports', new URL('./export.thread.ts', import.meta.url), 4);

type ExportQuery = Query<typeof downloadEndpoint>;

/**
 * Opens the export of a ticket, or of the caller's newest one. Without any ticket it has no rows.
 * @param gone aborts when the caller disconnects
 * @throws AppError 404 for a ticket outside the caller's scope, 429 when no export slot is free in time
 */
export async function downloadResults(
  context: Context,
  caller: Caller,
  query: ExportQuery,
  locale: Locale,
  gone: AbortSignal,
): Promise<OpenedFile> {
  const { config, databaseUrl } = context;
  const ticket = await getTicketOrNewest(context.db, caller, query.ticket_number);
  await findComparedTicket(context.db, caller, query);
  const now = context.now();
  const today = dayIn(config.APP_TIMEZONE, now);
  const { format, ticket_number: _, provenance, ...filters } = query;
  const job: ExportJob = {
    databaseUrl,
    ticket: ticket ?? null,
    now,
    rowQuery: { ...filters, today },
    format,
    provenance: provenance === '1',
    locale,
    timeZone: config.APP_TIMEZONE,
    action: {
      action: 'results.export',
      objectId: ticket?.ticket_number ?? null,
      companyCode: ticket?.company_code ?? null,
      after: query,
    },
    origin: currentOrigin(),
  };
  const content = await exports.open(context, job, caller, gone);
  return { content, name: nameFile(ticket?.ticket_number, query, today) };
}

/**
 * Returns a name like `imei_12_active_2026-11-21`, without the number or status if there is none. `filtered` or
 * `selected` marks a file with a part of the rows.
 */
function nameFile(ticketNumber: number | undefined, query: ExportQuery, day: string): string {
  const { status = 'all', positions } = query;
  const isFiltered = !hasNoFilter({ ...query, status: 'all', positions: undefined });
  const parts = [
    'imei',
    ticketNumber,
    status === 'all' ? undefined : status,
    isFiltered ? 'filtered' : undefined,
    positions ? 'selected' : undefined,
    day,
  ];
  return parts.filter((part) => part !== undefined).join('_');
}
