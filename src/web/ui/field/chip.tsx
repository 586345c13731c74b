import type { ReactNode } from 'react';
import { formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { passFocusOn } from '../overlay/move-focus.ts';
import styles from './chip.module.css';

export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className={styles.chips} role="group" aria-label={label}>
      {children}
    </div>
  );
}

type Choice = {
  /** The meaning of the choice, for screen readers: "Ends within 30 days". */
  name: string;
  /** The choice on its button: "30". */
  label: string;
} & Pick<Props, 'count' | 'pressed' | 'onPress'>;

type ChoiceProps = { lead: string; unit: string; choices: readonly Choice[] };

/** One chip for choices that exclude each other: "Ends within 30 60 90 days". */
export function ChoiceChip({ lead, unit, choices }: ChoiceProps) {
  return (
    <span className={`${styles.chip} ${styles.choiceChip}`}>
      <span aria-hidden="true">{lead}</span>
      {choices.map(({ name, label, count, pressed, onPress }) => (
        <button
          key={name}
          type="button"
          title={name}
          aria-pressed={pressed}
          onClick={() => onPress(!pressed)}
        >
          <span className={typography.srOnly}>{name}</span>
          <span aria-hidden="true">{label}</span>
          {count !== null && <small>{count === undefined ? '–' : formatNumber(count)}</small>}
        </button>
      ))}
      <span aria-hidden="true">{unit}</span>
    </span>
  );
}

type Props = {
  label: string;
  /** The number of rows after pressing it; undefined while loading, null without a count. */
  count: number | null | undefined;
  pressed: boolean;
  disabled?: boolean;
  onPress: (press: boolean) => void;
};

export function Chip({ label, count, pressed, disabled = false, onPress }: Props) {
  return (
    <button
      ref={passFocusOn}
      type="button"
      className={styles.chip}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={() => onPress(!pressed)}
    >
      {label}
      {count !== null && <span>{count === undefined ? '–' : formatNumber(count)}</span>}
    </button>
  );
}
