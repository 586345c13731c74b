import { formatCount } from '#shared/format-count.ts';
import { m } from '#shared/texts/messages.js';
import { getLanguage } from '#web/preferences/language.ts';

const tags = { en: 'en-US', id: 'id-ID' } as const;
const dash = '–';

/** A count, grouped by the language: 12,345 or 12.345. */
export function formatNumber(value: number): string {
  return formatCount(value, getLanguage());
}

export { formatRupiah } from '#shared/rupiah.ts';

/** A number with so many decimals, written as the language does: 12.50 or 12,50. */
function formatDecimals(value: number, digits: number): string {
  return value.toLocaleString(tags[getLanguage()], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** A price in dollars with all of its decimals, six at most: $0.05 or $0,05. */
export function formatDollars(value: number): string {
  return `$${value.toLocaleString(tags[getLanguage()], { maximumFractionDigits: 6 })}`;
}

/** Kilobytes with two decimals, as upload screens show a file's size: `12.50 KB`. */
export function formatKilobytes(bytes: number): string {
  return `${formatDecimals(bytes / 1024, 2)} KB`;
}

/** Bytes in the unit that suits them: `640 KB`, `12.4 MB`, `3.1 GB`. */
export function formatBytes(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${formatNumber(Math.round(kilobytes))} KB`;
  const megabytes = kilobytes / 1024;
  return megabytes < 1024
    ? `${formatDecimals(megabytes, 1)} MB`
    : `${formatDecimals(megabytes / 1024, 1)} GB`;
}

type Shape = 'day' | 'time' | 'long' | 'full' | 'month' | 'longMonth' | 'short' | 'british';

const shapes: Record<Shape, Intl.DateTimeFormatOptions> = {
  day: { month: 'short', day: 'numeric', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  long: { year: 'numeric', month: 'long', day: 'numeric' },
  full: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  longMonth: { month: 'long', year: 'numeric' },
  short: { month: 'short', day: 'numeric' },
  british: {},
};

/** Making a formatter costs fifty times as much as using one: a page of 1000 rows uses one 4000 times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function write(date: Date, shape: Shape): string {
  const locale = shape === 'time' || shape === 'british' ? 'en-GB' : tags[getLanguage()];
  const key = `${locale} ${shape}`;
  let formatter = formatters.get(key);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat(locale, shapes[shape]);
    formatters.set(key, formatter);
  }
  return formatter.format(date);
}

/** Reads an instant, or the id-ID form `d/m/yyyy, hh.mm` as local time; null for anything else. */
function readInstant(value: string): Date | null {
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4}), (\d{1,2})\.(\d{2})(?:\.\d{2})?$/.exec(value);
  const date = local
    ? new Date(Number(local[3]), Number(local[2]) - 1, Number(local[1]), Number(local[4]), Number(local[5]))
    : new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** A calendar day or a month as local midnight, or an instant; null for anything else. */
function readDay(day: string): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(day) ?? [];
  return year ? new Date(Number(year), Number(month) - 1, Number(date ?? 1)) : readInstant(day);
}

/** An instant as `Nov 21, 2026 • 14:05`, in the browser's time zone; an unreadable text as it is. */
export function formatInstant(value: string | null): string {
  if (value === null) return dash;
  const date = readInstant(value);
  return date === null ? value : `${write(date, 'day')} • ${write(date, 'time')}`;
}

/** The time of day of an instant, to the second: `14:05:09`. */
export function formatTime(instant: number): string {
  return new Date(instant).toLocaleTimeString('en-GB');
}

/** The time of day of an instant, to the minute: `14:05`. */
export function formatClock(instant: number): string {
  return write(new Date(instant), 'time');
}

/** An instant to come: `14:05` where it is today, else `Nov 22 • 14:05`. */
export function formatUpcoming(instant: number): string {
  const isToday = new Date(instant).toDateString() === new Date().toDateString();
  return isToday ? formatClock(instant) : `${write(new Date(instant), 'short')} • ${formatClock(instant)}`;
}

/** The day of an instant, or a calendar day (`YYYY-MM-DD`), which no time zone moves: `Nov 21, 2026`. */
export function formatDay(day: string | null): string {
  if (day === null) return dash;
  const date = readDay(day);
  return date === null ? day : write(date, 'day');
}

/** The same without its year: `Nov 21`. */
export function formatShortDay(day: string): string {
  const date = readDay(day);
  return date === null ? day : write(date, 'short');
}

/** A month (`YYYY-MM`, or any day of it) as `Nov 2026`. */
export function formatMonth(month: string): string {
  const date = readDay(month);
  return date === null ? month : write(date, 'month');
}

/** A month (`YYYY-MM`), or the month of an instant, as `November 2026`. */
export function formatLongMonth(month: string): string {
  const date = readDay(month);
  return date === null ? month : write(date, 'longMonth');
}

/** An instant's day in the long US form (`November 21, 2026`), or its Indonesian counterpart. */
export function formatLongDate(value: string): string {
  return write(new Date(value), 'long');
}

/** An instant's day in the British form (`21/11/2026`). */
export function formatBritishDate(value: string): string {
  return write(new Date(value), 'british');
}

/** A date with its weekday in full, as Home greets with: `Saturday, November 21, 2026`. */
export function formatFullDate(date: Date): string {
  return write(date, 'full');
}

/** A time to come, in seconds, in words: `about 2 minutes`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return m.common_duration_seconds({ count: Math.max(1, Math.round(seconds)) });
  if (seconds < 3600) return m.common_duration_minutes({ count: Math.round(seconds / 60) });
  return m.common_duration_hours({ count: Math.round(seconds / 3600) });
}

/** A time that has passed since an instant, in words: `22 minutes ago`. */
export function formatAgo(value: string): string {
  const minutes = Math.max(1, Math.round((Date.now() - Date.parse(value)) / 60_000));
  const words = new Intl.RelativeTimeFormat(tags[getLanguage()], { numeric: 'always' });
  if (minutes < 60) return words.format(-minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 24 ? words.format(-hours, 'hour') : words.format(-Math.round(hours / 24), 'day');
}

type Counts = { done: number; failed: number; total: number };

/** Describes a ticket's counts: "294 done · 6 failed · 300". */
export function describeCounts({ done, failed, total }: Counts): string {
  return m.common_counts({
    done: formatNumber(done),
    failed: formatNumber(failed),
    total: formatNumber(total),
  });
}
