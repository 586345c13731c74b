import { Decimal } from 'decimal.js';
import { listStatementLines } from '#features/statements/server/statements.service.ts';
import type { StatementLine } from '#features/statements/statements.contract.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Invoice, Seller } from '../invoices.contract.ts';
import { type InvoiceRow, listInvoiceTickets } from './invoices.queries.ts';
import { getSeller } from './seller/seller.service.ts';

/** The time zone of days, and today in it. */
export type Today = { timeZone: string; today: string };

/** Computes the amounts of an invoice in whole rupiah: the tax is rounded once, on the subtotal (docs/rules.md, Money). */
function computeAmounts(tickets: StatementLine[], ppnPercent: number) {
  const subtotal = tickets.reduce((sum, { total }) => sum + total, 0);
  const ppn = new Decimal(subtotal).times(ppnPercent).dividedBy(100).round().toNumber();
  return { subtotal, ppn_percent: ppnPercent, ppn, total: subtotal + ppn };
}

/** The seller and the tickets of a draft, as they are now. */
type DraftContent = { seller: Seller; tickets: StatementLine[] };

/** Describes invoices as every call answers them, in the same order. */
export async function describeInvoices(db: Queryable, rows: InvoiceRow[], when: Today): Promise<Invoice[]> {
  const drafts = rows.filter(({ status }) => status === 'draft').map(({ id }) => id);
  const contents = await readDrafts(db, drafts, when.timeZone);
  return rows.map((row) => describeRow(row, contents.get(row.id), when.today));
}

export async function describeInvoice(db: Queryable, row: InvoiceRow, when: Today): Promise<Invoice> {
  const [invoice] = await describeInvoices(db, [row], when);
  if (!invoice) throw new Error('an invoice has one description');
  return invoice;
}

async function readDrafts(
  db: Queryable,
  ids: number[],
  timeZone: string,
): Promise<Map<number, DraftContent>> {
  if (ids.length === 0) return new Map();
  const { version: _, ...seller } = await getSeller(db);
  const placed = await listInvoiceTickets.all(db, { invoiceIds: ids });
  const invoiceOf = new Map(placed.map((one) => [String(one.ticket_number), one.invoice_id]));
  const lines = await listStatementLines(db, [...invoiceOf.keys()], timeZone);
  const linesOf = Map.groupBy(lines, ({ ticket_number }) => invoiceOf.get(ticket_number));
  return new Map(ids.map((id) => [id, { seller, tickets: linesOf.get(id) ?? [] }]));
}

function describeRow(row: InvoiceRow, draft: DraftContent | undefined, today: string): Invoice {
  const { id, number, status, company_code, company_name, month, note, due_at, paid_at, payment_note } = row;
  const { client_address: address, client_tax_number: tax_number, payment_days } = row;
  return {
    _id: String(id),
    number,
    status,
    company_code,
    company_name,
    client: { name: company_name, address, tax_number },
    month,
    ...contentOf(row, draft),
    note,
    due_at,
    payment_days: status === 'draft' ? payment_days : null,
    overdue: status === 'issued' && due_at !== null && due_at < today,
    created_at: row.created_at.toISOString(),
    issued_at: row.issued_at?.toISOString() ?? null,
    issued_on: row.issued_on,
    paid_at,
    payment_note,
    reminded_at: row.reminded_at?.toISOString() ?? null,
    sent: describeSending(row),
    credit_note: describeCreditNote(row),
  };
}

/**
 * Returns the tickets, amounts and seller: those of its issue, or the present ones of a draft. An issued invoice that was
 * read without its lines has no tickets.
 */
function contentOf({ tickets, subtotal, ppn_percent, ppn, total, seller }: InvoiceRow, draft?: DraftContent) {
  if (draft) return { ...draft, ...computeAmounts(draft.tickets, draft.seller.ppn_percent ?? 0) };
  // A constraint of the table keeps all of them on issued invoices.
  if (!seller || subtotal === null || ppn === null || total === null) {
    throw new Error('an issued invoice has its amounts');
  }
  return { tickets: tickets ?? [], subtotal, ppn_percent: Number(ppn_percent), ppn, total, seller };
}

function describeSending({ sent_at, sent_to, send_status: status }: InvoiceRow): Invoice['sent'] {
  return sent_at === null ? null : { at: sent_at.toISOString(), to: sent_to ?? [], status };
}

function describeCreditNote({
  credit_number,
  credit_reason,
  credited_at,
}: InvoiceRow): Invoice['credit_note'] {
  if (credit_number === null) return null;
  return { number: credit_number, reason: credit_reason ?? '', issued_at: credited_at?.toISOString() ?? '' };
}
