import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import styles from './stat-card.module.css';

type Props = { label: string; value: ReactNode; hint?: ReactNode; icon?: ReactNode };

export function StatCard({ label, value, hint, icon }: Props) {
  return (
    <div className={styles.statCard}>
      <div className={styles.statText}>
        <p className={styles.statLabel}>{label}</p>
        <p className={styles.statValue}>{value}</p>
        {hint !== undefined && <p className={styles.statHint}>{hint}</p>}
      </div>
      {icon !== undefined && (
        <span className={styles.statIcon} aria-hidden="true">
          {icon}
        </span>
      )}
    </div>
  );
}

type SummaryProps<Key extends string> = {
  label: string;
  cards: readonly { key: Key; label: string; icon: Icon }[];
  summary: Readonly<Record<Key, number>> | undefined;
};

export function SummaryCards<Key extends string>({ label, cards, summary }: SummaryProps<Key>) {
  return (
    <section className={layout.cards} aria-label={label}>
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
