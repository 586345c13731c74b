import { type ReactNode, useId } from 'react';
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
