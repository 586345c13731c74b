import type { Coverage, Exchange, SerialKind } from '#features/sources/sources.contract.ts';
import type { Db } from '#server/db/db.ts';
import type { Text } from '#server/http/errors/errors.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Connections } from '../http/connections.ts';
import type { Permits } from '../http/permits.ts';
import type { Secrets } from './secrets.ts';

/** One question to a source. */
export type Question = {
  serial: string;
  kind: SerialKind;
  /** What an earlier `pending` outcome said to ask for; null at first. */
  poll: string | null;
  /** The proxy to go through; undefined: directly, through connections of the source's own. */
  via?: Connections;
  /** Ends the call early; its outcome then is of no interest. */
  signal?: AbortSignal;
  /** Every request that is made for it takes one of these; without them nothing is limited. */
  permits?: Permits;
  /** Told of every request and its answer, with secrets masked. */
  trace?: (exchange: Exchange) => void;
  /** Told of every expression of the entry that failed on the answer, or gave a value that cannot be used. */
  explain?: (problem: MappingProblem) => void;
};

/** A part of an answer that could not be used; `path` leads to its expression within the entry. */
export type MappingProblem = { path: string; reason: Text };

/**
 * How one call ended. `error` is for people: what was wrong, without secrets.
 *
 * - invalid: the source refuses this serial for good
 * - pending: ask again with `poll` in `afterMs`, at most `max` times
 * - throttled: too fast; `retryAfterMs` where the source said how long to wait
 * - retry: a passing failure; `unanswered` when no answer came at all
 * - auth, quota: the account is refused; `account` where that was said about no row in particular
 * - unreachable: no connection to the source came about
 * - unsent: a request would have gone beyond the limits; it says nothing about the row, which is asked about later
 * - proxy: the proxy failed; `targetUnreachable` when it works but could not reach the source
 */
export type Outcome =
  | { is: 'found'; coverage: Coverage }
  | { is: 'not_found' }
  | { is: 'invalid'; error: string }
  | { is: 'pending'; poll: string; afterMs: number; max: number }
  | { is: 'throttled'; error: string; retryAfterMs: number | null }
  | { is: 'retry'; error: string; unanswered?: true }
  | { is: 'auth' | 'quota'; error: string; account?: true }
  | { is: 'unreachable'; error: string }
  | { is: 'unsent'; error: string }
  | { is: 'proxy'; error: string; targetUnreachable: boolean };

/** A source that is ready to be asked. */
export type Source = {
  /** Asks once; never throws, whatever comes back is an outcome. The limits are kept by the caller. */
  ask(question: Question): Promise<Outcome>;
  /** Closes connections, timers and whatever else was opened. */
  close(): Promise<void>;
};

/** What a source is given when it is opened. */
export type SourceTools = {
  secrets: Secrets;
  /** The zone whose calendar days are meant (APP_TIMEZONE). */
  timezone: string;
  /** For a kind that keeps something of its own. */
  db: Db;
  log: Log;
};
