import type { Coverage } from '#features/coverage/coverage.contract.ts';
import type { LookupState } from '../rows/lookup-state.ts';
import type { Outcome } from '../sources/source.ts';
import { backoffMs } from './backoff.ts';

/** Why a row failed, in the words that people read. */
type Reason = 'Not found' | 'Source unavailable' | 'Rejected by source';

/** What happens to a row after a call. */
export type Decision =
  | { to: 'done'; coverage: Coverage; attempts: number }
  | { to: 'failed'; reason: Reason; details: string | null; attempts: number }
  /** The next source is asked, at once. */
  | { to: 'next'; lookupState: LookupState }
  /** The same source is asked again, not before `lookupState.due`. */
  | { to: 'later'; lookupState: LookupState }
  /** The row waits, with nothing used up: the source failed, not the row. */
  | { to: 'wait'; cause: 'down' | 'auth' | 'quota'; error: string };

type Circumstances = {
  source: { name: string; attempts: number };
  /** Whether another source accepts the row. */
  hasNext(): boolean;
  now: number;
  random: () => number;
};

/** Decides what a call's outcome means for its row. A `proxy` outcome says nothing about the row, so it is not decided here. */
export function applyRetryPolicy(
  lookupState: LookupState,
  outcome: Exclude<Outcome, { is: 'proxy' }>,
  { source, hasNext, now, random }: Circumstances,
): Decision {
  const mine =
    lookupState.source === source.name ? lookupState : { ...lookupState, tries: 0, polls: 0, poll: null };
  const attempts = mine.tries + 1;

  const again = (error: string, wait: number | null, poll: string | null): Decision => {
    if (attempts >= source.attempts) {
      return { to: 'failed', reason: 'Source unavailable', details: error, attempts };
    }
    const due = now + (wait ?? backoffMs(attempts, random));
    const polls = poll === null ? 0 : mine.polls;
    return { to: 'later', lookupState: { ...mine, source: source.name, tries: attempts, polls, poll, due } };
  };

  switch (outcome.is) {
    case 'found':
      return { to: 'done', coverage: outcome.coverage, attempts };
    case 'invalid':
      return { to: 'failed', reason: 'Rejected by source', details: outcome.error, attempts };
    case 'not_found': {
      if (!hasNext()) return { to: 'failed', reason: 'Not found', details: null, attempts };
      const answered = [...lookupState.answered, source.name];
      return {
        to: 'next',
        lookupState: { answered, source: null, tries: 0, polls: 0, poll: null, due: null },
      };
    }
    case 'pending': {
      const polls = mine.polls + 1;
      if (polls > outcome.max) return again('the answer stayed pending', null, null);
      const due = now + outcome.afterMs;
      return { to: 'later', lookupState: { ...mine, source: source.name, polls, poll: outcome.poll, due } };
    }
    case 'throttled':
      return again(outcome.error, outcome.retryAfterMs, mine.poll);
    case 'retry':
      return again(outcome.error, null, mine.poll);
    case 'unreachable':
      return { to: 'wait', cause: 'down', error: outcome.error };
    case 'auth':
    case 'quota':
      return { to: 'wait', cause: outcome.is, error: outcome.error };
  }
}
