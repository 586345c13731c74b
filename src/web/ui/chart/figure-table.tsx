import type { ComponentProps } from 'react';
import { m } from '#shared/texts/messages.js';
import { PlainTable } from '#web/ui/table/plain-table.tsx';
import styles from './figure-table.module.css';

/** The figures of a picture over time as a table, to be unfolded beside it. */
export function FigureTable(props: ComponentProps<typeof PlainTable>) {
  return (
    <details className={styles.figureTable}>
      <summary>{m.common_show_table()}</summary>
      <PlainTable {...props} />
    </details>
  );
}
