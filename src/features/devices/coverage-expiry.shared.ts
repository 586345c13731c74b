import { daysBetween } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';

/**
 * Returns the expiry text of a row. The end day is still covered.
 * @param endDate YYYY-MM-DD; null when unknown
 * @param today YYYY-MM-DD in APP_TIMEZONE
 * @returns null while the row is pending
 */
export function describeExpiry(state: string, endDate: string | null, today: string): string | null {
  if (state === 'pending') return null;
  if (endDate === null) return 'N/A';
  if (endDate < today) return 'Expired';
  if (endDate === today) return 'Expires today';
  return `${daysBetween(today, endDate)} days`;
}

/** Translates an expiry text. The server passes the language; the browser has only one. */
export function translateExpiry(text: string, options?: { locale: Locale }): string {
  if (text === 'N/A') return m.data_na({}, options);
  if (text === 'Expired') return m.data_expired({}, options);
  if (text === 'Expires today') return m.data_expires_today({}, options);
  const days = /^(\d+) days$/.exec(text)?.[1];
  return days === undefined ? text : m.data_days({ days }, options);
}
