import type { Icon } from '@tabler/icons-react';
import { formatNumber } from '#web/format/format.ts';
import { StatCard } from './stat-card.tsx';

type Props<Key extends string> = {
  /** Names the group of cards. */
  label: string;
  cards: readonly { key: Key; label: string; icon: Icon }[];
  /** Undefined until it is loaded. */
  summary: Readonly<Record<Key, number>> | undefined;
};

/** A screen's figures in a row of cards. */
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
