import { dayIn } from '#shared/calendar-day.ts';

/** The hour in APP_TIMEZONE from which the digests of a day are sent. */
const digestHour = 7;
const dayMs = 86_400_000;

/** Returns a day that is so many days later. @param day YYYY-MM-DD */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the first day after `after` on which a digest is due. Both are YYYY-MM-DD. */
export function nextDigestDay(
  { cadence, day }: { cadence: 'weekly' | 'monthly'; day: number },
  after: string,
): string {
  if (cadence === 'weekly') {
    const weekday = new Date(`${after}T00:00:00Z`).getUTCDay() || 7;
    return addDays(after, ((day - weekday + 6) % 7) + 1);
  }
  const inMonth = `${after.slice(0, 8)}${String(day).padStart(2, '0')}`;
  if (inMonth > after) return inMonth;
  // A month later: every month has 28 days.
  return `${addDays(`${after.slice(0, 8)}28`, 4).slice(0, 8)}${inMonth.slice(8)}`;
}

/** Returns the last day whose digests are due: today from the hour of digests on, else yesterday. */
export function lastDueDay(timeZone: string, now: Date): string {
  const today = dayIn(timeZone, now);
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(now);
  return Number(hour) >= digestHour ? today : addDays(today, -1);
}
