import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { maxSearchLength } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';
import { formatNumber } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { useTyped } from './use-typed.ts';

type Props = {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  found: number | undefined;
};

/** Searches when typing pauses or the field is left; `/` brings the focus here. */
export function SearchField({ label, value, onSearch, found }: Props) {
  const { typed, setTyped, search } = useTyped(value, onSearch);
  const input = useRef<HTMLInputElement>(null);

  useWindowKeys((event) => {
    if (event.key !== '/' || isElsewhere(event)) return;
    event.preventDefault();
    input.current?.focus();
  });

  return (
    <>
      <TextInput
        ref={input}
        type="search"
        size="sm"
        aria-label={label}
        placeholder={label}
        // As wide as its placeholder.
        inputSize={String(label.length)}
        maxLength={maxSearchLength}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={search}
      />
      <span className={typography.srOnly} aria-live="polite">
        {value !== '' && found !== undefined
          ? m.common_matches({ count: found, number: formatNumber(found) })
          : ''}
      </span>
    </>
  );
}
