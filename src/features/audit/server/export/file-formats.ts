import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import type { Formats } from '../../describe-entry.shared.ts';

/** Returns the forms of numbers, days and months in a file, as the screens write them, with instants in a time zone. */
export function fileFormats(locale: Locale, timeZone: string): Formats {
  const tag = locale === 'id' ? 'id-ID' : 'en-US';
  const day = { month: 'short', day: 'numeric', year: 'numeric' } as const;
  const [daysUtc, days] = ['UTC', timeZone].map(
    (zone) => new Intl.DateTimeFormat(tag, { ...day, timeZone: zone }),
  );
  const months = new Intl.DateTimeFormat(tag, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone });
  return {
    formatNumber: (value) => formatCount(value, locale),
    formatDay: (text) => daysUtc?.format(new Date(text)) ?? text,
    formatMonth: (text) => months.format(new Date(text)),
    formatInstant: (text) => `${days?.format(new Date(text))} • ${times.format(new Date(text))}`,
  };
}
