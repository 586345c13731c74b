import { Combobox, TextInput, useVirtualizedCombobox } from '@mantine/core';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { RetryButton } from '../feedback/error-state.tsx';
import { bestFirst } from './best-first.ts';
import styles from './search-select.module.css';

export type Option = {
  value: string;
  label: string;
  /** Further facts, the longest first. They are searched, too. */
  detail?: readonly string[];
};

type Props = {
  label: string;
  placeholder?: string;
  /** The chosen option's value; empty when none is. */
  value?: string;
  options: readonly Option[];
  /** The chosen option, where it may be missing from the options. */
  chosen?: Option | undefined;
  /** Gets the typed text after each change where the server searches: the options are those that it found. */
  onSearch?: (text: string) => void;
  /** Why the options could not be read, so that they do not look like an empty list. */
  failure?: { text: string; retry: () => void } | undefined;
  /** Options are still loading. A text that was typed and left before is chosen when they arrive. */
  loading: boolean;
  onChange: (value: string) => void;
  /** Typed text becomes upper case, as codes are. */
  upperCase?: boolean;
  /** Gets the value whose label was typed in full while the list is open, where typing alone may choose. */
  onTyped?: (value: string) => void;
  /** Options have details, which are shown beside the field for the chosen option. */
  detailed?: boolean;
  required?: boolean;
  hideLabel?: boolean;
  /** Announced at once. */
  error?: ReactNode;
  'data-path'?: string;
  className?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A list that searches as one types. Leaving the field chooses the option that was typed in full. */
export function SearchSelect({ label, value = '', options, loading, onChange, onTyped, ...props }: Props) {
  const { onSearch, failure } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  /** Null while the field shows the chosen option. */
  const [typed, setTypedText] = useState<string | null>(null);
  const setTyped = (text: string | null) => {
    setTypedText(text);
    onSearch?.(text ?? '');
  };
  /**
   * The value of the highlighted option. Not its index, because more options may arrive while the list is open. Undefined:
   * the chosen option, or the first one.
   */
  const [highlighted, setHighlighted] = useState<string | undefined>();
  const chosen = props.chosen ?? options.find((option) => option.value === value);
  const matches = onSearch ? options : findMatches(options, chosen, typed ?? '');
  const byDefault = typed === null && chosen !== undefined ? chosen : matches[0];
  const active = matches.findIndex((match) => match.value === (highlighted ?? byDefault?.value));
  const exactOption = options.find((option) => isExactMatch(option, typed ?? ''));

  const choose = (option: Option | undefined) => {
    setOpened(false);
    setTyped(null);
    if (option !== undefined && option.value !== value) onChange(option.value);
  };
  const typedValue = opened ? exactOption?.value : undefined;
  useEffect(() => {
    if (typedValue !== undefined && typedValue !== value) onTyped?.(typedValue);
  }, [onTyped, typedValue, value]);

  const wasLeft = typed !== null && !opened && !loading;
  const chooseTyped = useEffectEvent(() => choose(exactOption));
  useEffect(() => {
    if (wasLeft) chooseTyped();
  }, [wasLeft]);

  useEffect(() => {
    const option = opened
      ? list.current?.querySelectorAll<HTMLElement>('[role="option"]')[active]
      : undefined;
    list.current?.scrollTo({ top: (option?.offsetTop ?? 0) - roomAbove });
  }, [active, opened]);

  const optionId = (index: number) => `${id}-${index}`;
  const store = useVirtualizedCombobox({
    opened,
    onOpenedChange: setOpened,
    // While options are on their way, the chosen one may be among them.
    onDropdownOpen: () => setHighlighted(loading ? undefined : (chosen ?? matches[0])?.value),
    totalOptionsCount: matches.length,
    getOptionId: optionId,
    activeOptionIndex: chosen ? matches.findIndex((match) => match.value === value) : 0,
    selectedOptionIndex: active,
    setSelectedOptionIndex: (index) => setHighlighted(matches[index]?.value),
    onSelectedOptionSubmit: (index) => choose(matches[index]),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (!opened) return;
    if (event.key === 'Enter' && onSearch && loading) {
      // When the server has answered, the option that equals the typed text is chosen.
      event.preventDefault();
      setOpened(false);
    }
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    setTyped(null);
  };

  return (
    <Combobox
      store={store}
      position="bottom-start"
      width={props.detailed ? 'max-content' : 'target'}
      onOptionSubmit={(key) => choose(options.find((option) => option.value === key))}
    >
      <Combobox.Target
        withExpandedAttribute
        aria-activedescendant={opened && active >= 0 ? optionId(active) : undefined}
      >
        <TextInput
          ref={props.ref}
          className={`${styles.searchSelect} ${props.detailed ? styles.detailed : ''} ${props.className ?? ''}`}
          {...(props.hideLabel ? { 'aria-label': label } : { label })}
          description={detailOf(chosen)}
          error={props.error}
          data-path={props['data-path']}
          inputContainer={(input) => (
            <>
              {input}
              {failure && (
                <span className={styles.searchSelectFailure}>
                  <span role="alert">{failure.text}</span>{' '}
                  <RetryButton size="compact-xs" onRetry={failure.retry} />
                </span>
              )}
            </>
          )}
          errorProps={{ role: 'alert' }}
          aria-required={props.required}
          aria-autocomplete="list"
          spellCheck={false}
          placeholder={(opened ? chosen?.label : undefined) ?? props.placeholder}
          value={typed ?? (opened ? '' : (chosen?.label ?? ''))}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => store.openDropdown()}
          onBlur={() => setOpened(false)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            const text = props.upperCase ? target.value.toUpperCase() : target.value;
            setTyped(text);
            setOpened(true);
            setHighlighted(onSearch ? undefined : findMatches(options, chosen, text)[0]?.value);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options ref={list} className={styles.searchSelectList} aria-label={m.common_options()}>
          {opened &&
            matches.map((option, index) => (
              <Combobox.Option
                key={option.value}
                className={styles.searchSelectOption}
                id={optionId(index)}
                value={option.value}
                selected={index === active}
                aria-selected={option.value === chosen?.value}
                aria-description={detailOf(option)}
              >
                {option.label}
                <span className={styles.searchSelectDetail} aria-hidden="true">
                  {detailOf(option)}
                </span>
              </Combobox.Option>
            ))}
        </Combobox.Options>
        {matches.length === 0 && <Combobox.Empty>{describeNone(loading, failure?.text)}</Combobox.Empty>}
      </Combobox.Dropdown>
      <span className={typography.srOnly} role="status">
        {opened && typed && !loading && !failure
          ? m.common_matches({ count: matches.length, number: formatNumber(matches.length) })
          : ''}
      </span>
    </Combobox>
  );
}

const shownAtOnce = 100;
/** Pixels between the top of the list and its active option, where there is enough above it. */
const roomAbove = 80;

/** The options to show for a typed text. Without a text the chosen one is always among them. */
function findMatches(options: readonly Option[], chosen: Option | undefined, typed: string): Option[] {
  const ranked = bestFirst(options, typed, (option) => [option.label, option.value, detailOf(option) ?? '']);
  const matches = ranked.slice(0, shownAtOnce);
  return chosen === undefined || typed !== '' || matches.includes(chosen) ? matches : [chosen, ...matches];
}

/** Says why there are no options. */
function describeNone(loading: boolean, failure: string | undefined): string {
  if (loading) return m.common_loading();
  return failure ?? m.common_no_matches();
}

/** Returns whether an option was typed in full, by its value or by its label. */
function isExactMatch(option: Option, typed: string): boolean {
  const text = typed.trim().toLowerCase();
  return text !== '' && [option.value, option.label].some((whole) => whole.toLowerCase() === text);
}

function detailOf(option: Option | undefined): string | undefined {
  return option?.detail?.join(' · ');
}
