import { daysBetween } from '#shared/calendar-day.ts';

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
