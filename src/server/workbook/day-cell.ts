import type { Cell } from './cell.ts';
import { dayNumber } from './dates.ts';

/**
 * Writes a day as a date, or as text if Excel has no such date.
 * @param day YYYY-MM-DD
 */
export function dayCell(day: string | null): Cell {
  if (day === null) return null;
  const number = dayNumber(day);
  return number === null ? day : { value: number, form: 'day' };
}
