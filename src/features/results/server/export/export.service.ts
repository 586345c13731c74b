import type { RecordedAction } from '#features/audit/server/audit.service.ts';
import { listFields } from '#features/devices/server/devices.service.ts';
import { requireKnownFilter } from '#features/devices/server/fields/fields.service.ts';
import { recordName } from '#features/tickets/server/ticket-record.service.ts';
import { findTicketOrNewest, type TicketRow } from '#features/tickets/server/tickets.service.ts';
import { findMailLanguage } from '#features/watch/server/watch.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import { contentTypes, type OpenedFile } from '#server/http/files/send-file.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Mail } from '#server/mail/mail.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Query } from '#shared/endpoint.ts';
import { ungroupFields } from '#shared/field-parameters.ts';
import type { Locale } from '#shared/locale.ts';
import type { downloadResults as downloadEndpoint } from '../../results.contract.ts';
import { findComparedTicket } from '../results.service.ts';
import { hasNoFilter } from '../row-filters.ts';
import type { ExportJob } from './export-job.ts';

const exports = new ThreadFiles<ExportJob>('exports', new URL('./export.thread.ts', import.meta.url), 4);

type ExportQuery = Query<typeof downloadEndpoint>;
type Attachment = NonNullable<Mail['attachments']>[number];

/** Mail servers refuse much larger messages. */
const attachedBytes = 5 * 1024 * 1024;
/** A ticket of more rows is never that small: a row takes 40 bytes or more. */
const attachedRows = 130_000;
/** Mails take the places of superadmins for writing workbooks. */
const mailer = { id: 0, companyCode: null, superadmin: true };

/**
 * Opens the export of a ticket, or of the caller's newest one. Without any ticket it has no rows.
 * @param signal aborts when the caller disconnects
 * @throws AppError 400 for an unknown own column, 404 for a ticket outside the caller's scope, 429 when no export slot is free in time
 */
export async function downloadResults(
  context: Context,
  caller: Caller,
  query: ExportQuery,
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const ticket = await findTicketOrNewest(context.db, caller, query.ticket_number);
  await requireKnownFilter(context.db, ticket?.company_code ?? scopeOf(caller), query);
  await findComparedTicket(context.db, caller, query);
  const recorded = Object.fromEntries(ungroupFields(query)) as Record<string, string>;
  const job = await describeJob(context, ticket, query, locale, recorded);
  const content = await exports.open(context, job, caller, signal);
  return { content, name: nameFile(ticket?.ticket_number, query, job.rowQuery.today) };
}

/**
 * Writes the workbook with all rows of a ticket, in the language of its company's mails, to attach it to one. The caller
 * records the export when the mail is sent.
 * @param signal aborts when the process ends
 * @param maxBytes its largest size
 * @returns undefined if it would be too large, or the results were deleted
 */
export async function attachWorkbook(
  context: Context,
  ticket: TicketRow,
  signal: AbortSignal,
  maxBytes = attachedBytes,
): Promise<Attachment | undefined> {
  if (ticket.total > attachedRows || ticket.coverage_deleted) return;
  const query = { format: 'excel', provenance: '0', sort: 'position', order: 'asc' } as const;
  const locale = await findMailLanguage(context.db, ticket.company_code);
  const job = await describeJob(context, ticket, query, locale, null);
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of await exports.open(context, job, mailer, signal)) {
    bytes += part.length;
    // Leaving the loop ends the thread.
    if (bytes > maxBytes) return;
    parts.push(part);
  }
  const name = nameFile(ticket.ticket_number, query, job.rowQuery.today);
  return { filename: `${name}.xlsx`, content: Buffer.concat(parts), contentType: contentTypes.excel };
}

/** @param recorded the values of the audit entry; null if the thread records none */
async function describeJob(
  { db, config, databaseUrl, now: readClock }: Context,
  ticket: TicketRow | undefined,
  { format, ticket_number: _, provenance, ...filters }: ExportQuery,
  locale: Locale,
  recorded: Exclude<RecordedAction['after'], undefined>,
): Promise<ExportJob> {
  const now = readClock();
  return {
    databaseUrl,
    ticket: ticket ?? null,
    now,
    rowQuery: { ...filters, today: dayIn(config.APP_TIMEZONE, now) },
    fields: ticket ? await listFields.all(db, { companyCode: ticket.company_code }) : [],
    format,
    provenance: provenance === '1',
    locale,
    timeZone: config.APP_TIMEZONE,
    action: recorded && {
      action: 'results.export',
      objectId: ticket?.ticket_number ?? null,
      companyCode: ticket?.company_code ?? null,
      after: { ...recorded, ...(ticket && recordName(ticket)) },
    },
    origin: currentOrigin(),
  };
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
