import { m } from '#shared/texts/messages.js';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import type { BatchLine, MonthEndLine, MonthEndSums } from '../../month-end.contract.ts';

type ListedInvoice = MonthEndLine['invoices'][number];

const isDraft = ({ status }: ListedInvoice) => status === 'draft';

/** Whether an invoice is a draft of an amount: one of Rp 0 is not issued. */
export const isIssuable = (invoice: ListedInvoice) => isDraft(invoice) && invoice.total > 0;

/** The amounts of a month without an invoice, on drafts, and on issued invoices. */
export function MonthSums({ sums, hasPpn }: { sums: MonthEndSums | undefined; hasPpn: boolean }) {
  const cards: [label: string, sum: MonthEndSums['open'] | undefined][] = [
    [m.invoices_to_draft(), sums?.open],
    [m.invoices_drafts(), sums?.drafts],
    [m.invoices_issued(), sums?.issued],
  ];
  return (
    <section className={layout.cards} aria-label={m.invoices_month_end()}>
      {cards.map(([label, sum]) => (
        <StatCard
          key={label}
          label={label}
          value={sum ? formatRupiah(sum.total) : '–'}
          hint={sum ? describeSum(sum, hasPpn) : '–'}
        />
      ))}
    </section>
  );
}

/** Returns the companies of a sum, and its PPN, if any of the three sums has PPN. */
function describeSum({ companies, total, ppn }: MonthEndSums['open'], hasPpn: boolean): string {
  const count = m.invoices_companies_count({ count: companies, number: formatNumber(companies) });
  if (!hasPpn || total === 0) return count;
  return `${count}, ${ppn === 0 ? m.invoices_without_ppn() : m.invoices_with_ppn_of({ ppn: formatRupiah(ppn) })}`;
}

/** Names the companies that cannot be billed. @param failed those that the latest batch left out */
export function Unbilled({ lines, failed }: { lines: MonthEndLine[]; failed: BatchLine[] }) {
  const toBill = lines.filter(({ open, invoices }) => open > 0 || invoices.some(isIssuable));
  const withoutAddress = toBill.filter(({ has_address }) => !has_address);
  const owingNothing = lines.filter(
    ({ statement, invoices }) =>
      (statement.total === 0 && invoices.length === 0) ||
      invoices.some((invoice) => isDraft(invoice) && !isIssuable(invoice)),
  );
  const billed = new Set(
    lines.filter((line) => !toBill.includes(line)).map(({ company_code }) => company_code),
  );
  // The first two kinds are named already.
  const otherFailures = failed.filter(
    ({ company_code, error }) =>
      error !== 'no_invoice_emails' && error !== 'nothing_to_invoice' && !billed.has(company_code),
  );
  const failedBy = Object.groupBy(otherFailures, ({ error }) =>
    error === 'internal' || error === 'invoice_too_large' ? error : 'changed',
  );
  const notices = [
    [withoutAddress, m.invoices_no_address_for] as const,
    [owingNothing, m.invoices_nothing_for] as const,
    [failedBy.changed ?? [], m.invoices_not_made] as const,
    [failedBy.invoice_too_large ?? [], m.invoices_too_large_for] as const,
    [failedBy.internal ?? [], m.invoices_failed_for] as const,
  ];
  return notices.map(
    ([companies, name], place) =>
      companies.length > 0 && (
        <Banner key={name.name} tone={place === 1 ? 'info' : 'warning'}>
          {name({ companies: companies.map(({ company_code }) => company_code).join(', ') })}
        </Banner>
      ),
  );
}
