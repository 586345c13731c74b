import type pg from 'pg';
import type { SourceEntry } from '#features/sources/server/configuration/source-kind.ts';
import { inTransaction } from '#server/db/db.ts';
import { evenAllocation, turnMs } from '../gate/limits/plan-allocation.ts';
import { maxProxyWindowMs } from '../gate/limits/sliding-window.ts';
import { renewPresence } from '../workers/workers.queries.ts';
import { createProxyPool, type LeasedProxy } from './proxy-pool.ts';
import {
  countProxies,
  deleteProxyStates,
  endRestsForTarget,
  giveBackProxies,
  insertProxyStates,
  leaseProxies,
  listInactiveProxies,
  listLeasedProxies,
  listWantingWorkers,
  readPoolVersion,
  storeProxyOutcomes,
} from './proxy-states.queries.ts';

/** The maximum number of proxies that one worker holds. */
const maxLeases = 2000;

/** The most states that one round adds, and deletes. 300,000 at once would delay the first use, or the others, by seconds. */
const maxChanged = 20_000;

/** A proxy stays unused for this many windows of its slowest rate before another worker may lease it. */
const handOverWindows = 1.1;

type PoolState = {
  /** Whether there is a proxy in an Active set. */
  any: boolean;
  /** The number of proxies that do not rest, counted up to one more than all wanting workers may hold. */
  usable: number;
};

export type ProxyLeases = ReturnType<typeof createProxyLeases>;

/**
 * Holds this worker's leases of the proxies in all Active sets. One worker at a time leases a proxy.
 * @param entries the sources that are asked through proxies
 * @param options `limit`: the maximum number of held proxies; `changedAtOnce`: the most states that one round adds, and
 *   deletes
 */
export function createProxyLeases(
  db: pg.Pool,
  entries: Pick<SourceEntry, 'name' | 'limits'>[],
  { limit = maxLeases, changedAtOnce = maxChanged }: { limit?: number; changedAtOnce?: number } = {},
) {
  let version: string | undefined;
  /** Proxies to return, by address: each when its last call no longer counts. */
  const proxiesToReturn = new Map<string, LeasedProxy>();
  const countsMs = handOverWindows * maxProxyWindowMs(entries.map(({ limits }) => limits));
  // Longer than a proxy changes hands, so that its next worker still has its turn.
  const turnLengthMs = Math.max(turnMs, 2 * countsMs);
  const scheduleReturn = (proxy: LeasedProxy) => proxiesToReturn.set(proxy.url, proxy);
  const pool = createProxyPool(scheduleReturn);
  /** Returns the proxies that others may use now. */
  const listReturnable = () =>
    [...proxiesToReturn.values()]
      .filter(({ inFlight, endedAt }) => inFlight === 0 && performance.now() - endedAt >= countsMs)
      .map(({ url }) => url);

  /** Compares changed sets with the stored states. Runs without the lock, because it reads all of both. */
  const readChangedSets = async () => {
    const { version: present } = await readPoolVersion.one(db);
    if (present === version) return { complete: present, inactiveProxies: [], isAnyLeft: false };
    const { is_complete: isComplete } = await insertProxyStates.one(db, { limit: changedAtOnce });
    const inactiveProxies = (await listInactiveProxies.all(db, { limit: changedAtOnce })).map(
      ({ proxy }) => proxy,
    );
    const isAnyLeft = inactiveProxies.length === changedAtOnce;
    return { complete: isComplete && !isAnyLeft ? present : undefined, inactiveProxies, isAnyLeft };
  };

  /** Stops using all proxies, because others may hold them. */
  const reset = () => {
    proxiesToReturn.clear();
    pool.forget(pool.listOutcomes());
    for (const url of pool.proxies.keys()) pool.remove(url);
  };

  return {
    pool,
    /**
     * Runs one round: follows changed sets, stores how proxies turned out, gives back those that others need, and leases free
     * ones. While a source is down, no proxy that could not reach one rests.
     */
    async update(worker: string, wants: boolean, isTargetDown = false): Promise<PoolState> {
      const { complete, inactiveProxies, isAnyLeft } = await readChangedSets();
      const outcomes = pool.listOutcomes();
      const { leased, newLeases, returnable, fair, ...state } = await inTransaction(db, async (tx) => {
        if (!(await renewPresence(tx, worker)).isKnown) reset();
        if (inactiveProxies.length > 0) await deleteProxyStates.run(tx, { proxies: inactiveProxies });
        if (outcomes.length > 0) await storeProxyOutcomes.run(tx, { worker, outcomes });
        if (isTargetDown) await endRestsForTarget.run(tx);
        const returnable = listReturnable();
        if (returnable.length > 0) await giveBackProxies.run(tx, { worker, proxies: returnable });
        const leased = new Set((await listLeasedProxies.all(tx, { worker })).map(({ proxy }) => proxy));
        // A lease that this process does not know of is left over from a failed round.
        const unused = [...leased].filter((url) => !pool.proxies.has(url) && !proxiesToReturn.has(url));
        if (unused.length > 0) await giveBackProxies.run(tx, { worker, proxies: unused });
        const names = entries.map(({ name }) => name);
        const workers = wants ? await listWantingWorkers.all(tx, { sources: names, me: worker }) : [];
        const wanting = workers.map((row) => row.worker);
        // One more than all workers may lease, to find out whether there are more.
        const { any, usable } = await countProxies.one(tx, { limit: limit * wanting.length + 1 });
        const turn = Math.floor(Date.now() / turnLengthMs);
        const even = wants ? evenAllocation({ limit: usable, wanting, me: worker, turn }) : 0;
        const fair = Math.min(limit, even);
        const leasedCount = [...pool.proxies.keys()].filter((url) => leased.has(url)).length;
        // A free proxy may be one of a removed set whose state is not deleted yet.
        const newLeases =
          leasedCount < fair && !isAnyLeft
            ? await leaseProxies.all(tx, { worker, limit: fair - leasedCount })
            : [];
        return { leased, newLeases, returnable, fair, any, usable };
      });
      version = complete;
      pool.forget(outcomes);
      for (const url of returnable) proxiesToReturn.delete(url);
      // The leases of proxies that are no longer Active ended with their states.
      for (const url of pool.proxies.keys()) if (!leased.has(url)) pool.remove(url);
      for (const proxy of [...pool.proxies.values()].slice(fair)) {
        pool.remove(proxy.url);
        scheduleReturn(proxy);
      }
      for (const { proxy, good, rest_step } of newLeases) pool.add(proxy, { good, restStep: rest_step });
      pool.setLeasableElsewhere(Math.max(0, state.usable - pool.proxies.size));
      return state;
    },
    reset,
  };
}
