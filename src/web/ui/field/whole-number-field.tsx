import { type ReactNode, useState } from 'react';
import { explainWholeNumber } from '#web/format/whole-number.ts';
import { CheckedField } from './checked-field.tsx';
import styles from './whole-number-field.module.css';

/** Delays `then` until the mouse is released: a layout shift between press and release makes the click miss. */
function afterPress(then: () => void): void {
  if (document.querySelector(':active') === null) then();
  else addEventListener('mouseup', () => setTimeout(then), { once: true });
}

type Props = {
  label: string;
  hint?: string | undefined;
  unit?: string;
  value?: string;
  optional?: boolean;
  disabled?: boolean;
  /** Why the server refused the number. */
  error?: ReactNode;
  'data-path'?: string;
  /** The id of the form, for a field outside of it. */
  form?: string;
  min: number;
  max: number;
  onChange: (typed: string) => void;
};

/**
 * A whole number, with or without digit groups; the form reads it by `parseWholeNumber`. It is a text field,
 * since a number field of the browser takes `16.000` for 16. The form cannot be sent while it is wrong, and it says
 * why once it is left.
 */
export function WholeNumberField(props: Props) {
  const {
    label,
    hint,
    unit,
    value = '',
    optional = false,
    disabled = false,
    form,
    min,
    max,
    onChange,
  } = props;
  const { error, 'data-path': path } = props;
  /** The text when the field lost the focus. A form that was emptied since shows no error. */
  const [blurredValue, setBlurredValue] = useState<string | null>(null);
  const problem = optional && value.trim() === '' ? null : explainWholeNumber(value, min, max);
  return (
    <CheckedField
      problem={problem}
      quiet={blurredValue !== value}
      inputMode="numeric"
      label={label}
      description={hint}
      required={!optional}
      form={form}
      disabled={disabled}
      rightSection={unit && <span className={styles.fieldUnit}>{unit}</span>}
      rightSectionWidth="auto"
      rightSectionPointerEvents="none"
      value={value}
      error={error}
      data-path={path}
      onBlur={() => afterPress(() => setBlurredValue(value))}
      onChange={(event) => {
        setBlurredValue(null);
        onChange(event.target.value);
      }}
    />
  );
}
