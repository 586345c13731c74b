import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { longMonths } from '#shared/long-months.ts';
import type { Formats } from '../../describe-entry.shared.ts';

/** Returns the forms of numbers, prices, days and months in a file, as the screens write them, with instants in a time zone. */
export function fileFormats(locale: Locale, timeZone: string): Formats {
  const tag = locale === 'id' ? 'id-ID' : 'en-US';
  const day = { month: 'short', day: 'numeric', year: 'numeric' } as const;
  const daysUtc = new Intl.DateTimeFormat(tag, { ...day, timeZone: 'UTC' });
  const days = new Intl.DateTimeFormat(tag, { ...day, timeZone });
  const months = new Intl.DateTimeFormat(tag, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  const write = (text: string, format: (date: Date) => string) => {
    const date = new Date(text);
    return Number.isNaN(date.getTime()) ? text : format(date);
  };
  return {
    formatNumber: (value) => formatCount(value, locale),
    formatDollars: (value) => `$${value.toLocaleString(tag, { maximumFractionDigits: 6 })}`,
    formatDay: (text) => write(text, daysUtc.format),
    formatMonth: (text) => write(text, months.format),
    formatLongMonth: (text) => write(text, longMonths(locale, 'UTC').format),
    formatInstant: (text) => write(text, (date) => `${days.format(date)} • ${times.format(date)}`),
  };
}
