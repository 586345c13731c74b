import { m } from '#shared/texts/messages.js';
import { getLanguage } from './language.ts';

const tags = { en: 'en-US', id: 'id-ID' } as const;
const dash = '–';

/** A count, grouped by the language: 12,345 or 12.345. */
export function formatNumber(value: number): string {
  return value.toLocaleString(tags[getLanguage()]);
}

/** Rupiah, always in the Indonesian form and rounded half up to whole rupiah: `Rp 1.234.567`. */
export function formatRupiah(amount: number): string {
  return `Rp ${Math.floor(amount + 0.5).toLocaleString('id-ID')}`;
}

/** Kilobytes with two decimals, as upload screens show a file's size: `12.50 KB`. */
export function formatKilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(2)} KB`;
}

/** Reads an instant, or the id-ID form `d/m/yyyy, hh.mm` as local time; null for anything else. */
function readInstant(value: string): Date | null {
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4}), (\d{1,2})\.(\d{2})(?:\.\d{2})?$/.exec(value);
  const date = local
    ? new Date(Number(local[3]), Number(local[2]) - 1, Number(local[1]), Number(local[4]), Number(local[5]))
    : new Date(value);
  return Number.isNaN(date.getTime()) ? null : date;
}

/** An instant as `Nov 21, 2026 • 14:05`, in the browser's time zone; an unreadable text as it is. */
export function formatInstant(value: string | null): string {
  if (value === null) return dash;
  const date = readInstant(value);
  if (date === null) return value;
  const locale = tags[getLanguage()];
  const day = date.toLocaleDateString(locale, { month: 'short', day: 'numeric', year: 'numeric' });
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `${day} • ${time}`;
}

/** A calendar day (`YYYY-MM-DD`) as `Nov 21, 2026`; no time zone can move it. */
export function formatDay(day: string | null): string {
  if (day === null) return dash;
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return day;
  return new Date(year, month - 1, date).toLocaleDateString(tags[getLanguage()], {
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  });
}

/** An instant's day in the long US form (`November 21, 2026`), or its Indonesian counterpart. */
export function formatLongDate(value: string): string {
  return new Date(value).toLocaleDateString(tags[getLanguage()], {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
}

/** An instant's day in the British form (`21/11/2026`). */
export function formatBritishDate(value: string): string {
  return new Date(value).toLocaleDateString('en-GB');
}

/** A time to come, in seconds, in words: `about 2 minutes`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return m.common_duration_seconds({ count: Math.max(1, Math.round(seconds)) });
  if (seconds < 3600) return m.common_duration_minutes({ count: Math.round(seconds / 60) });
  return m.common_duration_hours({ count: Math.round(seconds / 3600) });
}

/** A date with its weekday in full, as Home greets with: `Saturday, November 21, 2026`. */
export function formatFullDate(date: Date): string {
  return date.toLocaleDateString(tags[getLanguage()], {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
  });
}

/** A month (`YYYY-MM`, or any day of it) as `Nov 2026`. */
export function formatMonth(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(year, number - 1, 1).toLocaleDateString(tags[getLanguage()], {
    month: 'short',
    year: 'numeric',
  });
}

/** A calendar day without its year: `Nov 21`. */
export function formatShortDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date).toLocaleDateString(tags[getLanguage()], {
    month: 'short',
    day: 'numeric',
  });
}
