import type { Connections } from '../http/client-pool.ts';
import { createProxyConnections } from '../http/connections.ts';
import { createRateWindow, type RateWindow } from '../source-queues/sliding-window.ts';
import type { Egress, Way } from '../source-queues/source-queue.ts';
import type { Limits } from '../sources/source-kind.ts';

/** A proxy that this worker alone uses. */
type Proxy = {
  url: string;
  connections: Connections;
  /** It has answered since it was last doubted. */
  good: boolean;
  restStep: number;
  inFlight: number;
  /** Per egress, since every source has its own limits. */
  windows: Map<Egress, RateWindow>;
};

/** The proxies that this worker holds, and what each may do now. */
export type ProxyPool = {
  /** The ways of one source through the proxies. */
  createEgress(limits: Limits): Egress;
  add(url: string, known: { good: boolean; restStep: number }): void;
  /** Uses a proxy no more, and closes its connections when its calls are over. */
  remove(url: string): void;
  readonly urls: ReadonlySet<string>;
  /** Whether calls through a removed proxy are still under way. */
  isEnding(url: string): boolean;
  /** Says how many proxies there are to be had beside those held here. */
  setElsewhere(count: number): void;
  /** Proxies that have proved good since this was last asked. */
  takeGood(): string[];
};

/** @param onFault told of a proxy that failed a call by its own fault; it has left the pool by then */
export function createProxyPool(
  onFault: (proxy: { url: string; restStep: number }, beyond: boolean) => void,
): ProxyPool {
  const proxies = new Map<string, Proxy>();
  /** Whose turn it is: the proxies in the order in which they were last used. */
  let order: Proxy[] = [];
  const proved = new Set<string>();
  /** Used no more, with calls still under way. */
  const ending = new Map<string, Proxy>();
  let elsewhere = 0;

  const remove = (url: string) => {
    const proxy = proxies.get(url);
    if (!proxy) return;
    proxies.delete(url);
    order = order.filter((other) => other !== proxy);
    if (proxy.inFlight > 0) ending.set(url, proxy);
    void proxy.connections.close().catch(() => undefined);
  };

  const createEgress = (limits: Limits): Egress => {
    const windowMs = 1000 / Math.min(1, limits.per_proxy_per_second ?? 1);
    const count =
      limits.per_proxy_per_second === undefined ? null : Math.max(1, Math.floor(limits.per_proxy_per_second));
    const atOnce = limits.per_proxy_concurrency ?? 1;

    const windowOf = (proxy: Proxy) => {
      let window = proxy.windows.get(egress);
      if (!window) {
        window = createRateWindow(windowMs);
        window.setLimit(count);
        proxy.windows.set(egress, window);
      }
      return window;
    };
    const delayOf = (proxy: Proxy, now: number) =>
      proxy.inFlight >= (proxy.good ? atOnce : 1) ? Number.POSITIVE_INFINITY : windowOf(proxy).waitMs(now);

    const egress: Egress = {
      isEmpty: () => order.length === 0 && elsewhere === 0,
      waitMs(now) {
        let wait = Number.POSITIVE_INFINITY;
        for (const proxy of order) {
          wait = Math.min(wait, delayOf(proxy, now));
          if (wait === 0) return 0;
        }
        return wait;
      },
      take(now): Way {
        const index = order.findIndex((proxy) => delayOf(proxy, now) === 0);
        const proxy = order[index];
        if (!proxy) throw new Error('no proxy is free');
        order.splice(index, 1);
        order.push(proxy);
        const call = windowOf(proxy).start(now);
        proxy.inFlight += 1;
        return {
          via: proxy.connections,
          sent() {
            call.sent(performance.now());
          },
          end(how) {
            // A call that never left counts too: the proxy was asked.
            call.sent(performance.now());
            call.end(performance.now());
            proxy.inFlight -= 1;
            if (proxy.inFlight === 0 && ending.get(proxy.url) === proxy) ending.delete(proxy.url);
            if (how === 'answered') {
              if (!proxy.good || proxy.restStep > 0) proved.add(proxy.url);
              proxy.good = true;
              proxy.restStep = 0;
            } else if (how !== 'unknown' && proxies.get(proxy.url) === proxy) {
              proved.delete(proxy.url);
              remove(proxy.url);
              onFault(proxy, how === 'beyond');
            }
          },
        };
      },
    };
    return egress;
  };

  return {
    createEgress,
    add(url, { good, restStep }) {
      if (proxies.has(url)) return;
      const proxy = {
        url,
        connections: createProxyConnections(url),
        good,
        restStep,
        inFlight: 0,
        windows: new Map(),
      };
      proxies.set(url, proxy);
      order.push(proxy);
    },
    remove,
    isEnding: (url) => ending.has(url),
    setElsewhere(count) {
      elsewhere = count;
    },
    get urls() {
      return new Set(proxies.keys());
    },
    takeGood() {
      const urls = [...proved];
      proved.clear();
      return urls;
    },
  };
}
