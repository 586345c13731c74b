const dayMs = 86_400_000;
/** The number of 1 January 1970 among the days that Excel counts. */
const epoch = 25_569;
/** Before 1 March 1900 Excel's days are wrong by one, and after 9999 it has none. */
const firstDay = 61;
const lastDay = 2_958_465;

const days = new Map<string, number | null>();
const mostDays = 20_000;

/** A calendar day (YYYY-MM-DD) as the number that Excel has for it; null for one that it has not. */
export function dayNumber(day: string): number | null {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= mostDays) days.clear();
  const number = Date.parse(`${day}T00:00:00Z`) / dayMs + epoch;
  const usable = number >= firstDay && number <= lastDay ? number : null;
  days.set(day, usable);
  return usable;
}

/** The clocks of a time zone change on quarters of an hour alone. */
const quarterMs = 900_000;

/** Reads instants on the clocks of one time zone, as the numbers that Excel has for them. */
export function clockOf(timeZone: string): (instant: Date) => number {
  // The Swedish form of an instant is the ISO form without its T.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsets = new Map<number, number>();
  const offsetOf = (quarter: number): number => {
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const start = quarter * quarterMs;
    const offset = Date.parse(`${format.format(start).replace(' ', 'T')}Z`) - start;
    if (offsets.size >= mostDays) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    // Whole seconds: what a cell shows.
    const at = Math.floor(instant.getTime() / 1000) * 1000;
    return (at + offsetOf(Math.floor(at / quarterMs))) / dayMs + epoch;
  };
}
