import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { longestSearch } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import { isElsewhere, useWindowKeys } from '#web/browser/keyboard.ts';
import { formatNumber } from '#web/format/format.ts';

type Props = {
  label: string;
  value: string;
  onSearch: (text: string) => void;
  found: number | undefined;
};

const pauseMs = 300;

/** Searches when typing pauses or the field is left; `/` brings the focus here. */
export function SearchField({ label, value, onSearch, found }: Props) {
  const unlessLeaving = useUnlessLeaving();
  /** The typed text; null while the field shows the search in the address. */
  const [typed, setTyped] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  /** The latest search. The address follows it with a delay while the user types. */
  const sent = useRef<string[]>([]);
  const search = () => {
    const wanted = typed?.trim() ?? value;
    if (wanted === (sent.current.at(-1) ?? value)) return;
    unlessLeaving(() => {
      sent.current.push(wanted);
      onSearch(wanted);
    });
  };
  const onPause = useEffectEvent(search);
  const follow = useEffectEvent((next: string) => {
    const at = sent.current.indexOf(next);
    sent.current = at < 0 ? [] : sent.current.slice(at + 1);
    if (at < 0) setTyped(null);
  });

  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(onPause, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  // The address caught up, or changed for another reason (Back, another ticket).
  useEffect(() => follow(value), [value]);

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
        maxLength={longestSearch}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed ?? value}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={search}
      />
      <span className="sr-only" aria-live="polite">
        {value !== '' && found !== undefined
          ? m.common_matches({ count: found, number: formatNumber(found) })
          : ''}
      </span>
    </>
  );
}
