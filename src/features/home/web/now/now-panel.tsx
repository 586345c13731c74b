import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import panels from '#web/ui/layout/panel.module.css';
import styles from './now.module.css';

export const maxLines = 5;

/** A heading and a few lines; nothing without a line. */
export function NowPanel({ title, children }: { title: string; children: readonly ReactNode[] }) {
  const id = useId();
  const lines = children.filter((child) => child !== false);
  if (lines.length === 0) return null;
  return (
    <section className={`${panels.panel} ${styles.nowPanel}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>{lines}</ul>
    </section>
  );
}

export function MoreLine({ count, to }: { count: number; to: string }) {
  return (
    <li>
      <Link to={to}>{m.home_more({ number: formatNumber(count) })}</Link>
    </li>
  );
}
