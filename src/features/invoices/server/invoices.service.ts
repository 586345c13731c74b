import { record } from '#features/audit/server/audit.service.ts';
import { lockExistingCompany } from '#features/clients/server/clients.service.ts';
import { lockBilledTickets } from '#features/statements/server/statements.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { type Caller, narrowToScope, scopeOf } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, fill, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { describePage } from '#shared/describe-page.ts';
import type { Paging } from '#shared/paging.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice, InvoiceQuery } from '../invoices.contract.ts';
import { describeInvoice, describeInvoices, type Today } from './describe-invoice.ts';
import {
  countInvoices,
  deleteDraft,
  findInvoice,
  type InvoiceRow,
  insertDraft,
  listInvoicePage,
  lockInvoice,
  readInvoiceRows,
  type ScopedInvoiceQuery,
  sumOpenInvoices,
  takeTickets,
  updateTerms,
} from './invoices.queries.ts';

type NewInvoice = { company_code: string; month: string };

const invoiceNotFound = () => new AppError(404, 'invoice_not_found', m.server_invoice_not_found);

export function todayOf({ config, now }: Pick<Context, 'config' | 'now'>): Today {
  const timeZone = config.APP_TIMEZONE;
  return { timeZone, today: dayIn(timeZone, now()) };
}

/** Narrows a query to what the caller may see: no drafts and no other company, except for superadmins. */
export function scopeInvoiceQuery(
  caller: Caller,
  { company_code: code, status, overdue, from, to }: InvoiceQuery,
  today: string,
): ScopedInvoiceQuery {
  return {
    companyCode: narrowToScope(caller, code),
    withDrafts: caller.superadmin,
    status: status ?? null,
    overdueOn: overdue === undefined ? null : today,
    from: from ?? null,
    to: to ?? null,
  };
}

/** Lists one page of invoices, newest first, with the open amounts of their companies. */
export async function listInvoices(
  context: Context,
  caller: Caller,
  { page, limit, lines, ...invoiceQuery }: InvoiceQuery & Paging & { lines?: '0' | undefined },
) {
  const { db } = context;
  const when = todayOf(context);
  const scopedQuery = scopeInvoiceQuery(caller, invoiceQuery, when.today);
  const withLines = lines !== '0';
  const rows = await listInvoicePage.all(db, {
    ...scopedQuery,
    withLines,
    limit,
    offset: (page - 1) * limit,
  });
  const invoices = await describeInvoices(db, rows, when);
  const { count: total } = await countInvoices.one(db, scopedQuery);
  return {
    data: withLines ? invoices : invoices.map(({ tickets: _, ...invoice }) => invoice),
    pagination: describePage(page, limit, total),
    open: await sumOpenInvoices.one(db, { companyCode: scopedQuery.companyCode, today: when.today }),
  };
}

const rowsAtOnce = 100;

/** Reads all invoices that match a query in batches, newest first. @param client a single connection */
export async function* readInvoices(
  client: Queryable,
  scopedQuery: ScopedInvoiceQuery,
  when: Today,
): AsyncGenerator<Invoice[]> {
  for await (const rows of readInvoiceRows(client, scopedQuery, rowsAtOnce)) {
    yield await describeInvoices(client, rows, when);
  }
}

/** @throws AppError 404 */
export async function requireInvoice(db: Queryable, caller: Caller, id: number): Promise<InvoiceRow> {
  const row = await findInvoice.first(db, { id });
  const scope = scopeOf(caller);
  const isVisible = scope === null || (scope === row?.company_code && row.status !== 'draft');
  if (!row || !isVisible) throw invoiceNotFound();
  return row;
}

/** @throws AppError 404 outside the caller's scope, and for a draft to anybody but superadmins */
export async function getInvoice(context: Context, caller: Caller, id: number): Promise<Invoice> {
  const row = await requireInvoice(context.db, caller, id);
  return describeInvoice(context.db, row, todayOf(context));
}

/**
 * Drafts an invoice of the tickets of a monthly statement that are on no other invoice that stands.
 * @param month as `YYYY-MM`
 * @throws AppError 400 naming `company_code` for an unknown company; 409 if there is no such ticket, they cost nothing or
 *   too much
 */
export async function createInvoice(context: Context, caller: Caller, input: NewInvoice): Promise<Invoice> {
  return changeAs(context.db, caller, (tx) => draftInvoice(tx, context, input));
}

/** @throws AppError as `createInvoice` */
export async function draftInvoice(
  tx: Queryable,
  context: Context,
  { company_code: companyCode, month }: NewInvoice,
): Promise<Invoice> {
  const firstDay = `${month}-01`;
  if (!(await lockExistingCompany(tx, companyCode))) {
    throw invalidField('company_code', m.server_client_not_found);
  }
  const timeZone = context.config.APP_TIMEZONE;
  const numbers = await lockBilledTickets(tx, { firstDay, timeZone, companyCode });
  if (numbers.length === 0) throw nothingToInvoice();
  const { id } = await insertDraft.one(tx, { companyCode, firstDay, now: context.now() });
  if ((await takeTickets.run(tx, { invoiceId: id, ticketNumbers: numbers })) === 0) {
    throw new AppError(409, 'already_invoiced', m.server_invoice_exists);
  }
  const invoice = await describeInvoice(tx, await requireLockedInvoice(tx, id), todayOf(context));
  requireBillable(invoice);
  const { total, tickets } = invoice;
  await record(tx, {
    action: 'invoice.create',
    objectId: id,
    companyCode,
    after: { month, tickets: tickets.length, total },
  });
  return invoice;
}

const nothingToInvoice = () => new AppError(409, 'nothing_to_invoice', m.server_invoice_nothing);

/** @throws AppError 409 for an invoice of nothing, or of more than JSON and the database hold exactly */
export function requireBillable({ total, tickets }: Invoice): void {
  if (total === 0) throw nothingToInvoice();
  if (total <= Number.MAX_SAFE_INTEGER) return;
  const [largest] = tickets.toSorted((a, b) => b.total - a.total);
  const ticket = largest?.ticket_number ?? '';
  throw new AppError(409, 'invoice_too_large', fill(m.server_invoice_too_large, { ticket }));
}

/**
 * Changes the note and due day of a draft; undefined leaves one as it is.
 * @throws AppError 404; 409 once it is issued
 */
export async function updateInvoice(
  context: Context,
  caller: Caller,
  id: number,
  { note, due_at }: { note?: string | null | undefined; due_at?: string | null | undefined },
): Promise<Invoice> {
  return changeAs(context.db, caller, async (tx) => {
    const row = await requireLockedDraft(tx, id);
    const terms = {
      note: note === undefined ? row.note : (note ?? ''),
      due_at: due_at === undefined ? row.due_at : due_at,
    };
    await updateTerms.run(tx, { id: row.id, note: terms.note, dueAt: terms.due_at });
    const before = { note: row.note, due_at: row.due_at };
    const { company_code: companyCode } = row;
    await record(tx, { action: 'invoice.update', objectId: row.id, companyCode, before, after: terms });
    return describeInvoice(tx, { ...row, ...terms }, todayOf(context));
  });
}

/** @throws AppError 404; 409 once it is issued */
export async function deleteInvoice({ db }: Context, caller: Caller, id: number): Promise<void> {
  await changeAs(db, caller, async (tx) => {
    const row = await requireLockedDraft(tx, id);
    await deleteDraft.run(tx, { id: row.id });
    const { company_code: companyCode, month } = row;
    await record(tx, { action: 'invoice.delete', objectId: row.id, companyCode, before: { month } });
  });
}

/**
 * Locks an invoice until the transaction ends.
 * @throws AppError 404
 */
export async function requireLockedInvoice(tx: Queryable, id: number): Promise<InvoiceRow> {
  const row = await lockInvoice.first(tx, { id });
  if (!row) throw invoiceNotFound();
  return row;
}

/**
 * Locks a draft until the transaction ends.
 * @throws AppError 404; 409 once it is issued
 */
export async function requireLockedDraft(tx: Queryable, id: number): Promise<InvoiceRow> {
  const row = await requireLockedInvoice(tx, id);
  if (row.status === 'draft') return row;
  throw new AppError(409, 'invoice_issued', m.server_invoice_issued);
}
