import { Button } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { m } from '#shared/texts/messages.js';
import styles from './fold.module.css';

type Props = {
  open: boolean;
  /** The id of the `Fold`. */
  controls: string;
  onToggle: (open: boolean) => void;
};

/** A button that shows and hides filters on phones, so that rows begin on the first screen. */
export function FoldButton({ open, controls, onToggle }: Props) {
  return (
    <Button
      className={styles.foldButton}
      variant="default"
      flex="none"
      leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden="true" />}
      aria-expanded={open}
      aria-controls={controls}
      onClick={() => onToggle(!open)}
    >
      {m.common_filters()}
    </Button>
  );
}

type FoldProps = { id: string; open: boolean; className?: string | undefined; children: ReactNode };

/** The filters that a `FoldButton` shows and hides. While hidden it has `data-folded`. */
export function Fold({ id, open, className = '', children }: FoldProps) {
  return (
    <div id={id} className={`${className} ${styles.fold}`} data-folded={open ? undefined : true}>
      {children}
    </div>
  );
}
