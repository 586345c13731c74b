import { isVisibleUser } from '#features/accounts/server/visible-users.service.ts';
import { bool, int8, nullable, text, textOf } from '#server/db/column-types.ts';
import { statement } from '#server/db/statement.ts';
import type { TicketKind } from '../../tickets.contract.ts';
import { newestFirst, ticketColumns, ticketRow, uploadedRow, uploaderOf } from '../tickets.queries.ts';

const has = (value: string) => `strpos(lower(${value}), lower(:q)) > 0`;

// Without a name, so that PostgreSQL plans for the filter of each call.
const matchesFilters = `(:scope::text IS NULL OR company_code = :scope) AND (:company_code::text IS NULL OR company_code = :company_code)
  AND (:status::ticket_status IS NULL OR status = :status) AND (:kind::text IS NULL OR coalesce(import_kind, 'order') = :kind)
  AND (:serial_deleted::boolean IS NULL OR serial_deleted = :serial_deleted)
  AND (:coverage_deleted::boolean IS NULL OR coverage_deleted = :coverage_deleted)
  AND (:q::text IS NULL OR ${has('file_name')} OR (:q ~ '^[0-9]+$' AND starts_with(ticket_number::text, :q))
    OR company_code IN (SELECT company_code FROM clients WHERE ${has('company_code')} OR ${has('company_name')})
    OR imported_by IN (SELECT id FROM users u WHERE ${isVisibleUser} AND (${has('name')} OR ${has('email')})))
  AND (:ticket_number::bigint IS NULL OR ticket_number = :ticket_number) AND (:before::bigint IS NULL OR ticket_number < :before)
  AND (:device_id::bigint IS NULL OR ticket_number IN (SELECT unnest(tickets) FROM devices WHERE id = :device_id))`;

/** A missing filter filters nothing. */
const filters = {
  scope: nullable(text),
  company_code: nullable(text),
  status: nullable(ticketRow.status),
  kind: nullable(textOf<TicketKind>()),
  serial_deleted: nullable(bool),
  coverage_deleted: nullable(bool),
  /** The beginning of a number, or a part of the file's, company's or uploader's name, company code or email. */
  q: nullable(text),
  ticket_number: nullable(int8),
  /** A number: tickets that were made before. */
  before: nullable(int8),
  /** The id of a device: tickets that had it. */
  device_id: nullable(int8),
};

/** Lists a page of the tickets that pass the filters, newest first, with their uploaders. */
export const listMatchingTickets = statement({
  // Uploaders and invoices are read of the page alone, not of the tickets before it.
  text: `SELECT ${ticketColumns}, ${uploaderOf('tickets')}
     FROM (SELECT * FROM tickets WHERE ${matchesFilters} ORDER BY ${newestFirst} LIMIT :limit OFFSET :offset) AS tickets
     ORDER BY ${newestFirst}`,
  params: { ...filters, limit: int8, offset: int8 },
  row: uploadedRow,
});

/** Counts the tickets that pass the filters. */
export const countMatchingTickets = statement({
  text: `SELECT count(*) FROM tickets WHERE ${matchesFilters}`,
  params: filters,
  row: { count: int8 },
});
