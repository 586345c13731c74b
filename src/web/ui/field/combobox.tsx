import { IconSelector } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { bestFirst } from './best-first.ts';
import type { Option } from './select-field.tsx';
import './combobox.css';

type Props = {
  label: string;
  placeholder?: string;
  /** The chosen option's value; empty when none is. */
  value: string;
  options: readonly Option[];
  /** More options are on their way: what is typed and left until then is chosen when they come. */
  loading: boolean;
  onChange: (value: string) => void;
  /** What is typed becomes upper case, as codes are. */
  upperCase?: boolean;
  /** Told of the value that was typed in full, when typing alone may choose; also when its option comes later. */
  onTyped?: (value: string) => void;
  /** Options tell more than their label: the field asks for room to show it of the chosen one. */
  detailed?: boolean;
  disabled?: boolean;
  required?: boolean;
  hideLabel?: boolean;
  /** What is wrong with the choice; announced at once. */
  error?: string | null;
  ref?: Ref<HTMLInputElement>;
};

const shownAtOnce = 100;

/** Whether an option was typed in full, by its value or by its label. */
function isWhole(option: Option, typed: string): boolean {
  const text = typed.trim().toLowerCase();
  return text !== '' && [option.value, option.label].some((whole) => whole.toLowerCase() === text);
}

function detailOf({ detail = [] }: Option): string {
  return detail.join(' · ');
}

/**
 * A list that searches as one types: arrows, Enter, Escape, Home and End work, the list opens below the field. Leaving
 * it chooses what was typed in full, as soon as the options are there.
 */
export function Combobox(props: Props) {
  const { label, value, options, onChange, upperCase = false } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  /** What is being typed into the open list, or was left there before the options came; null while the choice stands. */
  const [entry, setEntry] = useState<{ text: string; open: boolean } | null>(null);
  const [active, setActive] = useState(0);

  const open = entry?.open ?? false;
  const typed = entry?.open ? entry.text : '';
  const chosen = options.find((option) => option.value === value);
  const matches = bestFirst(options, typed, (option) => [option.label, option.value, detailOf(option)]).slice(
    0,
    shownAtOnce,
  );
  /** What is told of the chosen option beside it, while nothing is typed. */
  const shownDetail = (entry === null && chosen?.detail) || [];
  const activeIndex = Math.min(active, matches.length - 1);

  const { onTyped } = props;
  const typedValue = onTyped && options.find((option) => isWhole(option, typed))?.value;
  useEffect(() => {
    if (typedValue !== undefined && typedValue !== value) onTyped?.(typedValue);
  }, [onTyped, typedValue, value]);

  const takeLeft = useEffectEvent((text: string) => {
    setEntry(null);
    const option = options.find((each) => isWhole(each, text));
    if (option !== undefined && option.value !== value) onChange(option.value);
  });
  const left = entry === null || entry.open ? null : entry.text;
  useEffect(() => {
    if (left !== null && !props.loading) takeLeft(left);
  }, [left, props.loading]);

  const openList = () => {
    if (props.disabled || open) return;
    setEntry({ text: entry?.text ?? '', open: true });
    setActive(
      Math.max(
        0,
        options.findIndex((option) => option.value === value),
      ),
    );
  };
  const choose = (option: Option | undefined) => {
    const waits = option === undefined && entry !== null && entry.text !== '' && props.loading;
    setEntry(waits ? { text: entry.text, open: false } : null);
    if (option !== undefined && option.value !== value) onChange(option.value);
  };
  const moveTo = (index: number) => {
    setActive(index);
    box.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowDown: Math.min(activeIndex + 1, matches.length - 1),
      ArrowUp: Math.max(activeIndex - 1, 0),
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (open) moveTo(to);
      else openList();
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      choose(matches[activeIndex]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      setEntry(null);
    }
  };

  return (
    <div className={props.detailed ? 'combobox detailed' : 'combobox'} ref={box}>
      <label htmlFor={id} className={props.hideLabel ? 'sr-only' : undefined}>
        {label}
      </label>
      <div className="combobox-box">
        <input
          ref={props.ref}
          id={id}
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          aria-expanded={open}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={open && matches.length > 0 ? `${id}-${activeIndex}` : undefined}
          aria-required={props.required}
          aria-invalid={props.error ? true : undefined}
          aria-describedby={props.error ? `${id}-error` : undefined}
          disabled={props.disabled}
          placeholder={chosen?.label ?? props.placeholder}
          value={entry?.text ?? chosen?.label ?? ''}
          onClick={openList}
          onBlur={() => choose(options.find((option) => isWhole(option, typed)))}
          onKeyDown={onKeyDown}
          aria-description={shownDetail.join(' · ') || undefined}
          onChange={(event) => {
            const next = upperCase ? event.target.value.toUpperCase() : event.target.value;
            setEntry({ text: next, open: true });
            setActive(0);
          }}
        />
        {shownDetail.length > 0 && (
          <div className="combobox-chosen" data-value={chosen?.label} aria-hidden="true">
            <div>
              {shownDetail.map((part) => (
                <span key={part}>{part}</span>
              ))}
            </div>
          </div>
        )}
        <IconSelector size={14} aria-hidden="true" />
        <div
          id={`${id}-list`}
          className="combobox-list"
          role="listbox"
          aria-label={m.common_options()}
          hidden={!open || matches.length === 0}
        >
          {open &&
            matches.map((option, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active option
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
              <div
                key={option.value}
                id={`${id}-${index}`}
                data-index={index}
                role="option"
                aria-selected={option.value === value}
                aria-description={detailOf(option) || undefined}
                className={index === activeIndex ? 'active' : undefined}
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setActive(index)}
                onClick={() => choose(option)}
              >
                {option.label}
                {option.detail && (
                  <span className="combobox-detail" aria-hidden="true">
                    {detailOf(option)}
                  </span>
                )}
              </div>
            ))}
        </div>
        {open && matches.length === 0 && (
          <p className="combobox-list combobox-empty">{m.common_no_matches()}</p>
        )}
      </div>
      {props.error && (
        <p id={`${id}-error`} className="combobox-error" role="alert">
          {props.error}
        </p>
      )}
      <span className="sr-only" role="status">
        {open && typed !== '' ? m.common_matches({ count: matches.length }) : ''}
      </span>
    </div>
  );
}
