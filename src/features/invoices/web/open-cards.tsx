import { IconAlarm, IconCash } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import type { OpenAmounts } from '../invoices.contract.ts';

export function OpenCards({ open }: { open: OpenAmounts | undefined }) {
  return (
    <section className={layout.cards} aria-label={m.invoices_open()}>
      <StatCard
        label={m.invoices_open()}
        value={open ? formatRupiah(open.total) : '–'}
        hint={open ? describeCount(open.count) : '–'}
        icon={<IconCash size={18} stroke={1.75} />}
      />
      <StatCard
        label={m.invoices_overdue()}
        value={open ? formatRupiah(open.overdue_total) : '–'}
        hint={open ? describeCount(open.overdue_count) : '–'}
        icon={<IconAlarm size={18} stroke={1.75} />}
      />
    </section>
  );
}

const describeCount = (count: number) => m.invoices_count({ count, number: formatNumber(count) });
