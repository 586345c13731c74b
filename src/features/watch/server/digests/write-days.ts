import type { Locale } from '#shared/locale.ts';
import { addDays } from './digest-days.ts';

const tags = { en: 'en-GB', id: 'id-ID' } as const;

const dayFormat = (locale: Locale) =>
  new Intl.DateTimeFormat(tags[locale], { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Writes a day (YYYY-MM-DD) for a mail: `6 Dec 2026`. */
export function writeShortDay(day: string, locale: Locale): string {
  return dayFormat(locale).format(new Date(day));
}

/** Writes the week from a Monday (YYYY-MM-DD) for a mail: `30 Nov – 6 Dec 2026`. */
export function writeWeek(monday: string, locale: Locale): string {
  return dayFormat(locale).formatRange(new Date(monday), new Date(addDays(monday, 6)));
}
