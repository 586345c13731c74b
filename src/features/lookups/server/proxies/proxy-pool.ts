import type { Outcome } from '#features/sources/server/configuration/source.ts';
import type { Limits } from '#features/sources/server/configuration/source-kind.ts';
import type { Connections } from '#features/sources/server/http/connections.ts';
import { createProxyConnections } from '#features/sources/server/http/connections.ts';
import type { Egress, EgressCall } from '../gate/egress.ts';
import { createSlidingWindow, type SlidingWindow } from '../gate/limits/sliding-window.ts';

/** A proxy that is leased to this worker. */
export type LeasedProxy = {
  url: string;
  connections: Connections;
  /** Whether it has answered since its last failure. Until then it takes one call at a time. */
  good: boolean;
  restStep: number;
  inFlight: number;
  /** When its last call ended (`performance.now`). */
  endedAt: number;
  /** One window per source, because each source has its own limits per proxy. */
  windows: Map<Egress, SlidingWindow>;
};

/** How a proxy has turned out: the source answered through it, or it failed a call and rests. */
export type ProxyOutcome = {
  proxy: string;
  state: 'good' | 'resting';
  restMs: number;
  restStep: number;
  targetUnreachable: boolean;
};

const firstRestMs = 30_000;
const maxRestMs = 1_800_000;
const minRestMs = 1100;

/**
 * Returns the rest of a proxy that has failed `step` times before, in milliseconds: full jitter of 30 s, doubling to
 * 30 min. The proxy stays leased until the calls through it no longer count, even if that is longer.
 */
export function restMs(step: number, random: () => number): number {
  return Math.max(minRestMs, Math.round(random() * Math.min(maxRestMs, firstRestMs * 2 ** step)));
}

/** @param onFailure called for a proxy that failed a call, after its removal from the pool */
export function createProxyPool(onFailure: (proxy: LeasedProxy) => void) {
  /** The proxies by address, in the order of their last use; the first is next. */
  const proxies = new Map<string, LeasedProxy>();
  /** The outcomes that are not stored yet, by address. */
  const outcomes = new Map<string, ProxyOutcome>();
  let leasableElsewhere = 0;

  const remove = (url: string) => {
    const proxy = proxies.get(url);
    if (!proxy) return;
    proxies.delete(url);
    void proxy.connections.close().catch(() => undefined);
  };

  const createEgress = (limits: Limits): Egress => {
    const windowMs = 1000 / Math.min(1, limits.per_proxy_per_second ?? 1);
    const count =
      limits.per_proxy_per_second === undefined ? null : Math.max(1, Math.floor(limits.per_proxy_per_second));
    const concurrency = limits.per_proxy_concurrency ?? 1;

    const windowOf = (proxy: LeasedProxy) => {
      let window = proxy.windows.get(egress);
      if (!window) {
        window = createSlidingWindow(windowMs);
        window.setLimit(count);
        proxy.windows.set(egress, window);
      }
      return window;
    };
    const delayOf = (proxy: LeasedProxy, now: number) =>
      proxy.inFlight >= (proxy.good ? concurrency : 1)
        ? Number.POSITIVE_INFINITY
        : windowOf(proxy).waitMs(now);

    const egress: Egress = {
      isEmpty: () => proxies.size === 0 && leasableElsewhere === 0,
      waitMs(now) {
        let wait = Number.POSITIVE_INFINITY;
        for (const proxy of proxies.values()) {
          wait = Math.min(wait, delayOf(proxy, now));
          if (wait === 0) return 0;
        }
        return wait;
      },
      start(now): EgressCall {
        const proxy = [...proxies.values()].find((candidate) => delayOf(candidate, now) === 0);
        if (!proxy) throw new Error('no proxy is free');
        proxies.delete(proxy.url);
        proxies.set(proxy.url, proxy);
        const call = windowOf(proxy).start(now);
        proxy.inFlight += 1;
        return {
          via: proxy.connections,
          sent() {
            call.sent(performance.now());
          },
          end(outcome) {
            // A call that was never sent counts, too: the proxy was connected to.
            call.sent(performance.now());
            call.end();
            proxy.inFlight -= 1;
            proxy.endedAt = performance.now();
            if (proxies.get(proxy.url) !== proxy) return;
            if (outcome.is === 'proxy') {
              remove(proxy.url);
              outcomes.set(proxy.url, {
                proxy: proxy.url,
                state: 'resting',
                restMs: restMs(proxy.restStep, Math.random),
                restStep: proxy.restStep + 1,
                targetUnreachable: outcome.targetUnreachable,
              });
              onFailure(proxy);
            } else if (isAnswer(outcome)) {
              if (!proxy.good || proxy.restStep > 0)
                outcomes.set(proxy.url, {
                  proxy: proxy.url,
                  state: 'good',
                  restMs: 0,
                  restStep: 0,
                  targetUnreachable: false,
                });
              proxy.good = true;
              proxy.restStep = 0;
            }
          },
        };
      },
    };
    return egress;
  };

  return {
    /** Returns the egress of one source through these proxies. */
    createEgress,
    add(url: string, { good, restStep }: { good: boolean; restStep: number }) {
      if (proxies.has(url)) return;
      const proxy = {
        url,
        connections: createProxyConnections(url),
        good,
        restStep,
        inFlight: 0,
        endedAt: Number.NEGATIVE_INFINITY,
        windows: new Map(),
      };
      proxies.set(url, proxy);
    },
    /** Stops using a proxy, and closes its connections after its last call. */
    remove,
    /** Sets how many more proxies this worker could lease. */
    setLeasableElsewhere(count: number) {
      leasableElsewhere = count;
    },
    /** The proxies by address. */
    proxies: proxies as ReadonlyMap<string, LeasedProxy>,
    /** Returns the outcomes that are not stored yet. */
    listOutcomes: () => [...outcomes.values()],
    /** Forgets stored outcomes, except of proxies with a newer one. */
    forget(stored: ProxyOutcome[]) {
      for (const outcome of stored)
        if (outcomes.get(outcome.proxy) === outcome) outcomes.delete(outcome.proxy);
    },
  };
}

/** Returns whether the source answered. Without a response, nothing is known about the proxy. */
function isAnswer(outcome: Outcome): boolean {
  if (outcome.is === 'unreachable' || outcome.is === 'unsent') return false;
  return !(outcome.is === 'retry' && outcome.unanswered);
}
