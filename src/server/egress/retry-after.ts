/** The maximum wait that an answer can ask for: a day. */
const longest = 86_400_000;

/**
 * Reads the wait in milliseconds from a Retry-After header: whole seconds, or a date. Returns null for anything else.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longest);
  // A date contains the name of a day or month. Date.parse would accept "-5" as a year.
  const instant = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : Math.min(Math.max(instant - now, 0), longest);
}
