import type { StatementLine } from '#features/statements/statements.contract.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  array,
  bool,
  date,
  float8,
  int4,
  int8,
  jsonb,
  notNull,
  nullable,
  numeric,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { InvoiceStatus } from '../invoice-status.shared.ts';
import type { Seller } from '../invoices.contract.ts';

const invoiceColumns = {
  id: int8,
  company_code: text,
  status: textOf<InvoiceStatus>(),
  note: text,
  due_at: nullable(date),
  created_at: timestamptz,
  number: nullable(text),
  issued_at: nullable(timestamptz),
  issued_on: nullable(date),
  tickets: nullable(jsonb<StatementLine[]>()),
  subtotal: nullable(int8),
  ppn_percent: nullable(numeric),
  ppn: nullable(int8),
  total: nullable(int8),
  seller: nullable(jsonb<Seller>()),
  paid_at: nullable(date),
  payment_note: nullable(text),
  credit_number: nullable(text),
  credit_reason: nullable(text),
  credited_at: nullable(timestamptz),
  reminded_at: nullable(timestamptz),
  sent_at: nullable(timestamptz),
  sent_to: nullable(array(text)),
};
/**
 * `company_name`, `client_address`, `client_tax_number`: as they were issued; the present ones of a draft. `month`: as
 * `YYYY-MM`. `payment_days`: those of the company's present terms.
 * `send_status`: how the latest sending ended, if there was one.
 */
const invoice = {
  ...invoiceColumns,
  month: notNull(text),
  company_name: notNull(text),
  client_address: notNull(text),
  client_tax_number: notNull(text),
  payment_days: nullable(int4),
  send_status: notNull(textOf<'queued' | 'sent' | 'failed'>()),
};
export type InvoiceRow = RowOf<typeof invoice>;

const storedColumns = Object.keys(invoiceColumns).map((name) => `i.${name}`);
/** SQL: the columns of an invoice. Its lines, most of its bytes, are left out where nobody reads them. */
const columnsWith = (lines: string) => `${storedColumns
  .map((column) => (column === 'i.tickets' ? `${lines} AS tickets` : column))
  .join(
    ', ',
  )}, to_char(i.month, 'YYYY-MM') AS month, coalesce(i.company_name, c.company_name) AS company_name,
     CASE i.status WHEN 'draft' THEN coalesce(terms.address, '') ELSE i.client_address END AS client_address,
     CASE i.status WHEN 'draft' THEN coalesce(terms.tax_number, '') ELSE i.client_tax_number END AS client_tax_number,
     terms.payment_days,
     CASE WHEN EXISTS (SELECT FROM invoice_mails mail WHERE mail.invoice_id = i.id AND mail.kind = 'invoice') THEN 'queued'
       WHEN i.send_failed THEN 'failed' ELSE 'sent' END AS send_status`;
const columns = columnsWith('i.tickets');
const tables = `invoices i JOIN clients c ON c.company_code = i.company_code
     LEFT JOIN client_terms terms ON terms.company_code = i.company_code`;

/** Which invoices: of one company (null: all), without drafts, of a status, overdue on a day, issued from and to a day. */
export type ScopedInvoiceQuery = {
  companyCode: string | null;
  withDrafts: boolean;
  status: InvoiceStatus | null;
  overdueOn: string | null;
  from: string | null;
  to: string | null;
};

/** SQL condition: an invoice that matches a `ScopedInvoiceQuery`. */
const matchesQuery = `(:companyCode::text IS NULL OR i.company_code = :companyCode) AND (:withDrafts::boolean OR i.status <> 'draft')
     AND (:status::text IS NULL OR i.status = :status) AND (:overdueOn::date IS NULL OR (i.status = 'issued' AND i.due_at < :overdueOn))
     AND (:from::date IS NULL OR i.issued_on >= :from) AND (:to::date IS NULL OR i.issued_on <= :to)`;

const filters = {
  companyCode: nullable(text),
  withDrafts: bool,
  status: nullable(textOf<InvoiceStatus>()),
  overdueOn: nullable(date),
  from: nullable(date),
  to: nullable(date),
};

export const listInvoicePage = statement({
  text: `SELECT ${columnsWith('CASE WHEN :withLines::boolean THEN i.tickets END')} FROM ${tables}
     WHERE ${matchesQuery} ORDER BY i.id DESC LIMIT :limit OFFSET :offset`,
  params: { ...filters, withLines: bool, limit: nullable(int8), offset: int8 },
  row: invoice,
});

/** Reads all invoices in batches, newest first, on a single connection. */
export function readInvoiceRows(client: Queryable, scopedQuery: ScopedInvoiceQuery, rowsAtOnce: number) {
  return readBatches(
    client,
    listInvoicePage,
    { ...scopedQuery, withLines: true, limit: null, offset: 0 },
    rowsAtOnce,
  );
}

export const countInvoices = statement({
  text: `SELECT count(*) AS count FROM invoices i WHERE ${matchesQuery}`,
  params: filters,
  row: { count: int8 },
});

/** Counts and sums the issued invoices that are not paid. @param today the day before which a due day is over */
export const sumOpenInvoices = statement({
  text: `SELECT count(*) AS count, coalesce(sum(total), 0)::float8 AS total,
       count(*) FILTER (WHERE due_at < :today) AS overdue_count,
         coalesce(sum(total) FILTER (WHERE due_at < :today), 0)::float8 AS overdue_total
     FROM invoices WHERE status = 'issued' AND (:companyCode::text IS NULL OR company_code = :companyCode)`,
  params: { companyCode: nullable(text), today: date },
  row: { count: int8, total: float8, overdue_count: int8, overdue_total: float8 },
});

export const findInvoice = statement({
  text: `SELECT ${columns} FROM ${tables} WHERE i.id = :id`,
  params: { id: int8 },
  row: invoice,
});

/** Lists the invoices of a month that stand, oldest first; those that were issued without their lines. */
export const listMonthInvoices = statement({
  text: `SELECT ${columnsWith('NULL::jsonb')} FROM ${tables}
     WHERE i.month = :firstDay AND i.status <> 'credited' ORDER BY i.id`,
  params: { firstDay: date },
  row: invoice,
});

/** Locks an invoice until the transaction ends. */
export const lockInvoice = statement({
  text: `SELECT ${columns} FROM ${tables} WHERE i.id = :id FOR UPDATE OF i`,
  params: { id: int8 },
  row: invoice,
});

/** Inserts a draft without tickets. @param firstDay the first day of its month */
export const insertDraft = statement({
  text: `INSERT INTO invoices (company_code, month, created_at)
     VALUES (:companyCode, :firstDay, :now) RETURNING id`,
  params: { companyCode: text, firstDay: date, now: timestamptz },
  row: { id: int8 },
});

/** Puts tickets on an invoice, except those that are on another one that stands. @returns how many are on it */
export const takeTickets = statement({
  text: `INSERT INTO invoice_tickets (ticket_number, invoice_id) SELECT n, :invoiceId
       FROM unnest(:ticketNumbers::bigint[]) AS n ORDER BY n
     ON CONFLICT (ticket_number) DO NOTHING`,
  params: { invoiceId: int8, ticketNumbers: array(int8) },
});

const freeTickets = statement({
  text: 'DELETE FROM invoice_tickets WHERE invoice_id = :invoiceId AND ticket_number <> ALL (:except::bigint[])',
  params: { invoiceId: int8, except: array(int8) },
});

export async function releaseTickets(tx: Queryable, invoiceId: number, except: string[] = []): Promise<void> {
  await freeTickets.run(tx, { invoiceId, except: except.map(Number) });
}

/** Lists the tickets of some invoices that stand. */
export const listInvoiceTickets = statement({
  text: 'SELECT invoice_id, ticket_number FROM invoice_tickets WHERE invoice_id = ANY (:invoiceIds::bigint[])',
  params: { invoiceIds: array(int8) },
  row: { invoice_id: int8, ticket_number: int8 },
});

/** Locks the tickets of an invoice against changes until the transaction ends. */
export const lockInvoiceTickets = statement({
  text: `SELECT FROM tickets WHERE ticket_number = ANY (ARRAY(SELECT ticket_number FROM invoice_tickets WHERE invoice_id = :invoiceId))
     ORDER BY ticket_number FOR SHARE`,
  params: { invoiceId: int8 },
});

export const updateTerms = statement({
  text: 'UPDATE invoices SET note = :note, due_at = :dueAt WHERE id = :id',
  params: { id: int8, note: text, dueAt: nullable(date) },
});

/** Issues a locked draft. */
export const freezeInvoice = statement({
  text: `UPDATE invoices SET status = 'issued', number = :number, issued_at = :issuedAt, issued_on = :issuedOn,
       company_name = :companyName, tickets = :tickets,
       subtotal = :subtotal, ppn_percent = :ppnPercent, ppn = :ppn, total = :total, seller = :seller,
       client_address = :clientAddress, client_tax_number = :clientTaxNumber,
       due_at = coalesce(due_at, :issuedOn::date + :paymentDays::integer) WHERE id = :id`,
  params: {
    id: int8,
    number: text,
    issuedAt: timestamptz,
    issuedOn: date,
    companyName: text,
    tickets: jsonb<StatementLine[]>(),
    subtotal: int8,
    ppnPercent: numeric,
    ppn: int8,
    total: int8,
    seller: jsonb<Seller>(),
    clientAddress: text,
    clientTaxNumber: text,
    /** From the day of issue to the due day of a draft that has none. */
    paymentDays: nullable(int4),
  },
});

export const markPaid = statement({
  text: `UPDATE invoices SET status = 'paid', paid_at = :day, payment_note = :note WHERE id = :id`,
  params: { id: int8, day: date, note: nullable(text) },
});

/** Corrects a locked invoice by a credit note. */
export const markCredited = statement({
  text: `UPDATE invoices SET status = 'credited', credit_number = :number, credit_reason = :reason, credited_at = :at,
       credited_on = :day
     WHERE id = :id`,
  params: { id: int8, number: text, reason: text, at: timestamptz, day: date },
});

/** Deletes a locked draft, which frees its tickets. */
export const deleteDraft = statement({ text: 'DELETE FROM invoices WHERE id = :id', params: { id: int8 } });
