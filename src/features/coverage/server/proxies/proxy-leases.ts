import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { meetWorkers } from '../workers/workers.queries.ts';
import { handOverMs, planProxies, restMs } from './plan-proxies.ts';
import { createProxyPool, type ProxyPool } from './proxy-pool.ts';
import {
  countWantingWorkers,
  forgetProxies,
  forgiveBeyond,
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

/** What the proxies allow now, as the last round found them. */
export type PoolState = {
  /** Proxies of Active sets that do not rest. */
  usable: number;
};

/** Holds this worker's part of the proxies of all Active sets. */
export type ProxyLeases = {
  pool: ProxyPool;
  /** One round: learns of sets that came and went, gives back what others need, takes what is free. */
  settle(worker: string, wants: boolean): Promise<PoolState>;
  /** Uses nothing any more: this worker lost touch with the others. */
  reset(): void;
  /** The source turned out to be down: proxies that could not reach it need not rest. */
  forgive(): Promise<void>;
};

/** @param lanes the lanes that go through proxies */
export function createProxyLeases(db: pg.Pool, log: Log, lanes: () => Lane[]): ProxyLeases {
  let version: string | undefined;
  let active: ReadonlySet<string> = new Set();
  /** Proxies used no more, and since when: their calls must be over and past before others may have them. */
  const leaving = new Map<string, number>();
  const rests = new Set<Promise<void>>();

  const pool = createProxyPool((proxy, beyond) => {
    const ms = restMs(proxy.restStep, Math.random);
    const rest = restProxy(db, proxy.url, { ms, step: proxy.restStep + 1, beyond }).catch((error: unknown) =>
      log.warn({ err: error }, 'the rest of a proxy could not be noted'),
    );
    rests.add(rest);
    void rest.finally(() => rests.delete(rest));
  });

  const learn = async (tx: pg.PoolClient) => {
    const present = await readPoolVersion(tx);
    if (present === version) return;
    active = new Set(await listActiveProxies(tx));
    version = present;
    for (const url of pool.urls) if (!active.has(url)) pool.remove(url);
  };

  return {
    pool,
    async settle(worker, wants) {
      await Promise.all(rests);
      const good = pool.takeGood();
      const { states, take, giveBack, released } = await inTransaction(db, async (tx) => {
        if (!(await meetWorkers(tx, worker))) throw new Error('this worker was taken for gone');
        await learn(tx);
        const known = await listProxyStates(tx);
        const gone = known.filter(({ proxy }) => !active.has(proxy)).map(({ proxy }) => proxy);
        if (gone.length > 0) await forgetProxies(tx, gone);
        const past = [...leaving].filter(
          ([url, since]) => !pool.isEnding(url) && performance.now() - since >= handOverMs,
        );
        const released = past.map(([url]) => url);
        if (released.length > 0) await releaseProxies(tx, worker, released);
        const mine = known.filter((row) => row.worker === worker && !leaving.has(row.proxy));
        // A lease that this process does not use is left over from a failed round.
        const unused = mine.filter(({ proxy }) => !pool.urls.has(proxy)).map(({ proxy }) => proxy);
        if (unused.length > 0) await releaseProxies(tx, worker, unused);
        if (good.length > 0) await markGood(tx, good);
        const plan = planProxies({
          active,
          resting: new Set(known.filter(({ state }) => state === 'resting').map(({ proxy }) => proxy)),
          taken: new Set([
            ...known.filter((row) => row.worker !== null && row.worker !== worker).map(({ proxy }) => proxy),
            ...[...leaving.keys()].filter((url) => !released.includes(url)),
          ]),
          held: pool.urls,
          wanting: await countWantingWorkers(
            tx,
            lanes().map(({ entry }) => entry.name),
            worker,
          ),
          wants,
          most: mostHeld,
          random: Math.random,
        });
        if (plan.take.length > 0) await leaseProxies(tx, worker, plan.take);
        return { states: known, take: plan.take, giveBack: plan.giveBack, released };
      });
      for (const url of released) leaving.delete(url);
      for (const url of giveBack) {
        leaving.set(url, performance.now());
        pool.remove(url);
      }
      const rowOf = new Map(states.map((row) => [row.proxy, row]));
      for (const url of take) {
        const row = rowOf.get(url);
        pool.add(url, { good: row?.state === 'good', restStep: row?.rest_step ?? 0 });
      }
      const resting = states.filter(({ proxy, state }) => state === 'resting' && active.has(proxy)).length;
      const usable = active.size - resting;
      pool.setElsewhere(Math.max(0, usable - pool.urls.size));
      return { usable };
    },
    reset() {
      leaving.clear();
      for (const url of pool.urls) pool.remove(url);
    },
    async forgive() {
      await Promise.all(rests);
      await forgiveBeyond(db);
    },
  };
}
