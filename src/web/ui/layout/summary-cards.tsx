import type { Icon } from '@tabler/icons-react';
import { formatNumber } from '#web/format/format.ts';
import { StatCard } from './stat-card.tsx';

type Props<Key extends string> = {
  label: string;
  cards: readonly { key: Key; label: string; icon: Icon }[];
  summary: Readonly<Record<Key, number>> | undefined;
};

export function SummaryCards<Key extends string>({ label, cards, summary }: Props<Key>) {
  return (
    <section className="cards" aria-label={label}>
      {cards.map(({ key, label: name, icon: CardIcon }) => (
        <StatCard
          key={key}
          label={name}
          value={summary ? formatNumber(summary[key]) : '–'}
          icon={<CardIcon size={18} stroke={1.75} />}
        />
      ))}
    </section>
  );
}
