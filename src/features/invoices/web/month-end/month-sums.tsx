import { m } from '#shared/texts/messages.js';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import type { BatchLine, MonthEndLine } from '../../month-end.contract.ts';

type ListedInvoice = MonthEndLine['invoices'][number];

const isDraft = ({ status }: ListedInvoice) => status === 'draft';

/** Whether an invoice is a draft of an amount: one of Rp 0 is not issued. */
export const isIssuable = (invoice: ListedInvoice) => isDraft(invoice) && invoice.total > 0;

/** The amounts of a month without an invoice, on drafts, and on issued invoices. */
export function MonthSums({ lines }: { lines: MonthEndLine[] | undefined }) {
  const totalOf = (invoices: MonthEndLine['invoices']) => invoices.reduce((sum, { total }) => sum + total, 0);
  const amountsOf = (amountOf: (line: MonthEndLine) => number) =>
    (lines ?? []).map(amountOf).filter((amount) => amount > 0);
  const sums: [label: string, amountsOfCompanies: number[]][] = [
    [m.invoices_to_draft(), amountsOf(({ open }) => open)],
    [m.invoices_drafts(), amountsOf(({ invoices }) => totalOf(invoices.filter(isDraft)))],
    [m.invoices_issued(), amountsOf(({ invoices }) => totalOf(invoices.filter((one) => !isDraft(one))))],
  ];
  return (
    <section className={layout.cards} aria-label={m.invoices_month_end()}>
      {sums.map(([label, amounts]) => (
        <StatCard
          key={label}
          label={label}
          value={lines ? formatRupiah(amounts.reduce((sum, amount) => sum + amount, 0)) : '–'}
          hint={
            lines
              ? m.invoices_companies_count({ count: amounts.length, number: formatNumber(amounts.length) })
              : '–'
          }
        />
      ))}
    </section>
  );
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
  // Both kinds are named already.
  const otherFailures = failed.filter(
    ({ company_code, error }) =>
      error !== 'no_invoice_emails' &&
      error !== 'nothing_to_invoice' &&
      toBill.some((line) => line.company_code === company_code),
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
