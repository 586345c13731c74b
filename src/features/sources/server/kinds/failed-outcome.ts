import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseFailure } from '#server/db/connection/connection.ts';
import type { Outcome, SourceTools } from '../configuration/source.ts';
import { HttpFailure } from '../http/http-failure.ts';
import { ReadingLimitError } from '../responses/expression.ts';

/** The text for a failure of this product's database. PostgreSQL's own text is only logged, because users read outcomes. */
export const databaseFailed = 'the database of Coverdesk did not answer';
/** A row whose call was unsent is asked about again at once, which would keep a failing database busy. */
const databasePauseMs = 1000;

/**
 * Returns the outcome of a request without a response, or with one that cannot be read within the limits.
 * @param byProxy whether it went through a proxy, which is at fault if no connection was opened in time
 */
export async function failedOutcome(
  error: unknown,
  { secrets: { mask }, log }: Pick<SourceTools, 'secrets' | 'log'>,
  byProxy = false,
): Promise<Outcome> {
  if (error instanceof ReadingLimitError) return { is: 'retry', error: error.message };
  if (!(error instanceof HttpFailure)) return ownFailure(error as Error, log);
  const text = mask(error.message);
  switch (error.fault) {
    case 'unreachable':
      if (byProxy) return { is: 'proxy', error: text, targetUnreachable: false };
      return { is: 'unreachable', error: text };
    case 'proxy':
    case 'target_unreachable':
      return { is: 'proxy', error: text, targetUnreachable: error.fault === 'target_unreachable' };
    case 'not_permitted':
      return { is: 'unsent', error: text };
    case 'interrupted':
      return { is: 'retry', error: text, unanswered: true };
    default:
      return { is: 'retry', error: text };
  }
}

/** Logs a failure that is not the source's, and returns an outcome without its text. */
async function ownFailure(error: Error, log: SourceTools['log']): Promise<Outcome> {
  if (error.name === 'AbortError') return { is: 'unsent', error: 'the process is stopping' };
  if (!isDatabaseFailure(error)) {
    log.error({ err: error }, 'a source could not be asked because of an unexpected failure');
    return { is: 'retry', error: 'unexpected failure' };
  }
  log.warn({ err: error }, 'a source could not be asked because the database failed');
  await delay(databasePauseMs);
  return { is: 'unsent', error: databaseFailed };
}
