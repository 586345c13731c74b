import { readRetryAfter } from '#server/egress/retry-after.ts';
import type { Outcome } from '../configuration/source.ts';

/** Returns the error of an answer that is no JSON, or JSON of another form. */
export const notExpected = (status: number): string => `HTTP ${status}, not the expected JSON`;

/** The outcomes that depend on the status alone. */
type Plain = Exclude<Outcome, { is: 'found' | 'pending' | 'proxy' }>;

/**
 * Returns the outcome of a response that no rule matches, except 2xx with JSON: 404 not_found; 408, 425 and 429
 * throttled; 401 and 403 auth; 402 quota; other 4xx invalid; everything else (5xx, redirects, unreadable 2xx) retry.
 */
export function defaultOutcome(status: number, headers: Record<string, string>, now: number): Plain {
  const name = nameOf(status);
  return plainOutcome(name, name === 'retry' ? describeUnusable(status) : `HTTP ${status}`, headers, now);
}

/** Returns an outcome by its name. `throttled` and `retry` take their wait from Retry-After. */
export function plainOutcome(
  is: Plain['is'],
  error: string,
  headers: Record<string, string>,
  now: number,
): Plain {
  if (is === 'not_found') return { is };
  const retryAfterMs = readRetryAfter(headers['retry-after'], now);
  if (is === 'throttled') return { is, error, retryAfterMs };
  return is === 'retry' && retryAfterMs !== null ? { is, error, retryAfterMs } : { is, error };
}

function nameOf(status: number): Plain['is'] {
  if (status === 404) return 'not_found';
  if (status === 408 || status === 425 || status === 429) return 'throttled';
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  return status >= 400 && status < 500 ? 'invalid' : 'retry';
}

function describeUnusable(status: number): string {
  if (status < 300) return notExpected(status);
  return status < 400 ? `HTTP ${status}, a redirect` : `HTTP ${status}`;
}
