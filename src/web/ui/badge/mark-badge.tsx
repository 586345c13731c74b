import type { ReactNode } from 'react';
import type { Tone } from './status-badge.tsx';
import './status-badge.css';
import './mark-badge.css';

type Props = {
  tone: Tone;
  mark: 'check' | 'cross' | 'minus' | 'clock';
  title?: string | undefined;
  children: ReactNode;
};

/** A `StatusBadge` whose icon is drawn by CSS, for tables with a thousand badges. */
export function MarkBadge({ tone, mark, title, children }: Props) {
  return (
    <span className={`status-badge marked ${tone} mark-${mark}`} title={title}>
      {children}
    </span>
  );
}
