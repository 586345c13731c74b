import type { Locale } from '#shared/locale.ts';
import { overwriteGetLocale } from '#shared/texts/runtime.js';
import { createStore } from './store.ts';
import { writeStored } from './stored.ts';

const key = 'coverdesk.language';
/** Begins with the language that `public/first-paint.js` chose. */
const current = createStore<Locale>(globalThis.document?.documentElement.lang === 'id' ? 'id' : 'en');

export const getLanguage = current.get;

overwriteGetLocale(getLanguage);

/** Changes the language of this tab at once and stores it; other open tabs take it at their next start. */
export function setLanguage(language: Locale): void {
  document.documentElement.lang = language;
  writeStored(key, language);
  current.set(language);
}

export const useLanguage = current.useValue;
