import { m } from '#shared/texts/messages.js';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import type { BatchLine, MonthEndLine } from '../../month-end.contract.ts';

/** The amounts of a month without an invoice, on drafts, and on issued invoices. */
export function MonthSums({ lines }: { lines: MonthEndLine[] | undefined }) {
  const total = (status: 'draft' | 'issued') =>
    (lines ?? []).flatMap(({ invoice }) => {
      const isIt = invoice?.status === status || (status === 'issued' && invoice?.status === 'paid');
      return invoice && isIt ? [invoice.total] : [];
    });
  const sums: [label: string, amounts: number[]][] = [
    [m.invoices_to_draft(), (lines ?? []).map(({ open }) => open).filter((open) => open > 0)],
    [m.invoices_drafts(), total('draft')],
    [m.invoices_issued(), total('issued')],
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
  const withoutAddress = lines.filter(
    ({ has_address, open, invoice }) => !has_address && (open > 0 || invoice?.status === 'draft'),
  );
  const owingNothing = lines.filter(({ statement, invoice }) => statement.total === 0 && invoice === null);
  // Both kinds are named already.
  const others = failed.filter(
    ({ company_code, error }) =>
      error !== 'no_invoice_emails' &&
      error !== 'nothing_to_invoice' &&
      lines.some((line) => line.company_code === company_code),
  );
  const named = [
    [withoutAddress, m.invoices_no_address_for] as const,
    [owingNothing, m.invoices_nothing_for] as const,
    [others, m.invoices_not_made] as const,
  ];
  return named.map(
    ([companies, name], place) =>
      companies.length > 0 && (
        <Banner key={name.name} tone={place === 1 ? 'info' : 'warning'}>
          {name({ companies: companies.map(({ company_code }) => company_code).join(', ') })}
        </Banner>
      ),
  );
}
