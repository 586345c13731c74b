import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';

type Props = {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  /** How much was found, to be read out. */
  found: number | undefined;
};

const pauseMs = 300;

/** True where a typed `/` belongs to what is being written. */
function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Searches when typing pauses; `/` brings the focus here. */
export function SearchField({ label, value, onSearch, found }: Props) {
  const [text, setText] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  const search = useEffectEvent(() => {
    if (text.trim() !== value) onSearch(text.trim());
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: typing restarts the pause
  useEffect(() => {
    const timer = setTimeout(search, pauseMs);
    return () => clearTimeout(timer);
  }, [text]);

  // The address changed by itself (back, another ticket).
  useEffect(() => setText(value), [value]);

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isWriting(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);

  return (
    <>
      <TextInput
        ref={input}
        type="search"
        size="sm"
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <span className="sr-only" aria-live="polite">
        {value !== '' && found !== undefined ? m.common_matches({ count: found }) : ''}
      </span>
    </>
  );
}
