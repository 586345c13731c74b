import { record } from '#features/audit/server/audit.service.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';
import { describeInvoice } from '../describe-invoice.ts';
import { requireLockedInvoice, todayOf } from '../invoices.service.ts';
import { insertReminders } from '../mails/invoice-mails.queries.ts';
import { markReminded } from './reminders.queries.ts';

/** At most one reminder of an invoice in that time. */
export const pauseMs = 86_400_000;

/**
 * Stores the mails that remind the administrators of a company of an overdue invoice, under the invoice's lock, so that
 * two at once send one.
 * @throws AppError 404; 409 if it is not overdue, was reminded of within a day, or its company has no administrator
 */
export async function remindOf(
  context: Context,
  caller: Caller,
  id: number,
  language: Locale,
): Promise<void> {
  await changeAs(context.db, caller, async (tx) => {
    const row = await requireLockedInvoice(tx, id);
    const now = context.now();
    requireOverdue(await describeInvoice(tx, row, todayOf(context)), now);
    const receivers = (await insertReminders.all(tx, { invoiceId: row.id, language })).map(
      ({ address }) => address,
    );
    if (receivers.length === 0) {
      throw new AppError(409, 'no_receivers', m.server_invoice_no_receivers);
    }
    await markReminded.run(tx, { id: row.id, at: now });
    const { number, company_code: companyCode } = row;
    const after = { number, receivers: receivers.join(', ') };
    await record(tx, { action: 'invoice.remind', objectId: row.id, companyCode, after });
  });
}

function requireOverdue({ overdue, reminded_at: last }: Invoice, now: Date): void {
  if (!overdue) {
    throw new AppError(409, 'invoice_not_overdue', m.server_invoice_not_overdue);
  }
  if (last !== null && now.getTime() - Date.parse(last) < pauseMs) {
    throw new AppError(409, 'invoice_reminded', m.server_invoice_reminded);
  }
}
