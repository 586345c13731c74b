import type { ReactNode } from 'react';
import { formatNumber } from '#web/format/format.ts';
import './chip.css';

export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one of a form
    <div className="chips" role="group" aria-label={label}>
      {children}
    </div>
  );
}

type Props = {
  label: string;
  /** The number of rows after pressing it; undefined while loading, null without a count. */
  count: number | null | undefined;
  pressed: boolean;
  onPress: (press: boolean) => void;
};

export function Chip({ label, count, pressed, onPress }: Props) {
  return (
    <button type="button" className="chip" aria-pressed={pressed} onClick={() => onPress(!pressed)}>
      {label}
      {count !== null && <span>{count === undefined ? '–' : formatNumber(count)}</span>}
    </button>
  );
}
