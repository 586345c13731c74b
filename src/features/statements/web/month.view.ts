import type { Param } from '#web/address/search-params.ts';

/** A month in the address, as `YYYY-MM`; empty for none. */
export const monthParam: Param<string> = {
  parse: (value) => (value !== null && /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/.test(value) ? value : ''),
  initial: '',
};

/** Returns the present month, as `YYYY-MM`, in the browser's time zone. */
export function thisMonth(): string {
  const now = new Date();
  return monthAfter(`${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}`, 0);
}

/** Returns the month (`YYYY-MM`) so many months after another one; before it if negative. */
export function monthAfter(month: string, months: number): string {
  const day = new Date(`${month}-01T00:00:00Z`);
  day.setUTCMonth(day.getUTCMonth() + months);
  return day.toISOString().slice(0, 7);
}
