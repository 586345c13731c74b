import type { Outcome } from '../configuration/source.ts';
import { HttpFailure } from '../http/http-failure.ts';

/**
 * Returns the outcome of a request without a response.
 * @param byProxy whether it went through a proxy, which is at fault if no connection was opened in time
 */
export function failedOutcome(error: unknown, mask: (text: string) => string, byProxy = false): Outcome {
  if (!(error instanceof HttpFailure)) return { is: 'retry', error: mask((error as Error).message) };
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
