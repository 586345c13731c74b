import { record } from '#features/audit/server/audit.service.ts';
import { findTerms } from '#features/clients/server/terms/terms.service.ts';
import type { Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { changeOnce } from '#server/http/idempotent-change.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { InvoiceRow } from '../invoices.queries.ts';
import { requireLockedInvoice } from '../invoices.service.ts';
import { deleteInvoiceMails, insertInvoiceMails, markSent } from './invoice-mails.queries.ts';

/**
 * Stores the mails that send an invoice to the addresses in the terms of its company. Those of an earlier sending that
 * still wait are replaced, unless they are just being sent to these addresses.
 * @param key the Idempotency-Key of the request
 * @throws AppError 404; 409 for a draft and a credited invoice, and for a company without an address; 422 as `changeOnce`
 */
export async function sendInvoice(
  context: Context,
  caller: Caller,
  id: number,
  language: Locale,
  key: string | null,
): Promise<void> {
  const request = { key, input: ['sendInvoice', id, language] };
  await changeOnce(context.db, caller, request, async (tx) => {
    const row = await requireLockedInvoice(tx, id);
    if (row.status !== 'issued' && row.status !== 'paid') {
      throw new AppError(409, 'invoice_not_standing', m.server_invoice_not_sendable);
    }
    await queueInvoice(tx, row, language, context.now());
  });
}

/**
 * Stores the mails of an issued invoice, under its lock.
 * @throws AppError 409 for a company without an address
 */
export async function queueInvoice(
  tx: Queryable,
  { id, number, company_code: companyCode, send_status }: InvoiceRow,
  language: Locale,
  at: Date,
): Promise<void> {
  const addresses = (await findTerms.first(tx, { companyCode }))?.invoice_emails ?? [];
  if (addresses.length === 0) {
    throw new AppError(409, 'no_invoice_emails', m.server_invoice_no_emails);
  }
  const mails = { invoiceId: id, addresses, language };
  const deleted = await deleteInvoiceMails.run(tx, mails);
  const inserted = await insertInvoiceMails.run(tx, mails);
  // A second press of the button while the mails of the first are being sent changes nothing.
  if (deleted === 0 && inserted === 0) return;
  await markSent.run(tx, { id, at, to: addresses, isSent: send_status === 'sent' });
  const after = { number, receivers: addresses.join(', ') };
  await record(tx, { action: 'invoice.send', objectId: id, companyCode, after });
}
