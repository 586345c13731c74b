import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';

const pauseMs = 300;

/**
 * The text of a field that narrows a list as soon as typing pauses or the field is left.
 * @param value the text in the address
 * @returns the text to show, its setter, and the function that narrows at once
 */
export function useTyped(value: string, onSearch: (text: string) => void) {
  const unlessLeaving = useUnlessLeaving();
  /** The typed text; null while the field shows the search in the address. */
  const [typed, setTyped] = useState<string | null>(null);
  /** The latest search. The address follows it with a delay while the user types. */
  const pendingSearches = useRef<string[]>([]);
  const search = () => {
    const query = typed?.trim() ?? value;
    if (query === (pendingSearches.current.at(-1) ?? value)) return;
    unlessLeaving(() => {
      pendingSearches.current.push(query);
      onSearch(query);
    });
  };
  const onPause = useEffectEvent(search);
  const follow = useEffectEvent((next: string) => {
    const at = pendingSearches.current.indexOf(next);
    pendingSearches.current = at < 0 ? [] : pendingSearches.current.slice(at + 1);
    if (at < 0) setTyped(null);
  });

  useEffect(() => {
    if (typed === null) return undefined;
    const timer = setTimeout(onPause, pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);

  // The address caught up, or changed for another reason (Back, another ticket).
  useEffect(() => follow(value), [value]);

  return { typed: typed ?? value, setTyped, search };
}
