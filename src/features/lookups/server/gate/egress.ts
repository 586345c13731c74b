import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Connections } from '#features/sources/server/http/connections.ts';

export type EgressCall = {
  /** The proxy's connections; undefined for the source's own. */
  via: Connections | undefined;
  /** Notes that the request was sent. */
  sent(): void;
  end(outcome: Outcome): void;
};

/** How the calls of one source leave: directly, or through a pool of proxies. */
export type Egress = {
  /** Returns the milliseconds until a call may start: 0 for now, Infinity for not before something changes. */
  waitMs(now: number): number;
  /** Starts a call. Requires that `waitMs` is 0. */
  start(now: number): EgressCall;
  /** Returns whether this worker neither holds nor could lease a proxy. */
  isEmpty(): boolean;
};

/** Calls leave directly, through the source's own connections. */
export const directEgress: Egress = {
  waitMs: () => 0,
  isEmpty: () => false,
  start: () => ({ via: undefined, sent: () => undefined, end: () => undefined }),
};
