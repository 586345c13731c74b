import { useQuery } from '@tanstack/react-query';
import { warnedPart } from '#features/clients/budgets.shared.ts';
import { m } from '#shared/texts/messages.js';
import { formatRupiah } from '#web/format/format.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { ownCompanyQuery } from '../clients.api.ts';
import { budgetQuery } from './budgets.api.ts';

/** Tells users the rest of their company's budget before they upload. Nothing without a budget. */
export function BudgetNotice() {
  const { own, read, budget } = useOwnBudget();
  return (
    <>
      <PartNotRead read={own} name={[m.devices_company(), m.clients_budget()].join(', ')} />
      <PartNotRead read={read} name={m.clients_budget()} />
      {budget && <BudgetBanner {...budget} />}
    </>
  );
}

type ExcessProps = {
  /** In rupiah before discounts, as budgets count it. */
  price: number;
  /** Whether the server found an excess, which counts until the budget is read. */
  exceeded: boolean;
};

/** Warns that an upload would be refused. */
export function BudgetExcess({ price, exceeded }: ExcessProps) {
  const { read, budget } = useOwnBudget();
  if (read.data === undefined) {
    return exceeded && <Banner tone="warning" title={m.clients_budget_excess()} />;
  }
  if (!budget || Math.round(budget.used + price) <= budget.limit) return null;
  const left = formatRupiah(Math.max(0, budget.limit - budget.used));
  return (
    <Banner tone="warning" title={m.clients_budget_excess()}>
      {m.clients_budget_excess_text({ price: formatRupiah(price), left })}
    </Banner>
  );
}

/** Returns the reads of the user's company and of its budget, the budget, null without one, and whether it is still being read. */
export function useOwnBudget() {
  const own = useQuery(ownCompanyQuery);
  const code = own.data?.client.company_code ?? '';
  const read = useQuery({ ...budgetQuery(code), enabled: code !== '' });
  const limit = read.data?.monthly_rupiah ?? null;
  return {
    own,
    read,
    budget: limit === null ? null : { limit, used: read.data?.used ?? 0 },
    isReading: own.isPending || (code !== '' && read.isPending),
  };
}

/** The used and the remaining part of a budget in rupiah: a warning from 80 percent on. */
export function BudgetBanner({ limit, used }: { limit: number; used: number }) {
  const left = Math.max(0, limit - used);
  return (
    <Banner
      tone={used >= limit * warnedPart ? 'warning' : 'info'}
      title={m.clients_budget_own({ used: formatRupiah(used), limit: formatRupiah(limit) })}
    >
      {m.clients_budget_left({ left: formatRupiah(left) })} {m.clients_budget_beyond()}
    </Banner>
  );
}
