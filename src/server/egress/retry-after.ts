/** The maximum wait in milliseconds that an answer can ask for: a day. */
const maxRetryAfterMs = 86_400_000;
/** A larger number is a UNIX time instead of a wait of more than 30 years; one of more than 11 digits is in milliseconds. */
const maxSeconds = 1_000_000_000;
const latestSeconds = 100_000_000_000;

/**
 * Reads the wait in milliseconds from a Retry-After header: whole seconds, a date, or a UNIX time in seconds or
 * milliseconds. Returns null for anything else.
 */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const until = (instant: number) => Math.min(Math.max(instant - now, 0), maxRetryAfterMs);
  if (/^\d+$/.test(text)) {
    const number = Number(text);
    if (number <= maxSeconds) return Math.min(number * 1000, maxRetryAfterMs);
    return until(number < latestSeconds ? number * 1000 : number);
  }
  // A date contains the name of a day or month. Date.parse would accept "-5" as a year.
  const instant = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? null : until(instant);
}
