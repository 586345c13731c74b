import { dayIn } from '#shared/calendar-day.ts';

/** Years outside this range are placeholders for an unknown day. */
const earliestYear = 1901;
const latestYear = 2200;
/** Epoch seconds before 1980-01-01 are placeholders or not dates. */
const earliestEpoch = 315_532_800;
const latestEpoch = 7_258_118_400;

/**
 * Reads a calendar day (YYYY-MM-DD): an ISO date, an ISO instant, epoch seconds or milliseconds, or d/m/yyyy. An instant
 * with an offset is the day written there, one at midnight UTC is that day, and any other is the day in `timezone`.
 * Returns null for anything else and for placeholders (0000-00-00, years to 1900, the epoch itself).
 */
export function readDay(value: unknown, timezone: string): string | null {
  if (typeof value === 'number') return readEpoch(value, timezone);
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^\d{9,13}$/.test(text)) return readEpoch(Number(text), timezone);
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](.+))?$/.exec(text);
  if (iso) return readIso(iso, timezone);
  const local = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,? \d{1,2}[.:]\d{2}(?:[.:]\d{2})?)?$/.exec(text);
  return local ? dayOf(Number(local[3]), Number(local[2]), Number(local[1])) : null;
}

function readIso(parts: RegExpExecArray, timezone: string): string | null {
  const day = dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  const rest = parts[4];
  if (day === null || rest === undefined) return day;
  const clock = /^(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(Z|[+-]\d{2}:?\d{2}|[+-]\d{2})?$/i.exec(rest);
  if (!clock) return null;
  const [, time, offset = ''] = clock;
  const instant = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(instant)) return null;
  const isUtc = /^(Z|[+-]00:?(00)?)$/i.test(offset);
  // A local time, with its offset or without one, is of the day that is written.
  return isUtc ? readInstant(instant, timezone) : day;
}

function readEpoch(value: number, timezone: string): string | null {
  const seconds = value > latestEpoch ? value / 1000 : value;
  return seconds >= earliestEpoch && seconds <= latestEpoch ? readInstant(seconds * 1000, timezone) : null;
}

const dayMs = 86_400_000;

/** Returns the day of an instant, which stands for a day of any time zone at midnight UTC. */
function readInstant(instant: number, timezone: string): string | null {
  if (instant === 0) return null;
  const zone = instant % dayMs === 0 ? 'UTC' : timezone;
  const [year, month, day] = dayIn(zone, new Date(instant)).split('-').map(Number);
  return dayOf(year ?? 0, month ?? 0, day ?? 0);
}

/** Returns an existing day that is no placeholder as YYYY-MM-DD, else null. */
function dayOf(year: number, month: number, day: number): string | null {
  if (year < earliestYear || year > latestYear) return null;
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate())
    return null;
  const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return iso === '1970-01-01' ? null : iso;
}
