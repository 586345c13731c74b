import type { StatementLine } from '#features/statements/statements.contract.ts';
import { readBatches } from '#server/db/bulk/read-batches.ts';
import {
  date,
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

const stored = {
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
  credited_on: nullable(date),
  reminded_at: nullable(timestamptz),
};
/**
 * `company_name`, `client_address`, `client_tax_number`: as they were issued; the present ones of a draft. `month`: as
 * `YYYY-MM`. `payment_days`: those of the company's present terms.
 */
const invoice = {
  ...stored,
  month: notNull(text),
  company_name: notNull(text),
  client_address: notNull(text),
  client_tax_number: notNull(text),
  payment_days: nullable(int4),
};
export type InvoiceRow = RowOf<typeof invoice>;

const columns = `${Object.keys(stored)
  .map((name) => `i.${name}`)
  .join(
    ', ',
  )}, to_char(i.month, 'YYYY-MM') AS month, coalesce(i.company_name, c.company_name) AS company_name,
     CASE i.status WHEN 'draft' THEN coalesce(terms.address, '') ELSE i.client_address END AS client_address,
     CASE i.status WHEN 'draft' THEN coalesce(terms.tax_number, '') ELSE i.client_tax_number END AS client_tax_number,
     terms.payment_days`;
const tables = `invoices i JOIN clients c ON c.company_code = i.company_code
     LEFT JOIN client_terms terms ON terms.company_code = i.company_code`;

/** Which invoices: of one company (null: all), without drafts, of a status, overdue on a day, issued from and to a day. */
export type AskedInvoices = {
  companyCode: string | null;
  withDrafts: boolean;
  status: InvoiceStatus | null;
  overdueOn: string | null;
  from: string | null;
  to: string | null;
};

const valuesOf = (asked: AskedInvoices) => [
  asked.companyCode,
  asked.withDrafts,
  asked.status,
  asked.overdueOn,
  asked.from,
  asked.to,
];

/** SQL condition: an invoice that `AskedInvoices` ($1 to $6) asks for. */
const isAsked = `($1::text IS NULL OR i.company_code = $1) AND ($2::boolean OR i.status <> 'draft')
     AND ($3::text IS NULL OR i.status = $3) AND ($4::date IS NULL OR (i.status = 'issued' AND i.due_at < $4))
     AND ($5::date IS NULL OR i.issued_on >= $5) AND ($6::date IS NULL OR i.issued_on <= $6)`;

const listPage = statement({
  text: `SELECT ${columns} FROM ${tables} WHERE ${isAsked} ORDER BY i.id DESC LIMIT $7 OFFSET $8`,
  row: invoice,
});

export function listInvoicePage(
  db: Queryable,
  asked: AskedInvoices,
  limit: number,
  offset: number,
): Promise<InvoiceRow[]> {
  return listPage.all(db, [...valuesOf(asked), limit, offset]);
}

/** Reads all invoices in batches, newest first, on a single connection. */
export function readInvoiceRows(client: Queryable, asked: AskedInvoices, rowsAtOnce: number) {
  return readBatches(client, listPage, [...valuesOf(asked), null, 0], rowsAtOnce);
}

const count = statement({
  text: `SELECT count(*) AS count FROM invoices i WHERE ${isAsked}`,
  row: { count: int8 },
});

export async function countInvoices(db: Queryable, asked: AskedInvoices): Promise<number> {
  return (await count.one(db, valuesOf(asked))).count;
}

/** Counts and sums the issued invoices that are not paid. @param today the day before which a due day is over */
export const sumOpenInvoices = statement({
  text: `SELECT count(*) AS count, coalesce(sum(total), 0)::bigint AS total,
       count(*) FILTER (WHERE due_at < $2) AS overdue_count, coalesce(sum(total) FILTER (WHERE due_at < $2), 0)::bigint AS overdue_total
     FROM invoices WHERE status = 'issued' AND ($1::text IS NULL OR company_code = $1)`,
  row: { count: int8, total: int8, overdue_count: int8, overdue_total: int8 },
}).oneWith<[companyCode: string | null, today: string]>();

export const findInvoice = statement({
  text: `SELECT ${columns} FROM ${tables} WHERE i.id = $1`,
  row: invoice,
}).firstWith<[id: number]>();

/** Locks an invoice until the transaction ends. */
export const lockInvoice = statement({
  text: `SELECT ${columns} FROM ${tables} WHERE i.id = $1 FOR UPDATE OF i`,
  row: invoice,
}).firstWith<[id: number]>();

/** Inserts a draft without tickets. @param firstDay the first day of its month */
export const insertDraft = statement({
  text: 'INSERT INTO invoices (company_code, month, created_at) VALUES ($1, $2, $3) RETURNING id',
  row: { id: int8 },
}).valueWith<[companyCode: string, firstDay: string, now: Date]>();

/** Puts tickets on an invoice, except those that are on another one that stands. @returns how many are on it */
export const takeTickets = statement({
  text: `INSERT INTO invoice_tickets (ticket_number, invoice_id) SELECT n, $1 FROM unnest($2::bigint[]) AS n ORDER BY n
     ON CONFLICT (ticket_number) DO NOTHING`,
}).runWith<[invoiceId: number, ticketNumbers: number[]]>();

const freeTickets = statement({
  text: 'DELETE FROM invoice_tickets WHERE invoice_id = $1 AND ticket_number <> ALL ($2::bigint[])',
});

export async function releaseTickets(tx: Queryable, invoiceId: number, except: string[] = []): Promise<void> {
  await freeTickets.run(tx, [invoiceId, except]);
}

/** Lists the tickets of some invoices that stand. */
export const listInvoiceTickets = statement({
  text: 'SELECT invoice_id, ticket_number FROM invoice_tickets WHERE invoice_id = ANY ($1::bigint[])',
  row: { invoice_id: int8, ticket_number: int8 },
}).allWith<[invoiceIds: number[]]>();

/** Locks the tickets of an invoice against changes until the transaction ends. */
export const lockInvoiceTickets = statement({
  text: `SELECT FROM tickets WHERE ticket_number = ANY (ARRAY(SELECT ticket_number FROM invoice_tickets WHERE invoice_id = $1))
     ORDER BY ticket_number FOR SHARE`,
}).runWith<[invoiceId: number]>();

export const updateTerms = statement({
  text: 'UPDATE invoices SET note = $2, due_at = $3 WHERE id = $1',
}).runWith<[id: number, note: string, dueAt: string | null]>();

const freeze = statement({
  text: `UPDATE invoices SET status = 'issued', number = $2, issued_at = $3, issued_on = $4, company_name = $5, tickets = $6,
       subtotal = $7, ppn_percent = $8, ppn = $9, total = $10, seller = $11,
       client_address = $12, client_tax_number = $13, due_at = coalesce(due_at, $4::date + $14::integer) WHERE id = $1`,
});

/** The values that issuing adds to a draft. */
export type FrozenInvoice = {
  number: string;
  issuedAt: Date;
  issuedOn: string;
  companyName: string;
  clientAddress: string;
  clientTaxNumber: string;
  /** From the day of issue to the due day of a draft that has none. */
  paymentDays: number | null;
  tickets: StatementLine[];
  subtotal: number;
  ppnPercent: number;
  ppn: number;
  total: number;
  seller: Seller;
};

/** Issues a locked draft. */
export async function freezeInvoice(tx: Queryable, id: number, frozen: FrozenInvoice): Promise<void> {
  const { number, issuedAt, issuedOn, companyName, tickets, subtotal, ppnPercent, ppn, total, seller } =
    frozen;
  const terms = [frozen.clientAddress, frozen.clientTaxNumber, frozen.paymentDays];
  const amounts = [subtotal, ppnPercent, ppn, total];
  const texts = [JSON.stringify(tickets), ...amounts, JSON.stringify(seller)];
  await freeze.run(tx, [id, number, issuedAt, issuedOn, companyName, ...texts, ...terms]);
}

export const markPaid = statement({
  text: `UPDATE invoices SET status = 'paid', paid_at = $2, payment_note = $3 WHERE id = $1`,
}).runWith<[id: number, day: string, note: string | null]>();

const credit = statement({
  text: `UPDATE invoices SET status = 'credited', credit_number = $2, credit_reason = $3, credited_at = $4, credited_on = $5
     WHERE id = $1`,
});

/** Corrects a locked invoice by a credit note. */
export async function markCredited(
  tx: Queryable,
  id: number,
  made: { number: string; reason: string; at: Date; day: string },
): Promise<void> {
  await credit.run(tx, [id, made.number, made.reason, made.at, made.day]);
}

/** Deletes a locked draft, which frees its tickets. */
export const deleteDraft = statement({ text: 'DELETE FROM invoices WHERE id = $1' }).runWith<[id: number]>();
