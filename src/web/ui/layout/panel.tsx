import { type ReactNode, useId } from 'react';
import layout from '#web/styles/layout.module.css';
import styles from './panel.module.css';

type Props = {
  title?: ReactNode;
  note?: ReactNode;
  toolbar?: ReactNode;
  /** A line between head and content, for filters. */
  bar?: ReactNode;
  footer?: ReactNode;
  /** Lets the content reach the panel's edges, as a table does. */
  flush?: boolean;
  children: ReactNode;
};

export function Panel({ title, note, toolbar, bar, footer, flush = false, children }: Props) {
  const id = useId();
  return (
    <section className={styles.panel} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || toolbar !== undefined) && (
        <div className={styles.panelHead}>
          {title !== undefined && (
            <div className={styles.panelTitle}>
              <h2 id={id}>{title}</h2>
              {note}
            </div>
          )}
          {toolbar !== undefined && <div className={`${layout.row} ${styles.panelTools}`}>{toolbar}</div>}
        </div>
      )}
      {bar !== undefined && <div className={styles.panelBar}>{bar}</div>}
      <div className={flush ? `${styles.panelBody} ${styles.flush}` : styles.panelBody}>{children}</div>
      {footer !== undefined && <div className={styles.panelFoot}>{footer}</div>}
    </section>
  );
}
