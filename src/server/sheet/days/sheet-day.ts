import type { SheetCell } from '#shared/identifier.ts';

/** The days of Excel's two calendars before 1970-01-01. */
const epoch1900 = 25_569;
const epoch1904 = 24_107;
/** Days from 1970-01-01 either way, about 270 years. */
const maxDays = 100_000;

/** Returns the day (YYYY-MM-DD) of Excel's number of a day; undefined if it is centuries away. */
export function toSheetDay(number: number, date1904: boolean): string | undefined {
  const days = Math.floor(number) - (date1904 ? epoch1904 : epoch1900);
  if (!(Math.abs(days) <= maxDays)) return undefined;
  return new Date(days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns a cell with a day's number as the day, other cells as they are. */
export function toDayCell(cell: SheetCell, date1904: boolean): SheetCell {
  const day = cell.numeric ? toSheetDay(Number(cell.text), date1904) : undefined;
  return day === undefined ? cell : { text: day, numeric: false };
}

/** Returns a cell with a date of ISO 8601 as its day, other cells as they are. */
export function cutToDay(cell: SheetCell): SheetCell {
  const [day] = /^\d{4}-\d\d-\d\d(?!\d)/.exec(cell.text) ?? [];
  return day === undefined ? cell : { text: day, numeric: false };
}
