export const dayMs = 86_400_000;
/** 1 January 1970 as Excel's serial number. */
export const epoch = 25_569;
// Excel's serial numbers are off by one before 1 March 1900, and end after 9999.
const firstDay = 61;
const lastDay = 2_958_465;

/** Converts a calendar day (YYYY-MM-DD) to Excel's serial number; null outside of its range. */
export function dayNumber(day: string): number | null {
  const number = Date.parse(day) / dayMs + epoch;
  return number >= firstDay && number <= lastDay ? number : null;
}

/** Time zones change their offset only at quarters of an hour. */
const quarterMs = 900_000;
const maxOffsets = 20_000;

/** Returns a function that converts instants to Excel's serial numbers, in one time zone. */
export function clockOf(timeZone: string): (instant: Date) => number {
  // Swedish formats an instant like ISO, without the T.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsets = new Map<number, number>();
  const offsetOf = (quarter: number): number => {
    const cached = offsets.get(quarter);
    if (cached !== undefined) return cached;
    const start = quarter * quarterMs;
    const offset = Date.parse(`${format.format(start).replace(' ', 'T')}Z`) - start;
    if (offsets.size >= maxOffsets) offsets.clear();
    offsets.set(quarter, offset);
    return offset;
  };
  return (instant) => {
    // Cells show whole seconds.
    const at = Math.floor(instant.getTime() / 1000) * 1000;
    return (at + offsetOf(Math.floor(at / quarterMs))) / dayMs + epoch;
  };
}
