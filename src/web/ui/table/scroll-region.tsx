import type { ReactNode } from 'react';
import styles from './scroll-region.module.css';

type Props = {
  /** Its name, or the id of the element that names it. */
  label?: string;
  labelledBy?: string;
  className?: string | undefined;
  children: ReactNode;
};

/** A region that scrolls within itself, by keyboard too. It fades where more lies to the right. */
export function ScrollRegion({ label, labelledBy, className = '', children }: Props) {
  return (
    <div className={styles.scrollFrame}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form */}
      <div
        className={`${styles.scrollRegion} ${className}`}
        role="group"
        aria-label={label}
        aria-labelledby={labelledBy}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
