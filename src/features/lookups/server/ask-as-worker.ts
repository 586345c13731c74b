import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome, Question } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { Loop } from '#server/concurrency/loop.ts';
import { inTransaction } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { createLimitAllocator } from './gate/limits/limit-allocator.ts';
import { createSourceGate } from './gate/source-gate.ts';
import { createProxyLeases } from './proxies/proxy-leases.ts';
import { allocateLimits } from './workers/allocation-round.ts';
import { markWorkerGone } from './workers/workers.queries.ts';

/** Two turns of the allocation: workers take turns of 10 s at a small limit. */
const defaultWaitMs = 20_000;
/** The interval at which this process asks for a part of the limits, and for a proxy. */
const roundMs = 500;
/** The interval at which it looks whether the gate is open. */
const lookMs = 50;

/**
 * Makes one call of the API process as one more worker: with permits of the source's limits, and through a leased proxy if
 * the source uses proxies. If the others use the whole limit, they return some.
 * @throws AppError 409 if there is no proxy, or no permit or proxy in time
 */
export async function askAsWorker(
  { db, log }: Pick<Context, 'db' | 'log'>,
  { entry, sources }: { entry: ConfiguredSource; sources: ConfiguredSource[] },
  ask: (callOptions: Pick<Question, 'permits' | 'via'>) => Promise<Outcome>,
  maxWaitMs: number = defaultWaitMs,
): Promise<Outcome> {
  const worker = randomUUID();
  const isProxied = entry.egress === 'proxies';
  const byProxies = sources.filter(({ enabled, egress }) => enabled && egress === 'proxies');
  const leases = createProxyLeases(db, byProxies, { limit: 1 });
  const gate = createSourceGate(entry, isProxied ? leases.pool.createEgress(entry.limits) : undefined);
  const allocator = createLimitAllocator([{ entry, gate, rows: { size: 1 } }], { insists: true });
  let proxies = { any: true, usable: 1 };
  const runRound = async () => {
    const round = await inTransaction(db, (tx) => allocateLimits(tx, worker, sources, allocator));
    round.apply();
    if (isProxied) proxies = await leases.update(worker, true);
  };
  const loop = new Loop(runRound, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'a part of the limits could not be borrowed yet'),
  });
  loop.wake();
  try {
    const deadline = performance.now() + maxWaitMs;
    while (gate.look(performance.now()).is !== 'open') {
      const lacksProxy = gate.egress.waitMs(performance.now()) > 0;
      if (lacksProxy && proxies.usable === 0) throw noProxy(proxies);
      if (performance.now() >= deadline) throw lacksProxy ? noProxy(proxies) : noPermit();
      await delay(lookMs);
    }
    const call = gate.start(performance.now());
    const outcome = await ask({ permits: call.permits, ...(call.via && { via: call.via }) });
    call.end(outcome);
    return outcome;
  } finally {
    await loop.stop();
    // Requests that have not been sent are denied.
    gate.limiter.setAllocation({ perSecond: 0, concurrency: 0 }, 0);
    try {
      // Stores how the proxy turned out. It is free when the worker is deleted.
      if (isProxied) await leases.update(worker, false).finally(() => leases.reset());
      await markWorkerGone.run(db, { id: worker });
    } catch (error) {
      // An answer that was received still counts.
      log.warn({ err: error }, 'a part of the limits could not be returned, and is free when it expires');
    }
  }
}

/** Returns the error for a call that got no permit in time. */
export function noPermit(): AppError {
  return new AppError(409, 'no_permit', m.server_source_no_permit);
}

function noProxy({ any }: { any: boolean }): AppError {
  return any
    ? new AppError(409, 'no_free_proxy', m.server_source_no_free_proxy)
    : new AppError(409, 'no_proxy', m.server_source_no_proxy);
}
