/** In months. */
const lengths = { monthly: 1, quarterly: 3 };

/** Returns the first day of a month, or of a quarter, that is later than `after`. Both are YYYY-MM-DD. */
export function nextRecheckDay(cadence: 'monthly' | 'quarterly', after: string): string {
  const [year = 0, month = 0] = after.split('-').map(Number);
  const length = lengths[cadence];
  const begun = Math.floor((month - 1) / length) * length;
  return new Date(Date.UTC(year, begun + length, 1)).toISOString().slice(0, 10);
}
