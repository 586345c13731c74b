import type { OwnField } from '#features/devices/fields.contract.ts';
import { listFields } from '#features/devices/server/devices.service.ts';
import { findOriginal, type ReadSheet } from '#features/imports/server/originals/originals.service.ts';
import { recordName } from '#features/tickets/server/ticket-record.service.ts';
import { requireTicketInScope, type TicketRow } from '#features/tickets/server/tickets.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import { currentOrigin } from '#server/http/origin.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { RecordedExport } from '../export/record-export.ts';
import type { CellContext } from '../export/sheet-columns.ts';

/** The thread's task: one uploaded sheet with its results. */
export type AnnotationJob = RecordedExport & {
  dataDir: string;
  ticketId: number;
  companyCode: string;
  /** The own columns that no column of the sheet filled. */
  fields: OwnField[];
  sheetPart: string;
  headerRow: ReadSheet['headerRow'];
  context: CellContext;
};

const annotations = new ThreadFiles<AnnotationJob>(
  'annotated',
  new URL('./annotate.thread.ts', import.meta.url),
);

/** @throws AppError 404 for a ticket outside the caller's scope */
export async function getOriginal(
  db: Db,
  caller: Caller,
  ticketNumber: string,
): Promise<{ state: 'kept' | 'xls' | 'macros' | 'gone' }> {
  const ticket = await requireTicketInScope(db, caller, ticketNumber);
  const original = ticket.serial_deleted ? undefined : await findOriginal.first(db, { ticketId: ticket.id });
  if (!original) return { state: 'gone' };
  if (original.has_macros) return { state: 'macros' };
  return { state: original.sheet_part === null ? 'xls' : 'kept' };
}

/**
 * Opens the uploaded sheet of a ticket with its results in new columns.
 * @param signal aborts when the caller disconnects
 * @throws AppError 404 for a ticket outside the caller's scope, 410 once the file is deleted and for a
 * workbook with macros, 415 for an .xls file, 422
 * for a sheet without free columns, 429 when no slot is free in time
 */
export async function downloadAnnotated(
  context: Context,
  caller: Caller,
  ticketNumber: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { db, databaseUrl, config, now } = context;
  const ticket = await requireTicketInScope(db, caller, ticketNumber);
  const original = ticket.serial_deleted ? undefined : await findOriginal.first(db, { ticketId: ticket.id });
  if (!original) throw new AppError(410, 'original_gone', m.server_original_gone);
  if (original.has_macros) throw new AppError(410, 'original_macros', m.server_original_macros);
  const { sheet_part: sheetPart, header_row: headerRow, field_keys: given } = original;
  if (sheetPart === null) throw new AppError(415, 'original_xls', m.server_original_xls);
  const fields = await listFields.all(db, { companyCode: ticket.company_code });
  const timeZone = config.APP_TIMEZONE;
  const job: AnnotationJob = {
    databaseUrl,
    dataDir: config.DATA_DIR,
    ticketId: ticket.id,
    companyCode: ticket.company_code,
    fields: fields.filter(({ key }) => !given.includes(key)),
    sheetPart,
    headerRow,
    context: { locale, timeZone, today: dayIn(timeZone, now()) },
    action: {
      action: 'results.export',
      objectId: ticket.ticket_number,
      companyCode: ticket.company_code,
      after: { format: 'excel', annotated: true, ...recordName(ticket) },
    },
    origin: currentOrigin(),
  };
  const content = await annotations.open(context, job, caller, signal);
  return { content, name: nameFile(ticket) };
}

/** Returns the name of the uploaded file. */
function nameFile({ file_name: name, ticket_number: number }: TicketRow): string {
  return name?.replace(/\.xls[xm]?$/i, '') || `annotated_${number}`;
}
