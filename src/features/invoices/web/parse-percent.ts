/** Parses a typed percentage such as `11.5` or `11,5`; null for none, undefined for anything else. */
export function parsePercent(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const value = /^\d{1,3}(?:[.,]\d{1,2})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  return value <= 100 ? value : undefined;
}
