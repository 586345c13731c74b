import ical, { ICalCalendarMethod } from 'ical-generator';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { formatCount } from '#shared/format-count.ts';
import { m } from '#shared/texts/messages.js';
import { addDays } from '../digests/digest-days.ts';
import { findWatchBySecret } from '../watch.queries.ts';
import { countEnds } from './calendar.queries.ts';
import { hashSecret } from './calendar-secret.ts';

/**
 * Writes the calendar of ends of coverage of a company as iCalendar text, without events while the watch is off.
 * @throws AppError 404 for an unknown secret
 */
export async function writeCalendar(
  { db, config, now, publicUrl }: Pick<Context, 'db' | 'config' | 'now' | 'publicUrl'>,
  secret: string,
): Promise<string> {
  const watch = await findWatchBySecret.first(db, { hash: hashSecret(secret) });
  if (!watch) {
    throw new AppError(404, 'calendar_not_found', m.server_watch_calendar_unknown);
  }
  const { company_code: companyCode, company_name: name, language: locale } = watch;
  const calendar = ical({
    name: escapeText(m.server_watch_calendar_name({ name }, { locale })),
    prodId: { company: 'Coverdesk', product: 'Expiry watch' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 3600,
  });
  if (!watch.active) return calendar.toString();
  const today = dayIn(config.APP_TIMEZONE, now());
  for (const { coverage_end_date: day, count } of await countEnds.all(db, {
    companyCode,
    today,
    days: watch.horizon_days,
  })) {
    calendar.createEvent({
      // Constant for a day, so that a calendar updates the event instead of adding another.
      id: `${companyCode}-${day}@coverdesk`,
      start: new Date(`${day}T00:00:00Z`),
      end: new Date(`${addDays(day, 1)}T00:00:00Z`),
      allDay: true,
      timezone: 'UTC',
      stamp: now(),
      summary: m.server_watch_event({ count, number: formatCount(count, locale) }, { locale }),
      url: `${publicUrl}/dashboard/devices?company_code=${companyCode}&ends_from=${day}&ends_to=${day}`,
    });
  }
  return calendar.toString();
}

/** Escapes a text of one line (RFC 5545, 3.3.11). The library does so in events, but not in the calendar's name. */
function escapeText(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\\;,]/g, '\\$&');
}
