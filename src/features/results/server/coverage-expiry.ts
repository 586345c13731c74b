import { daysBetween } from '#shared/calendar-day.ts';

/**
 * The expiry text of a row: the end day still counts as covered.
 * @param endDate YYYY-MM-DD, null where no end is known
 * @param today YYYY-MM-DD in the time zone of the product
 * @returns null while the row is pending
 */
export function describeExpiry(state: string, endDate: string | null, today: string): string | null {
  if (state === 'pending') return null;
  if (endDate === null) return 'N/A';
  if (endDate < today) return 'Expired';
  if (endDate === today) return 'Expires today';
  return `${daysBetween(today, endDate)} days`;
}
