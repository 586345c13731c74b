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

/** Looks like a `StatusBadge`, its icon drawn by CSS alone: for tables in which a thousand of them stand. */
export function MarkBadge({ tone, mark, title, children }: Props) {
  return (
    <span className={`status-badge marked ${tone} mark-${mark}`} title={title}>
      {children}
    </span>
  );
}
