import { nameLine } from '#features/statements/name-line.shared.ts';
import type { StatementLine } from '#features/statements/statements.contract.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { longMonths } from '#shared/long-months.ts';
import { formatRupiah } from '#shared/rupiah.ts';
import { m } from '#shared/texts/messages.js';
import type { Invoice } from '../../invoices.contract.ts';

/** A part of a document, in the form that pdfmake describes. */
export type Content = string | { [property: string]: unknown };

export const grey = '#5b6470';

/** An invoice with more tickets lists sums by day: laying out a line takes about 30 ms. */
const maxLines = 1000;

const isSummary = ({ tickets }: Invoice) => tickets.length > maxLines;

/** Says that the lines are sums, and where the tickets are. */
function summaryNote(invoice: Invoice, locale: Locale): Content[] {
  if (!isSummary(invoice)) return [];
  const count = formatCount(invoice.tickets.length, locale);
  return [
    { text: m.invoices_pdf_summary({ count }, { locale }), color: grey, fontSize: 8, margin: [0, 6, 0, 0] },
  ];
}

/** Lays out the tickets of an invoice as a table. */
export function layOutTickets(invoice: Invoice, locale: Locale, timeZone: string): Content[] {
  return [tableOf(invoice, locale, timeZone), ...summaryNote(invoice, locale)];
}

function tableOf(invoice: Invoice, locale: Locale, timeZone: string): Content {
  const head = [
    m.statements_ticket({}, { locale }),
    m.statements_date({}, { locale }),
    m.statements_file({}, { locale }),
    m.statements_rows({}, { locale }),
    m.statements_price({}, { locale }),
    m.statements_subtotal({}, { locale }),
    m.statements_discount({}, { locale }),
    m.statements_total({}, { locale }),
  ].map((text, at): Content => ({ text, style: 'head', alignment: at < 3 ? 'left' : 'right' }));
  return {
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: [36, 52, '*', 'auto', 'auto', 'auto', 'auto', 'auto'],
      body: [head, ...linesOf(invoice, locale, timeZone)],
    },
    layout: {
      hLineWidth: (row: number) => (row === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => '#c9d0d6',
      paddingLeft: (column: number) => (column < 4 ? 2 : 6),
      paddingRight: () => 2,
    },
  };
}

/** Lays out a line for each ticket, or for each day with its sums. */
function linesOf(invoice: Invoice, locale: Locale, timeZone: string): Content[][] {
  const { tickets } = invoice;
  const tag = locale === 'id' ? 'id-ID' : 'en-GB';
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayCell = (day: string): Content => ({
    text: format.format(new Date(day)),
    style: 'line',
    noWrap: true,
  });
  const months = longMonths(locale, timeZone);
  const formatMonth = (instant: string) => months.format(new Date(instant));
  if (!isSummary(invoice)) {
    return tickets.map((line) => [
      { text: line.ticket_number, style: 'line' },
      dayCell(line.date),
      { ...breakLongWords(nameLine(line, locale, formatMonth)), style: 'line' },
      ...layOutAmounts({ ...line, price: formatRupiah(line.price) }, locale),
    ]);
  }
  const days = [...Map.groupBy(tickets, ({ date }) => date)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return days.map(([date, lines]) => {
    const sum = (field: 'billable' | 'subtotal' | 'discount' | 'total') =>
      lines.reduce((total, line) => total + line[field], 0);
    const count = lines.length;
    const number = formatCount(count, locale);
    return [
      '',
      dayCell(date),
      { text: m.invoices_pdf_day_tickets({ count, number }, { locale }), style: 'line' },
      ...layOutAmounts(
        {
          billable: sum('billable'),
          price: '',
          subtotal: sum('subtotal'),
          discount: sum('discount'),
          total: sum('total'),
        },
        locale,
      ),
    ];
  });
}

type Amounts = Pick<StatementLine, 'billable' | 'subtotal' | 'discount' | 'total'> & { price: string };

function layOutAmounts(line: Amounts, locale: Locale): Content[] {
  // Amounts of more digits fit on the page only in a smaller size.
  const fontSize = line.subtotal < 1e12 ? 8 : 6;
  const right = (text: string): Content => ({ text, fontSize, alignment: 'right', noWrap: true });
  return [
    right(formatCount(line.billable, locale)),
    right(line.price),
    right(formatRupiah(line.subtotal)),
    right(formatRupiah(line.discount)),
    right(formatRupiah(line.total)),
  ];
}

/** Lays out a text that is broken between words; anywhere, if it has a word that may be longer than a column. */
export function breakLongWords(text: string): { text: string; wordBreak?: 'break-all' } {
  const isLong = /[^\s-]{25}/u.test(text);
  return { text, ...(isLong && { wordBreak: 'break-all' }) };
}
