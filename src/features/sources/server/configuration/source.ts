import type { Coverage, Exchange, SerialKind } from '#features/sources/sources.contract.ts';
import type { Db } from '#server/db/db.ts';
import type { Text } from '#server/http/errors/errors.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Connections } from '../http/connections.ts';
import type { Permits } from '../http/permits.ts';
import type { Secrets } from './secrets.ts';

/** A question to a source about one device. */
export type Question = {
  serial: string;
  kind: SerialKind;
  /** The id to poll for, from an earlier `pending` outcome; otherwise null. */
  poll: string | null;
  /** The connections of the proxy to use; undefined for the source's own. */
  via?: Connections;
  /** Each request takes one of these permits. Without them there is no limit. */
  permits?: Permits;
  /** Receives every request and its response, with secrets masked. */
  trace?: (exchange: Exchange) => void;
  /** Receives every expression of the entry that failed, or whose value is unusable. */
  explain?: (problem: MappingProblem) => void;
};

/** An unusable part of an answer. `path` leads to its expression within the entry. */
export type MappingProblem = { path: string; reason: Text };

/**
 * The outcome of one call. `error` is a message for people, without secrets.
 *
 * - invalid: the source refuses this serial permanently
 * - pending: ask again with `poll` in `afterMs`, at most `max` times
 * - throttled: too fast; `retryAfterMs` where the source said how long to wait, as for retry
 * - retry: a transient failure; `unanswered` if there was no response
 * - auth, quota: the account is refused; `account` if that is certain regardless of the row
 * - unreachable: no connection to the source could be opened, or the wait for its token or index took too long
 * - unsent: a request would have gone beyond the limits; it says nothing about the row, which is asked about later
 * - proxy: the proxy failed; `targetUnreachable` when it works but could not reach the source
 */
export type Outcome =
  | { is: 'found'; coverage: Coverage }
  | { is: 'not_found' }
  | { is: 'invalid'; error: string }
  | { is: 'pending'; poll: string; afterMs: number; max: number }
  | { is: 'throttled'; error: string; retryAfterMs: number | null }
  | { is: 'retry'; error: string; retryAfterMs?: number; unanswered?: true }
  | { is: 'auth' | 'quota'; error: string; account?: true }
  | { is: 'unreachable'; error: string }
  | { is: 'unsent'; error: string }
  | { is: 'proxy'; error: string; targetUnreachable: boolean };

/** A configured source that a process has opened, ready to be asked. */
export type OpenedSource = {
  /** Asks once. Never throws: every failure is an outcome. The caller keeps the limits. */
  ask(question: Question): Promise<Outcome>;
  /** Closes connections and timers. */
  close(): Promise<void>;
};

/** The dependencies of an opened source. */
export type SourceTools = {
  secrets: Secrets;
  /** The time zone of days that an answer gives as instants. */
  timezone: string;
  /** For kinds that store data. */
  db: Db;
  log: Log;
};
