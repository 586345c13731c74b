import { maxReminders } from '#features/invoices/reminders.shared.ts';

/** Parses typed days such as `7, 14`: up to 5 different ones from 1 to 365; null for anything else. */
export function parseDays(typed: string): number[] | null {
  if (typed.trim() === '') return [];
  const parts = typed.split(',').map((part) => part.trim());
  const days = parts.map(Number);
  const isUsable =
    parts.every((part) => /^\d{1,3}$/.test(part)) &&
    days.every((day) => day >= 1 && day <= 365) &&
    days.length <= maxReminders &&
    new Set(days).size === days.length;
  return isUsable ? days : null;
}

/** Parses a typed percentage such as `11.5` or `11,5`; null for none, undefined for anything else. */
export function parsePercent(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  return value <= 100 ? value : undefined;
}
