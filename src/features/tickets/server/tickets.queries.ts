import { isVisibleUser } from '#features/accounts/server/visible-users.service.ts';
import { ticketStatuses } from '#features/tickets/ticket-status.shared.ts';
import {
  bool,
  enumeration,
  int4,
  int8,
  jsonb,
  listColumns,
  nullable,
  numeric,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import { takeNumber } from '#server/db/counters.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { WaitingCause } from '../tickets.contract.ts';

const ticketTableColumns = {
  id: int8,
  ticket_number: int8,
  company_code: text,
  created_by: nullable(int8),
  status: enumeration('ticket_status', ticketStatuses),
  data_count: int4,
  total: int4,
  done: int4,
  failed: int4,
  /** Rows that failed with "Source unavailable"; null for old tickets, where they were not counted. */
  unavailable: nullable(int4),
  activated: int4,
  unactivated: int4,
  invalid_count: int4,
  duplicate_count: int4,
  /** Rows answered from the device register at the import, and those of them that are not billed: all or none. */
  known_count: int4,
  unbilled_count: int4,
  /** Dollars per data, exact decimal text. */
  price: numeric,
  current_dollar_price: int4,
  discount: int4,
  file_name: nullable(text),
  /** How its rows came, and the user who sent them; null for an order. */
  import_kind: nullable(textOf<'upload' | 'paste' | 'recheck'>()),
  imported_by: nullable(int8),
  serial_deleted: bool,
  coverage_deleted: bool,
  /** Grows with every change of count, discount and rate. */
  version: int4,
  waiting_for: nullable(textOf<'source' | 'proxies' | 'turn'>()),
  waiting_source: nullable(text),
  waiting_cause: nullable(textOf<WaitingCause>()),
  waiting_since: nullable(timestamptz),
  created_at: timestamptz,
  imported_at: nullable(timestamptz),
  started_at: nullable(timestamptz),
  finished_at: nullable(timestamptz),
};
export const ticketRow = {
  ...ticketTableColumns,
  /** The status of its standing invoice; `issued` for a paid one, too. */
  invoice: nullable(textOf<'draft' | 'issued'>()),
};

/** Returns SQL of the standing invoice `i` of the ticket with a number; no row without one. */
export const fromStandingInvoice = (ticketNumber: string) =>
  `FROM invoice_tickets placed JOIN invoices i ON i.id = placed.invoice_id WHERE placed.ticket_number = ${ticketNumber}`;

/**
 * Returns SQL that selects the status of a ticket's standing invoice.
 * @param ticket the ticket's table, or its alias
 */
export const invoiceOf = (ticket: string) => `(
    SELECT CASE i.status WHEN 'draft' THEN 'draft' ELSE 'issued' END ${fromStandingInvoice(`${ticket}.ticket_number`)}) AS invoice`;

/** The columns of `ticketRow`, for a SELECT or RETURNING of `tickets`. */
export const ticketColumns = `${listColumns(ticketTableColumns)}, ${invoiceOf('tickets')}`;

export type TicketRow = RowOf<typeof ticketRow>;

/** The columns of `serials` set as they were before the row's lookup. */
export const clearedResult = `state = 'pending', reason = NULL, details = NULL, type = NULL, activation_status = NULL,
       purchase_date = NULL, warranty_title = NULL, coverage_start_date = NULL, coverage_end_date = NULL,
       fetched_at = NULL, source = NULL, attempts = 0, egress = NULL, cached = NULL, lookup = NULL`;

/** The user who sent a ticket's rows; null for an order, and where the reader may not see users. */
const uploader = nullable(jsonb<{ id: number; name: string; email: string }>());
export const uploadedRow = { ...ticketRow, uploader };
export type UploadedTicketRow = RowOf<typeof uploadedRow>;

/**
 * Returns SQL that selects the user who sent a ticket's rows, for a statement with the parameter `:scope`.
 * @param ticket the ticket's table, or its alias
 */
export const uploaderOf = (ticket: string) => `(
    SELECT jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) FROM users u
    WHERE u.id = ${ticket}.imported_by AND ${isVisibleUser}) AS uploader`;

export const findTicketByNumber = statement({
  name: 'find-ticket-by-number',
  text: `SELECT ${ticketColumns}, ${uploaderOf('tickets')} FROM tickets
     WHERE ticket_number = :ticketNumber AND (:scope::text IS NULL OR company_code = :scope)`,
  params: { ticketNumber: int8, scope: nullable(text) },
  row: uploadedRow,
});

/** SQL order of the newest ticket first: by the latest import, with tickets without rows last. */
export const newestFirst =
  '(imported_at IS NULL OR (serial_deleted AND coverage_deleted)), imported_at DESC NULLS LAST, ticket_number DESC';

export const findNewestTicket = statement({
  text: `SELECT ${ticketColumns} FROM tickets WHERE :scope::text IS NULL OR company_code = :scope
     ORDER BY ${newestFirst} LIMIT 1`,
  params: { scope: nullable(text) },
  row: ticketRow,
});

/** Locks a ticket until the transaction ends. Every change of its status or rows begins with this. */
export const lockTicket = statement({
  text: `SELECT ${ticketColumns} FROM tickets WHERE id = :id FOR UPDATE`,
  params: { id: int8 },
  row: ticketRow,
});

export type NewTicket = {
  id: number;
  companyCode: string;
  /** Null for a ticket of the product itself. */
  createdBy: number | null;
  /** The expected number of rows. */
  dataCount: number;
  /** Dollars per data, unless the terms of the company name a price. */
  price: string;
  /** Rupiah per dollar. */
  dollarRate: number;
};

/** Takes the `id` of a new ticket, so that its rows can be written before it has a number. */
export const takeTicketId = statement({
  text: `SELECT nextval(pg_get_serial_sequence('tickets', 'id')) AS id`,
  row: { id: int8 },
});

const insert = statement({
  text: `INSERT INTO tickets (id, ticket_number, company_code, created_by, data_count, price, discount, current_dollar_price, created_at)
     VALUES (:id, :ticketNumber, :companyCode, :createdBy, :dataCount,
       coalesce((SELECT price FROM client_terms WHERE company_code = :companyCode), :price),
       coalesce((SELECT discount FROM client_terms WHERE company_code = :companyCode), 0),
       :dollarRate, clock_timestamp()) RETURNING ${ticketColumns}`,
  params: {
    id: int8,
    ticketNumber: int8,
    companyCode: text,
    createdBy: nullable(int8),
    dataCount: int4,
    price: numeric,
    dollarRate: int4,
  },
  row: ticketRow,
});

/** Inserts a Pending ticket without rows, at the present terms of its company. Its number stays locked until the transaction ends. */
export async function insertTicket(tx: Queryable, ticket: NewTicket): Promise<TicketRow> {
  const { value: ticketNumber } = await takeNumber.one(tx, { name: 'ticket' });
  return insert.one(tx, { ...ticket, ticketNumber });
}

export const listTicketPage = statement({
  // Uploaders and invoices are read of the page alone, not of the tickets before it.
  text: `SELECT ${ticketColumns}, ${uploaderOf('tickets')} FROM (SELECT * FROM tickets
     WHERE (:status::ticket_status IS NULL OR status = :status) AND (:companyCode::text IS NULL OR company_code = :companyCode)
     ORDER BY ticket_number DESC LIMIT :limit OFFSET :offset) AS tickets ORDER BY ticket_number DESC`,
  params: {
    scope: nullable(text),
    status: nullable(ticketRow.status),
    companyCode: nullable(text),
    limit: int8,
    offset: int8,
  },
  row: uploadedRow,
});

/** Counts tickets by status. A status without tickets is missing. */
export const countTicketsByStatus = statement({
  text: `SELECT status, count(*) FROM tickets WHERE :companyCode::text IS NULL OR company_code = :companyCode GROUP BY status`,
  params: { companyCode: nullable(text) },
  row: { status: ticketRow.status, count: int8 },
});

const { id, ticket_number, company_code, status, created_at, imported_at, file_name } = ticketRow;
const { data_count, total, done, failed } = ticketRow;
const dated = { id, ticket_number, company_code, status, created_at, imported_at, file_name };
const numberRow = { ...dated, data_count, total, done, failed };

/** Lists all tickets in the scope, newest first, with the fields that a selector shows. */
export const listTicketNumbers = statement({
  text: `SELECT ${listColumns(numberRow)} FROM tickets
     WHERE (:scope::text IS NULL OR company_code = :scope) AND (:companyCode::text IS NULL OR company_code = :companyCode)
       AND (:serialDeleted::boolean IS NULL OR serial_deleted = :serialDeleted)
       AND (:coverageDeleted::boolean IS NULL OR coverage_deleted = :coverageDeleted)
     ORDER BY ${newestFirst}`,
  params: {
    scope: nullable(text),
    companyCode: nullable(text),
    serialDeleted: nullable(bool),
    coverageDeleted: nullable(bool),
  },
  row: numberRow,
});
