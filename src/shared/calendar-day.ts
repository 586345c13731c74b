const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the calendar day (YYYY-MM-DD) of an instant in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    // Swedish formats a date like ISO.
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

/** Returns the whole days between two calendar days; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Returns the month (`YYYY-MM`) so many months after another one; before it if negative. */
export function monthAfter(month: string, months: number): string {
  const day = new Date(`${month}-01T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString().slice(0, 7);
}
