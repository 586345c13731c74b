import { IconCalendar } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { readTypedDay, writeTypedDay } from '#web/format/typed-day.ts';
import { useLanguage } from '#web/preferences/language.ts';
import buttons from '#web/styles/buttons.module.css';
import { CheckedField } from './checked-field.tsx';
import styles from './day-field.module.css';

/** The days that calls take. */
const first = '1971-01-01';
const last = '9998-12-31';

type Props = {
  label: string;
  /** The day as YYYY-MM-DD; empty for none. */
  value?: string;
  required?: boolean;
  /** Why the server refused the day. */
  error?: ReactNode;
  'data-path'?: string;
  /** Gets each day that is complete, and the empty text. */
  onChange: (day: string) => void;
};

/**
 * A day, typed in the order of the app's language or picked from the browser's calendar. It is a text field, since a date
 * field of the browser has the browser's order.
 */
export function DayField({ label, value = '', required = false, error, 'data-path': path, onChange }: Props) {
  const calendar = useRef<HTMLInputElement>(null);
  /** The text while it is typed; null while the field shows the day. */
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const language = useLanguage();
  const readDay = (entered: string) => {
    const day = readTypedDay(entered, language);
    return day !== null && day >= first && day <= last ? day : null;
  };
  const text = typed ?? writeTypedDay(value, language);
  const problem = text.trim() === '' || readDay(text) !== null ? null : m.common_day_form();
  const type = (next: string) => {
    setTyped(next);
    setLeft(false);
    const day = next.trim() === '' ? '' : readDay(next);
    if (day !== null) onChange(day);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another language reads the same text as another day
  useEffect(() => {
    const day = readDay(typed ?? '');
    if (day === null) return;
    setTyped(null);
    onChange(day);
  }, [language]);
  return (
    <CheckedField
      problem={problem}
      quiet={!isLeft}
      label={label}
      placeholder={m.common_day_placeholder()}
      required={required}
      maxLength={10}
      value={text}
      error={error}
      data-path={path}
      onChange={({ target }) => type(target.value)}
      onBlur={() => {
        setLeft(true);
        if (problem === null) setTyped(null);
      }}
      rightSection={
        <span className={styles.dayCalendar}>
          <button
            type="button"
            className={buttons.iconButton}
            aria-label={m.common_day_choose()}
            onClick={() => calendar.current?.showPicker()}
          >
            <IconCalendar size={16} aria-hidden="true" />
          </button>
          <input
            ref={calendar}
            type="date"
            tabIndex={-1}
            aria-hidden="true"
            min={first}
            max={last}
            value={value}
            onChange={({ target }) => {
              setTyped(null);
              onChange(target.value);
            }}
          />
        </span>
      }
    />
  );
}
