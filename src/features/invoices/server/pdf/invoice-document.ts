import { dayIn } from '#shared/calendar-day.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';
import { writeAmount } from './amount-words.ts';
import { breakLongWords, type Content, grey, layOutTickets } from './invoice-table.ts';

/** A document to print: the invoice, or the credit note that corrects it. */
export type InvoicePaper = {
  invoice: Invoice;
  kind: 'invoice' | 'credit-note';
  locale: Locale;
  timeZone: string;
};

const styles: Record<string, Content> = {
  title: { fontSize: 22, bold: true, alignment: 'right' },
  mark: { fontSize: 11, bold: true, color: '#b42318', alignment: 'right' },
  seller: { fontSize: 13, bold: true },
  label: { color: grey },
  head: { bold: true, fontSize: 8, color: grey },
  line: { fontSize: 8 },
  total: { bold: true, fontSize: 11 },
};

/** Lays out an invoice or its credit note on A4 pages, for pdfmake. The same invoice always gives the same document. */
export function layOutInvoice(paper: InvoicePaper): object {
  const { invoice, locale } = paper;
  const { title, number } = nameOf(paper);
  const day = issueDayOf(paper);
  return {
    pageSize: 'A4',
    pageMargins: [40, 40, 40, 56],
    defaultStyle: { font: 'Roboto', fontSize: 9, lineHeight: 1.2 },
    styles,
    info: {
      title: `${title} ${number}`,
      author: invoice.seller.name,
      creationDate: new Date(issueInstantOf(paper)),
    },
    language: locale,
    footer: (page: number, pages: number) => ({
      columns: [
        { text: `${title} ${number}`, color: grey },
        {
          text: m.invoices_pdf_page({ page: String(page), pages: String(pages) }, { locale }),
          color: grey,
          alignment: 'right',
        },
      ],
      margin: [40, 20, 40, 0],
      fontSize: 8,
    }),
    content: [
      { columns: [sellerOf(invoice, locale), { width: 200, stack: titleOf(paper) }], columnGap: 24 },
      {
        columns: [billTo(invoice, locale), { width: 240, ...factsOf(paper, day) }],
        columnGap: 24,
        margin: [0, 24, 0, 20],
      },
      ...layOutTickets(invoice, locale, paper.timeZone),
      { unbreakable: true, margin: [0, 12, 0, 0], stack: [sumsOf(invoice, locale), ...wordsOf(paper)] },
      ...endOf(paper),
    ],
  };
}

function nameOf({ invoice, kind, locale }: InvoicePaper): { title: string; number: string } {
  if (kind === 'credit-note') {
    return { title: m.invoices_credit_note({}, { locale }), number: invoice.credit_note?.number ?? '' };
  }
  return {
    title: m.invoices_pdf_invoice({}, { locale }),
    number: invoice.number ?? m.invoices_draft({}, { locale }),
  };
}

const issueInstantOf = ({ invoice, kind }: InvoicePaper): string =>
  (kind === 'credit-note' ? invoice.credit_note?.issued_at : invoice.issued_at) ?? invoice.created_at;

function issueDayOf(paper: InvoicePaper): string {
  return writeLongDay(dayIn(paper.timeZone, new Date(issueInstantOf(paper))), paper.locale);
}

/** Writes a day (`YYYY-MM-DD`) in full, as `15 December 2026`. */
export function writeLongDay(day: string, locale: Locale): string {
  const tag = locale === 'id' ? 'id-ID' : 'en-GB';
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(tag, { dateStyle: 'long', timeZone: 'UTC' });
}

/** Writes a month (`YYYY-MM`) in full, as `December 2026`. */
export function writeMonth(month: string, locale: Locale): string {
  const tag = locale === 'id' ? 'id-ID' : 'en-GB';
  const first = new Date(`${month}-01T00:00:00Z`);
  return first.toLocaleDateString(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' });
}

function sellerOf({ seller }: Invoice, locale: Locale): Content {
  const tax = seller.tax_number && `${m.invoices_pdf_tax_number({}, { locale })} ${seller.tax_number}`;
  return {
    width: '*',
    stack: [
      { ...breakLongWords(seller.name), style: 'seller' },
      ...[seller.address, tax].filter((part) => part !== '').map(breakLongWords),
    ],
  };
}

function titleOf(paper: InvoicePaper): Content[] {
  const { title, number } = nameOf(paper);
  const isDraft = paper.invoice.status === 'draft';
  return [
    { text: title.toUpperCase(), style: 'title' },
    isDraft
      ? { text: m.invoices_pdf_draft({}, { locale: paper.locale }), style: 'mark' }
      : { text: number, alignment: 'right', bold: true, fontSize: 11 },
  ];
}

function billTo({ client, company_code: code }: Invoice, locale: Locale): Content {
  const { name, address, tax_number } = client;
  const tax = tax_number && `${m.invoices_pdf_tax_number({}, { locale })} ${tax_number}`;
  return {
    width: '*',
    stack: [
      { text: m.invoices_pdf_bill_to({}, { locale }), style: 'label' },
      { ...breakLongWords(name), bold: true, fontSize: 11 },
      code,
      ...[address, tax].filter((part) => part !== '').map(breakLongWords),
    ],
  };
}

/** The days, month and, on a credit note, the invoice that it corrects. */
function factsOf(paper: InvoicePaper, day: string) {
  const { invoice, kind, locale } = paper;
  const due = invoice.due_at === null ? null : writeLongDay(invoice.due_at, locale);
  const facts: [label: string, value: string | null][] = [
    [m.invoices_pdf_date({}, { locale }), invoice.status === 'draft' ? null : day],
    ...(kind === 'credit-note'
      ? [[m.invoices_pdf_corrects({}, { locale }), invoice.number] satisfies [string, string | null]]
      : [[m.invoices_pdf_due({}, { locale }), due] satisfies [string, string | null]]),
    [m.invoices_pdf_month({}, { locale }), writeMonth(invoice.month, locale)],
  ];
  const body = facts
    .filter(([, value]) => value !== null)
    .map(([label, value]): Content[] => [
      { text: label, style: 'label' },
      { text: value ?? '', alignment: 'right' },
    ]);
  return { table: { widths: ['auto', '*'], body }, layout: 'noBorders' };
}

function sumsOf({ subtotal, ppn_percent, ppn, total }: Invoice, locale: Locale): Content {
  const percent = formatCount(ppn_percent, locale);
  const sums: Content[][] = [
    [m.statements_subtotal({}, { locale }), { text: formatRupiah(subtotal), alignment: 'right' }],
    ...(ppn_percent > 0 ? [[`PPN ${percent}%`, { text: formatRupiah(ppn), alignment: 'right' }]] : []),
    [
      { text: m.statements_total({}, { locale }), style: 'total' },
      { text: formatRupiah(total), style: 'total', alignment: 'right' },
    ],
  ];
  return {
    columns: [
      { width: '*', text: '' },
      { width: 230, table: { widths: ['*', 'auto'], body: sums }, layout: 'lightHorizontalLines' },
    ],
  };
}

function wordsOf({ invoice, locale }: InvoicePaper): Content[] {
  return [
    {
      text: [
        { text: `${m.invoices_pdf_in_words({}, { locale })} `, color: grey },
        { text: writeAmount(invoice.total, locale), italics: true },
      ],
      margin: [0, 10, 0, 0],
    },
  ];
}

/** More lines than these may be too many for one page. */
const linesTogether = 40;

/** The bank and note of an invoice, or the reason of a credit note. */
function endOf({ invoice, kind, locale }: InvoicePaper): Content[] {
  const parts: [label: string, text: string][] =
    kind === 'credit-note'
      ? [[m.invoices_reason({}, { locale }), invoice.credit_note?.reason ?? '']]
      : [
          [m.invoices_pdf_bank({}, { locale }), invoice.seller.bank],
          [m.invoices_note({}, { locale }), invoice.note],
        ];
  return parts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => ({
      unbreakable: text.split('\n').length <= linesTogether,
      margin: [0, 14, 0, 0],
      stack: [{ text: label, style: 'label' }, text],
    }));
}
