import type { ReactNode } from 'react';
import typography from '#web/styles/typography.module.css';
import styles from './fact-list.module.css';

export function FactList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.factList}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={typography.tabular}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
