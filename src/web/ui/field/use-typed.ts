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

  return { typed: typed ?? value, setTyped, search };
}
