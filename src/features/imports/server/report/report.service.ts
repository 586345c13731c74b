import { record } from '#features/audit/server/audit.service.ts';
import { recordName } from '#features/tickets/server/ticket-record.service.ts';
import { requireTicketInScope } from '#features/tickets/server/tickets.service.ts';
import type { Caller } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';

/** The thread's task: one report. */
export type ReportJob = { ticketId: number; locale: Locale };

const reports = new ThreadFiles<ReportJob>('reports', new URL('./report.thread.ts', import.meta.url));

/**
 * Opens the workbook with every duplicate and invalid cell of an import.
 * @param signal aborts when the caller disconnects
 * @throws AppError 404 for a ticket outside the caller's scope, 429 when no slot is free in time
 */
export async function downloadReport(
  context: Context,
  caller: Caller,
  ticketNumber: string,
  locale: Locale,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const ticket = await requireTicketInScope(context.db, caller, ticketNumber);
  const begin = () =>
    record(context.db, {
      action: 'results.export',
      objectId: ticket.ticket_number,
      companyCode: ticket.company_code,
      after: {
        format: 'excel',
        report: 'import',
        rows: ticket.invalid_count + ticket.duplicate_count,
        ...recordName(ticket),
      },
    });
  const content = await reports.open(context, { ticketId: ticket.id, locale }, caller, signal, begin);
  return { content, name: `import_${ticket.ticket_number}` };
}
