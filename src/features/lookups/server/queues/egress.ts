import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Connections } from '#features/sources/server/http/connections.ts';

/** One call on its way out. */
export type EgressCall = {
  /** The proxy's connections; undefined: the source's own. */
  via: Connections | undefined;
  /** The request went out. */
  sent(): void;
  /** The call is over. */
  end(how: EgressEnd): void;
};

/**
 * How a call ended as far as its proxy is concerned.
 *
 * - answered: the proxy works
 * - faulty: the proxy failed the call
 * - target_unreachable: the proxy works, but could not reach the source
 * - unknown: nothing came back, so that nothing is known of the proxy
 */
type EgressEnd = 'answered' | 'faulty' | 'target_unreachable' | 'unknown';

/** What the outcome of a call says of the proxy that it went through. */
export function egressEndOf(outcome: Outcome): EgressEnd {
  if (outcome.is === 'proxy') return outcome.targetUnreachable ? 'target_unreachable' : 'faulty';
  const silent = ['unreachable', 'unsent'].includes(outcome.is);
  return silent || (outcome.is === 'retry' && outcome.unanswered) ? 'unknown' : 'answered';
}

/** How the calls of one source leave: directly, or through a pool of proxies. */
export type Egress = {
  /** Milliseconds until a call may leave; 0: now; Infinity: not before something changes. */
  waitMs(now: number): number;
  /** Starts a call; only where `waitMs` is 0. */
  start(now: number): EgressCall;
  /** Whether there is no proxy at all, free or busy. */
  isEmpty(): boolean;
};

/** Calls go directly to the source, through the source's own connections. */
export const directEgress: Egress = {
  waitMs: () => 0,
  isEmpty: () => false,
  start: () => ({ via: undefined, sent: () => undefined, end: () => undefined }),
};
