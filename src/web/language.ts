import { useSyncExternalStore } from 'react';
import type { Locale } from '#shared/locale.ts';
import { overwriteGetLocale } from '#shared/texts/runtime.js';
import { readStored, writeStored } from './stored.ts';

const key = 'coverdesk.language';
const listeners = new Set<() => void>();
let current: Locale = readStored(key) === 'id' ? 'id' : 'en';

overwriteGetLocale(() => current);

/** The language of the screens; sent with every call, too. */
export function getLanguage(): Locale {
  return current;
}

/** Changes the language at once, in every open tab's next start, and remembers it. */
export function setLanguage(language: Locale): void {
  current = language;
  document.documentElement.lang = language;
  writeStored(key, language);
  for (const listener of listeners) listener();
}

/** The language, followed: what uses it is drawn anew after a change. */
export function useLanguage(): Locale {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getLanguage);
}
