import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Coverage } from '#features/sources/sources.contract.ts';
import { initialLookupState, type LookupState } from '../rows/lookup-state.ts';

/** The reason why a row failed, as users read it. */
type Reason = 'Not found' | 'Source unavailable' | 'Rejected by source';

export type Decision =
  | { to: 'done'; coverage: Coverage; attempts: number }
  | { to: 'failed'; reason: Reason; details: string | null; attempts: number }
  /** Ask the next source, or the same one again, not before `lookupState.due`. */
  | { to: 'continue'; lookupState: LookupState };

type Circumstances = {
  source: { name: string; attempts: number };
  /** Whether the source's gate is shut. Then a refusal, or a call without a response, says nothing about the row. */
  isShut: boolean;
  /** Returns whether another source accepts the row. */
  hasNext(): boolean;
  now: number;
  random: () => number;
};

/** Returns a wait in milliseconds by exponential backoff with full jitter: up to 2 s at first, at most 5 minutes. */
function backoffMs(tries: number, random: () => number): number {
  return Math.round(random() * Math.min(300_000, 2000 * 2 ** (tries - 1)));
}

/** Decides the next step of a row after an outcome. A `proxy` outcome says nothing about the row. */
export function applyRetryPolicy(
  lookupState: LookupState,
  outcome: Exclude<Outcome, { is: 'proxy' | 'unsent' }>,
  { source, isShut, hasNext, now, random }: Circumstances,
): Decision {
  const current =
    lookupState.source === source.name
      ? lookupState
      : { ...lookupState, source: source.name, tries: 0, polls: 0, poll: null };
  const attempts = current.tries + 1;

  const again = (error: string, wait: number | null, poll: string | null): Decision => {
    if (attempts >= source.attempts) {
      return { to: 'failed', reason: 'Source unavailable', details: error, attempts };
    }
    const due = now + (wait ?? backoffMs(attempts, random));
    const polls = poll === null ? 0 : current.polls;
    return { to: 'continue', lookupState: { ...current, tries: attempts, polls, poll, due } };
  };

  switch (outcome.is) {
    case 'found':
      return { to: 'done', coverage: outcome.coverage, attempts };
    case 'invalid':
      return { to: 'failed', reason: 'Rejected by source', details: outcome.error, attempts };
    case 'not_found': {
      if (!hasNext()) return { to: 'failed', reason: 'Not found', details: null, attempts };
      const answered = [...lookupState.answered, source.name];
      return { to: 'continue', lookupState: { ...initialLookupState, answered } };
    }
    case 'pending': {
      const polls = current.polls + 1;
      if (polls > outcome.max) return again('the answer stayed pending', null, null);
      const due = now + outcome.afterMs;
      return { to: 'continue', lookupState: { ...current, polls, poll: outcome.poll, due } };
    }
    case 'retry':
      if (isShut && outcome.unanswered) return { to: 'continue', lookupState: current };
      return again(outcome.error, outcome.retryAfterMs ?? null, current.poll);
    case 'throttled':
      return again(outcome.error, outcome.retryAfterMs ?? null, current.poll);
    case 'unreachable':
      return { to: 'continue', lookupState: current };
    case 'auth':
    case 'quota':
      return isShut ? { to: 'continue', lookupState: current } : again(outcome.error, null, current.poll);
  }
}
