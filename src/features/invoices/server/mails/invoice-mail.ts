import { contentTypes } from '#server/http/files/send-file.ts';
import type { Mail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import { type InvoicePaper, writeLongDay, writeMonth } from '../pdf/invoice-document.ts';
import { nameFile } from '../pdf/paper.service.ts';

/**
 * Writes the mail that brings an invoice or reminds of an overdue one, with its PDF attached. A reminder leads to the
 * screen; receivers of invoices need not be users.
 */
export function writeInvoiceMail(
  kind: 'invoice' | 'reminder',
  paper: InvoicePaper,
  pdf: Buffer,
  publicUrl: string,
): Omit<Mail, 'to'> {
  const { invoice, locale } = paper;
  const { _id, month, total, due_at, seller } = invoice;
  const number = invoice.number ?? '';
  const isReminder = kind === 'reminder';
  const heading = isReminder
    ? m.server_invoice_mail_subject({ number }, { locale })
    : seller.name === ''
      ? m.server_invoice_send_subject_bare({ number }, { locale })
      : m.server_invoice_send_subject({ number, seller: seller.name }, { locale });
  const text = isReminder
    ? m.server_invoice_mail_text({}, { locale })
    : m.server_invoice_send_text({ month: writeMonth(month, locale) }, { locale });
  const figures: [label: string, value: string][] = [
    [m.statements_total({}, { locale }), formatRupiah(total)],
    [m.invoices_pdf_due({}, { locale }), due_at === null ? '' : writeLongDay(due_at, locale)],
    [m.invoices_pdf_bank({}, { locale }), seller.bank],
  ];
  const url = `${publicUrl}/dashboard/invoices?invoice=${_id}`;
  return {
    subject: heading,
    ...writeMailBody({
      locale,
      heading,
      paragraphs: [text],
      figures: figures.filter(([, value]) => value !== ''),
      links: isReminder ? [{ label: m.server_invoice_mail_link({}, { locale }), url }] : [],
    }),
    attachments: [{ filename: `${nameFile(paper)}.pdf`, content: pdf, contentType: contentTypes.pdf }],
  };
}
