import { HttpFailure } from '../http/http-failure.ts';
import type { Outcome } from '../sources/source.ts';

/**
 * What an exchange that brought no answer means for the row.
 * @param byProxy it went through a proxy, whose fault it is when no connection came about in time
 */
export function failedOutcome(error: unknown, mask: (text: string) => string, byProxy = false): Outcome {
  if (!(error instanceof HttpFailure)) return { is: 'retry', error: mask((error as Error).message) };
  const text = mask(error.message);
  switch (error.fault) {
    case 'unreachable':
      if (byProxy) return { is: 'proxy', error: text, beyond: false };
      return { is: 'unreachable', error: text };
    case 'proxy':
    case 'beyond':
      return { is: 'proxy', error: text, beyond: error.fault === 'beyond' };
    case 'passing':
      return { is: 'retry', error: text, unanswered: true };
    default:
      return { is: 'retry', error: text };
  }
}
