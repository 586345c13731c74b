import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import type { Connections } from '#features/sources/server/http/connections.ts';
import type { Permits } from '#features/sources/server/http/permits.ts';
import type { SourceBlock } from '#features/sources/server/states/source-states.queries.ts';
import { directEgress, type Egress } from './egress.ts';
import { createFailureStreak } from './failure-streak.ts';
import { createRateLimiter, type RateLimiter } from './limits/rate-limiter.ts';

/**
 * Why no row may wait here for a source: no worker may ask it, or others use up all of its limits (`elsewhere`). The rows
 * leave this worker.
 */
export type ShutReason = SourceBlock | 'elsewhere';

/** Why a source is closed for a moment, in which its rows wait here. */
export type WaitReason =
  /** This worker has no part of its limits yet. A round of coordination brings one. */
  | 'unallocated'
  /** This worker has no proxy that becomes free. A round of proxy coordination may bring one. */
  | 'no_proxy'
  /** The end of a call in flight opens it. */
  | 'busy';

/** Whether a source may be asked now. */
export type GateAnswer =
  | { is: 'open' }
  | { is: 'opens'; inMs: number }
  | { is: 'closed'; why: ShutReason | WaitReason };

/** Why a source fails as a whole. */
export type SourceFailure = { cause: 'down' | 'auth' | 'quota'; error: string };

/** A call that the gate has let through. */
export type GateCall = {
  /** The proxy's connections; undefined for the source's own. */
  via: Connections | undefined;
  permits: Permits;
  end(outcome: Outcome): void;
  /**
   * Counts the ended call, and closes the gate if the source fails as a whole.
   * @returns the failure that closed it
   */
  judge(outcome: Outcome, serial: string): SourceFailure | undefined;
};

export type SourceGate = ReturnType<typeof createSourceGate>;

/** Creates the gate of a source in this worker, which decides alone when the source is asked. See `README.md`. */
export function createSourceGate(
  { limits, remote }: Pick<SourceEntry, 'limits' | 'remote'>,
  egress: Egress = directEgress,
) {
  const limiter: RateLimiter = createRateLimiter(limits.per_second);
  // A source that is asked without a network has no limits to share.
  if (!remote) limiter.setAllocation({ perSecond: null, concurrency: null });
  const streak = createFailureStreak();
  let block: SourceBlock | null = null;
  let unstored: SourceFailure | undefined;

  const findShutReason = (): ShutReason | null => block ?? (limiter.isUsedElsewhere ? 'elsewhere' : null);
  const closed = (why: ShutReason | WaitReason): GateAnswer => ({ is: 'closed', why });
  /** @param why the reason if the wait is infinite */
  const after = (inMs: number, why: WaitReason): GateAnswer =>
    inMs === Number.POSITIVE_INFINITY ? closed(why) : { is: 'opens', inMs };

  return {
    limiter,
    egress,
    /** May this source be asked now? */
    look(now: number): GateAnswer {
      const shutReason = findShutReason();
      if (shutReason !== null) return closed(shutReason);
      if (!limiter.isAllocated(now)) return closed('unallocated');
      if (!streak.mayStart()) return closed('busy');
      const wait = limiter.waitMs(now);
      if (wait > 0) return after(wait, 'busy');
      const proxyWait = egress.waitMs(now);
      return proxyWait > 0 ? after(proxyWait, limiter.inFlight > 0 ? 'busy' : 'no_proxy') : { is: 'open' };
    },
    /** Why no row may wait here for the source; null if this worker may ask it, now or soon. */
    get shutReason() {
      return findShutReason();
    },
    /** The calls in flight, and the requests that wait for a permit. */
    get inFlight() {
      return limiter.inFlight;
    },
    /** Starts a call. Requires that the gate is open, or that the call is a probe and a proxy is free. */
    start(now: number): GateCall {
      const egressCall = egress.start(now);
      const limitedCall = limiter.start(() => egressCall.sent());
      const streakCall = streak.start();
      return {
        via: egressCall.via,
        permits: limitedCall,
        end(outcome) {
          limitedCall.end();
          streakCall.end();
          egressCall.end(outcome);
        },
        judge(outcome, serial) {
          streakCall.record(outcome, serial);
          const failure = failureOf(outcome);
          // Through proxies, several have already failed to reach the source.
          const isCertain = 'account' in outcome || (failure?.cause === 'down' && egress !== directEgress);
          if (block !== null || !failure || !(isCertain || streak.isFull)) return undefined;
          block = failure.cause;
          unstored = failure;
          return failure;
        },
      };
    },
    /** The failure that closed the gate, until it is stored for all workers. */
    get unstored() {
      return unstored;
    },
    noteStored(): void {
      unstored = undefined;
    },
    /**
     * Follows the state that all workers share: the reason why nobody may ask the source, or null. Until an own failure is
     * stored, that state is outdated.
     */
    follow(shared: SourceBlock | null): void {
      if (unstored || shared === block) return;
      block = shared;
      streak.reset();
    },
  };
}

function failureOf(outcome: Outcome): SourceFailure | undefined {
  switch (outcome.is) {
    case 'unreachable':
      return { cause: 'down', error: outcome.error };
    case 'auth':
    case 'quota':
      return { cause: outcome.is, error: outcome.error };
    default:
      return undefined;
  }
}
