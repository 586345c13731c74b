import type { ImportSummary } from '#features/imports/imports.contract.ts';
import { cancelLookups } from '#features/lookups/server/lookups.service.ts';
import { withLockedTicket } from '#features/tickets/server/editing/ticket-edits.service.ts';
import {
  deleteMarkedRows,
  markRowDeletion,
} from '#features/tickets/server/row-deletions/row-deletions.service.ts';
import { recordTicket } from '#features/tickets/server/ticket-record.service.ts';
import { hasEndedBefore, requireTicketInScope } from '#features/tickets/server/tickets.service.ts';
import { isRunning } from '#features/tickets/ticket-status.shared.ts';
import { publishTicketEnd } from '#features/webhooks/server/events/publish-event.service.ts';
import type { Db } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import { findImport } from '../imports.queries.ts';
import { listUploadedRowsBetween, markUploadedRowsDeleted } from './uploaded-rows.queries.ts';

/**
 * Lists one page of a ticket's uploaded rows, in the order of the sheet; none once they are deleted.
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export async function listUploadedRows(
  db: Db,
  caller: Caller,
  ticketNumber: string,
  { page, limit }: Paging,
) {
  const ticket = await requireTicketInScope(db, caller, ticketNumber);
  const total = ticket.serial_deleted ? 0 : ticket.total;
  // Positions have no gaps, so the last page is as fast as the first.
  const before = (page - 1) * limit;
  const rows =
    before < total
      ? await listUploadedRowsBetween.all(db, { ticketId: ticket.id, lo: before + 1, hi: before + limit })
      : [];
  const number = String(ticket.ticket_number);
  const date = (ticket.imported_at ?? ticket.created_at).toISOString();
  return {
    data: rows.map(({ position, sheet_row: row, serial }) => ({
      _id: `${ticket.id}-${position}`,
      ticket_number: number,
      serial,
      date,
      row,
    })),
    pagination: describePage(page, limit, total),
    ticket_number: number,
  };
}

/** @throws AppError 404 for a ticket outside the caller's scope, and for an order without rows */
export async function getImport(db: Db, caller: Caller, ticketNumber: string): Promise<ImportSummary> {
  const { id } = await requireTicketInScope(db, caller, ticketNumber);
  const row = await findImport.first(db, { ticketId: id });
  if (!row) throw new AppError(404, 'import_not_found', m.server_not_found);
  return {
    imported_count: row.total,
    valid_count: row.total - row.invalid_count,
    invalid_count: row.invalid_count,
    duplicate_count: row.duplicate_count,
    known_count: row.known_count,
    file_name: row.file_name,
    header_skipped: row.header_skipped,
    imported_at: row.imported_at.toISOString(),
  };
}

/**
 * Deletes the uploaded rows of a ticket, and cancels a running one. Rows without a result go, results stay.
 * @param forgetsDevices also forgets the devices that no other ticket of the company had
 * @throws AppError 404 for a ticket outside the caller's scope
 */
export async function deleteUploadedRows(
  context: Pick<Context, 'db' | 'log'>,
  caller: Caller,
  ticketNumber: string,
  forgetsDevices = false,
): Promise<void> {
  const { id } = await requireTicketInScope(context.db, caller, ticketNumber);
  await withLockedTicket(context.db, caller, id, async (tx, ticket) => {
    if (isRunning(ticket)) await cancelLookups(tx, id);
    const changed = await markUploadedRowsDeleted.one(tx, { ticketId: id });
    if (isRunning(ticket)) await publishTicketEnd(tx, 'ticket.cancelled', changed, true);
    await markRowDeletion.run(tx, { ticketId: id, forgetsDevices });
    await recordTicket(tx, 'data.delete', ticket, changed);
  });
  await deleteMarkedRows(context, id);
}

/**
 * Deletes the uploaded rows of a ticket that ended before an instant, as `deleteUploadedRows` does. Does nothing for a
 * ticket that was retried since it was listed.
 */
export async function deleteOldUploadedRows(
  context: Pick<Context, 'db' | 'log'>,
  id: number,
  endedBefore: Date,
): Promise<void> {
  const isDeleted = await withLockedTicket(context.db, null, id, async (tx, ticket) => {
    if (!hasEndedBefore(ticket, endedBefore) || ticket.serial_deleted) return false;
    const changed = await markUploadedRowsDeleted.one(tx, { ticketId: id });
    await markRowDeletion.run(tx, { ticketId: id, forgetsDevices: false });
    await recordTicket(tx, 'data.delete', ticket, changed);
    return true;
  });
  if (isDeleted) await deleteMarkedRows(context, id);
}
