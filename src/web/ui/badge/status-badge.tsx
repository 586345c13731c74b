import type { ReactNode } from 'react';
import './status-badge.css';

export type Tone = 'yellow' | 'blue' | 'green' | 'red' | 'grey';

/** A state as colour, icon and word together; never colour alone. */
export function StatusBadge({ tone, icon, children }: { tone: Tone; icon: ReactNode; children: ReactNode }) {
  return (
    <span className={`status-badge ${tone}`}>
      {icon}
      <span>{children}</span>
    </span>
  );
}
