import { record } from '#features/audit/server/audit.service.ts';
import { publishEvent } from '#features/webhooks/server/events/publish-event.service.ts';
import { takeNumber } from '#server/db/counters.queries.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, invalidField } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { daysBetween } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../invoices.contract.ts';
import { describeInvoice } from './describe-invoice.ts';
import {
  freezeInvoice,
  type InvoiceRow,
  lockInvoiceTickets,
  markCredited,
  markPaid,
  releaseTickets,
} from './invoices.queries.ts';
import { requireBillable, requireLockedDraft, requireLockedInvoice, todayOf } from './invoices.service.ts';
import { queueInvoice } from './mails/send-invoice.service.ts';

/**
 * Issues a draft: gives it the next number of the year, and freezes it as it is now. A ticket that was deleted, or runs
 * again, is left out and free for another invoice.
 * @param confirmed its total as it was confirmed; undefined issues it at any
 * @param mail sends it in that language; undefined does not
 * @throws AppError 404; 409 if it is issued, no ticket that costs is left, its total is too large or
 *   not the confirmed one
 */
export async function issueInvoice(
  context: Context,
  caller: Caller,
  id: number,
  { confirmed, mail }: { confirmed?: number | undefined; mail?: Locale | undefined } = {},
): Promise<Invoice> {
  return changeAs(context.db, caller, async (tx) => {
    const row = await requireLockedDraft(tx, id);
    return issueDraft(tx, row, context, { confirmed, mail });
  });
}

/**
 * Issues a locked draft, as `issueInvoice`.
 * @throws AppError 409
 */
export async function issueDraft(
  tx: Queryable,
  row: InvoiceRow,
  context: Context,
  { confirmed, mail }: { confirmed?: number | undefined; mail?: Locale | undefined },
): Promise<Invoice> {
  const when = todayOf(context);
  await lockInvoiceTickets.run(tx, { invoiceId: row.id });
  const draft = await describeInvoice(tx, row, when);
  requireBillable(draft);
  const { tickets, subtotal, ppn_percent, ppn, total, seller } = draft;
  if (confirmed !== undefined && confirmed !== total) {
    throw new AppError(409, 'changed_meanwhile', m.server_invoice_changed);
  }
  await releaseTickets(
    tx,
    row.id,
    tickets.map(({ ticket_number }) => ticket_number),
  );
  // The counter stays locked until the commit, so it comes last.
  const number = await takeYearNumber(tx, 'INV', when.today);
  await freezeInvoice.run(tx, {
    id: row.id,
    number,
    issuedAt: context.now(),
    issuedOn: when.today,
    companyName: row.company_name,
    clientAddress: row.client_address,
    clientTaxNumber: row.client_tax_number,
    paymentDays: row.payment_days,
    tickets,
    subtotal,
    ppnPercent: String(ppn_percent),
    ppn,
    total,
    seller,
  });
  const { company_code: companyCode, month } = row;
  const issued = await describeInvoice(tx, await requireLockedInvoice(tx, row.id), when);
  await record(tx, { action: 'invoice.issue', objectId: row.id, companyCode, after: { number, total } });
  await publishEvent(tx, {
    type: 'invoice.issued',
    companyCode,
    subject: `invoice:${row.id}`,
    data: { _id: String(row.id), number, company_code: companyCode, month, total, due_at: issued.due_at },
    path: `/dashboard/invoices?invoice=${row.id}`,
  });
  if (!mail) return issued;
  await queueInvoice(tx, { ...row, number }, mail, context.now());
  return describeInvoice(tx, await requireLockedInvoice(tx, row.id), when);
}

/**
 * Marks an issued invoice as paid.
 * @param paid_at the day of the payment
 * @throws AppError 400 for a day after tomorrow, 404; 409 for a draft, and if it is paid or credited
 */
export async function payInvoice(
  context: Context,
  caller: Caller,
  id: number,
  { paid_at, note }: { paid_at: string; note?: string | null | undefined },
): Promise<Invoice> {
  return change(context, caller, id, ['issued'], 'invoice_not_open', async (tx, row) => {
    // In some time zones it is tomorrow already.
    if (daysBetween(todayOf(context).today, paid_at) > 1) {
      throw invalidField('paid_at', m.server_invoice_paid_day);
    }
    const payment = { paid_at, payment_note: note || null };
    await markPaid.run(tx, { id: row.id, day: paid_at, note: payment.payment_note });
    const { company_code: companyCode } = row;
    await record(tx, { action: 'invoice.pay', objectId: row.id, companyCode, after: payment });
  });
}

/**
 * Corrects an invoice by a credit note with the next number of the year, and frees its tickets for another invoice.
 * @throws AppError 404; 409 for a draft, and if it has a credit note
 */
export async function creditInvoice(
  context: Context,
  caller: Caller,
  id: number,
  reason: string,
): Promise<Invoice> {
  const { today } = todayOf(context);
  return change(context, caller, id, ['issued', 'paid'], 'invoice_not_standing', async (tx, row) => {
    await releaseTickets(tx, row.id);
    const number = await takeYearNumber(tx, 'CN', today);
    await markCredited.run(tx, { id: row.id, number, reason, at: context.now(), day: today });
    const after = { number, reason };
    await record(tx, {
      action: 'invoice.credit',
      objectId: row.id,
      companyCode: row.company_code,
      before: { status: row.status },
      after,
    });
  });
}

const refusals = {
  invoice_not_open: m.server_invoice_not_open,
  invoice_not_standing: m.server_invoice_not_standing,
};

/** Changes an invoice under its lock, if it has one of some statuses. */
async function change(
  context: Context,
  caller: Caller,
  id: number,
  statuses: InvoiceRow['status'][],
  refusal: keyof typeof refusals,
  work: (tx: Queryable, row: InvoiceRow) => Promise<void>,
): Promise<Invoice> {
  return changeAs(context.db, caller, async (tx) => {
    const row = await requireLockedInvoice(tx, id);
    if (!statuses.includes(row.status)) throw new AppError(409, refusal, refusals[refusal]);
    await work(tx, row);
    return describeInvoice(tx, await requireLockedInvoice(tx, row.id), todayOf(context));
  });
}

/** Takes the next number of a year, as `INV/2026/0001`. Years are those of APP_TIMEZONE. */
async function takeYearNumber(tx: Queryable, series: 'INV' | 'CN', today: string): Promise<string> {
  const year = today.slice(0, 4);
  const { value: number } = await takeNumber.one(tx, { name: `invoice:${series}:${year}` });
  return `${series}/${year}/${String(number).padStart(4, '0')}`;
}
