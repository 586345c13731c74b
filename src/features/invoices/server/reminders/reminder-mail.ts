import { contentTypes } from '#server/http/files/send-file.ts';
import type { Mail } from '#server/mail/mail.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import { type InvoicePaper, writeDay } from '../pdf/invoice-document.ts';
import { nameFile } from '../pdf/paper.service.ts';

/** Writes the mail that reminds of an overdue invoice, with its PDF attached. */
export function writeReminder(paper: InvoicePaper, pdf: Buffer, publicUrl: string): Omit<Mail, 'to'> {
  const { invoice, locale } = paper;
  const { _id, number, total, due_at, seller } = invoice;
  const heading = m.server_invoice_mail_subject({ number: number ?? '' }, { locale });
  return {
    subject: heading,
    ...writeMailBody({
      locale,
      heading,
      paragraphs: [m.server_invoice_mail_text({}, { locale })],
      figures: [
        [m.statements_total({}, { locale }), formatRupiah(total)],
        [m.invoices_pdf_due({}, { locale }), due_at === null ? '' : writeDay(due_at, locale)],
        ...(seller.bank === ''
          ? []
          : [[m.invoices_pdf_bank({}, { locale }), seller.bank] satisfies [string, string]]),
      ],
      links: [
        {
          label: m.server_invoice_mail_link({}, { locale }),
          url: `${publicUrl}/dashboard/invoices?invoice=${_id}`,
        },
      ],
    }),
    attachments: [{ filename: `${nameFile(paper)}.pdf`, content: pdf, contentType: contentTypes.pdf }],
  };
}
