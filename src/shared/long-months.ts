import type { Locale } from './locale.ts';

/** Returns the form of months in the names of tickets, such as `November 2026`, in a time zone. */
export const longMonths = (locale: Locale, timeZone: string) =>
  new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone });
