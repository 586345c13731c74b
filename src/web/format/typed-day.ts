import type { Locale } from '#shared/locale.ts';

/** The order of day and month in which each language writes a date in figures. */
const isMonthFirst = (language: Locale) => language === 'en';

/** Writes a day (`YYYY-MM-DD`) as it is typed: `11/21/2026` in English, `21/11/2026` in Indonesian; an empty text as it is. */
export function writeTypedDay(day: string, language: Locale): string {
  const [year, month, date] = day.split('-');
  if (day === '') return '';
  return (isMonthFirst(language) ? [month, date, year] : [date, month, year]).join('/');
}

/**
 * Parses a typed day into `YYYY-MM-DD`, in the order of the language, or as `YYYY-MM-DD`. Null for another text and for a day
 * that does not exist.
 */
export function readTypedDay(typed: string, language: Locale): string | null {
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(typed.trim());
  const parts = iso ?? /^(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})$/.exec(typed.trim());
  if (parts === null) return null;
  const [first, second, third] = parts.slice(1).map(Number) as [number, number, number];
  const [year, month, date] = iso
    ? [first, second, third]
    : isMonthFirst(language)
      ? [third, first, second]
      : [third, second, first];
  const day = new Date(Date.UTC(year, month - 1, date));
  const exists = day.getUTCMonth() === month - 1 && day.getUTCDate() === date;
  return exists ? day.toISOString().slice(0, 10) : null;
}
