import type pg from 'pg';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import { longestProxyWindowMs } from '../queues/sliding-window.ts';
import { renewPresence } from '../workers/workers.queries.ts';
import { planProxies, restMs } from './plan-proxies.ts';
import { createProxyPool, type ProxyPool } from './proxy-pool.ts';
import {
  countWantingWorkers,
  deleteProxyStates,
  endRestsForTarget,
  leaseProxies,
  listActiveProxies,
  listProxyStates,
  markGood,
  readPoolVersion,
  releaseProxies,
  restProxy,
} from './proxy-states.queries.ts';

/** The most proxies that one worker holds. */
const mostHeld = 2000;

/** A proxy stays unused for so many windows of its slowest rate before another worker may lease it. */
const handOverWindows = 1.1;

/** What the last round found. */
type PoolState = {
  /** Proxies of Active sets. */
  active: number;
  /** Those of them that do not rest. */
  usable: number;
};

/** Holds this worker's leases of proxies from all Active sets. A proxy is leased to one worker at a time. */
export type ProxyLeases = {
  pool: ProxyPool;
  /** One round: reads which sets are Active, gives back what others need, and leases what is free. */
  update(worker: string, wants: boolean): Promise<PoolState>;
  /** Uses no proxy any more: this worker lost its connection to the others. */
  reset(): void;
  /** Ends the rests of proxies that could not reach a source which turned out to be down. */
  endTargetRests(): Promise<void>;
};

/**
 * @param entries the sources that are asked through proxies
 * @param options `most`: how many proxies are held at most
 */
export function createProxyLeases(
  db: pg.Pool,
  log: Log,
  entries: Pick<SourceEntry, 'name' | 'limits'>[],
  { most = mostHeld }: { most?: number } = {},
): ProxyLeases {
  let version: string | undefined;
  let active: ReadonlySet<string> = new Set();
  /**
   * Proxies to give back, and since when no call goes through them; undefined: one still does. Their last calls must no
   * longer count before others use them.
   */
  const givenUp = new Map<string, number | undefined>();
  const giveUp = (url: string) => givenUp.set(url, pool.isEnding(url) ? undefined : performance.now());
  /** Looks at what was given up. @returns what others may use now */
  const reviewGivenUp = () => {
    const now = performance.now();
    const countsMs = handOverWindows * longestProxyWindowMs(entries.map(({ limits }) => limits));
    for (const [url, since] of givenUp) if (since === undefined) giveUp(url);
    return [...givenUp].flatMap(([url, since = now]) => (now - since >= countsMs ? [url] : []));
  };
  const rests = new Set<Promise<void>>();

  const pool = createProxyPool((proxy, targetUnreachable) => {
    giveUp(proxy.url);
    const ms = restMs(proxy.restStep, Math.random);
    const rest = restProxy(db, proxy.url, { ms, step: proxy.restStep + 1, targetUnreachable }).catch(
      (error: unknown) => log.warn({ err: error }, 'the rest of a proxy could not be stored'),
    );
    rests.add(rest);
    void rest.finally(() => rests.delete(rest));
  });

  const readActiveSets = async (tx: pg.PoolClient) => {
    const present = await readPoolVersion(tx);
    if (present === version) return;
    active = new Set(await listActiveProxies(tx));
    version = present;
    for (const url of pool.urls) if (!active.has(url)) pool.remove(url);
  };

  return {
    pool,
    async update(worker, wants) {
      await Promise.all(rests);
      const good = pool.takeGood();
      const { states, take, giveBack, released } = await inTransaction(db, async (tx) => {
        if (!(await renewPresence(tx, worker))) throw new Error('this worker was declared dead');
        await readActiveSets(tx);
        const known = await listProxyStates(tx);
        const gone = known.filter(({ proxy }) => !active.has(proxy)).map(({ proxy }) => proxy);
        if (gone.length > 0) await deleteProxyStates(tx, gone);
        const released = reviewGivenUp();
        if (released.length > 0) await releaseProxies(tx, worker, released);
        const mine = known.filter((row) => row.worker === worker && !givenUp.has(row.proxy));
        // A lease that this process does not know of is left over from a failed round.
        const unused = mine.filter(({ proxy }) => !pool.urls.has(proxy)).map(({ proxy }) => proxy);
        if (unused.length > 0) await releaseProxies(tx, worker, unused);
        if (good.length > 0) await markGood(tx, good);
        const plan = planProxies({
          active,
          resting: new Set(known.filter(({ state }) => state === 'resting').map(({ proxy }) => proxy)),
          taken: new Set([
            ...known.filter((row) => row.worker !== null && row.worker !== worker).map(({ proxy }) => proxy),
            ...[...givenUp.keys()].filter((url) => !released.includes(url)),
          ]),
          held: pool.urls,
          wanting: await countWantingWorkers(
            tx,
            entries.map(({ name }) => name),
            worker,
          ),
          wants,
          most,
          random: Math.random,
        });
        if (plan.take.length > 0) await leaseProxies(tx, worker, plan.take);
        return { states: known, take: plan.take, giveBack: plan.giveBack, released };
      });
      for (const url of released) givenUp.delete(url);
      for (const url of giveBack) {
        pool.remove(url);
        giveUp(url);
      }
      const rowOf = new Map(states.map((row) => [row.proxy, row]));
      for (const url of take) {
        const row = rowOf.get(url);
        pool.add(url, { good: row?.state === 'good', restStep: row?.rest_step ?? 0 });
      }
      const resting = states.filter(({ proxy, state }) => state === 'resting' && active.has(proxy)).length;
      const usable = active.size - resting;
      pool.setElsewhere(Math.max(0, usable - pool.urls.size));
      return { active: active.size, usable };
    },
    reset() {
      givenUp.clear();
      for (const url of pool.urls) pool.remove(url);
    },
    async endTargetRests() {
      await Promise.all(rests);
      await endRestsForTarget(db);
    },
  };
}
