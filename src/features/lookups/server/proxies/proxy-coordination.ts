import type pg from 'pg';
import { closeCircuit, openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { ProxyLeases } from './proxy-leases.ts';

const roundMs = 2000;
/** Proxies are kept this long after the last row that needs them. */
const lingerMs = 3000;

export type ProxyCoordinationParts = {
  pool: pg.Pool;
  log: Log;
  /** The sources that are asked through proxies. */
  sourceQueues: SourceQueue[];
  leases: ProxyLeases;
  /** This worker's id. */
  worker: string;
  /** Triggered after each round. */
  wakeup: Wakeup;
};

/** Leases proxies for this worker in rounds. Blocks the sources that need a proxy while there is none. */
export function startProxyCoordination(parts: ProxyCoordinationParts) {
  const { pool, log, sourceQueues, leases, worker, wakeup } = parts;
  let wantedAt = Number.NEGATIVE_INFINITY;

  const runRound = async () => {
    const now = performance.now();
    if (sourceQueues.some(isWanting)) wantedAt = now;
    // Proxies are not at fault if they cannot reach a source that is down.
    const isTargetDown = sourceQueues.some(({ gate }) => gate.shutReason === 'down');
    const { usable } = await leases.update(worker, now - wantedAt < lingerMs, isTargetDown);
    for (const { entry, gate } of sourceQueues) {
      if (usable === 0 && (gate.shutReason === null || gate.shutReason === 'elsewhere')) {
        const error = 'no Active proxy can be used';
        await openCircuit(pool, entry.name, { cause: 'proxies', error, waitMs: 0 });
      } else if (usable > 0 && gate.shutReason === 'proxies') {
        await inTransaction(pool, (tx) => closeCircuit(tx, entry.name, { by: 'proxies' }));
      }
    }
    wakeup.wake();
  };

  const onFailure = (error: unknown) => log.warn({ err: error }, 'proxy coordination failed');
  const loop = new Loop(runRound, { pauseMs: () => roundMs, onFailure });

  return {
    /** Triggers a round, because rows wait for a proxy. */
    wake() {
      if (sourceQueues.length > 0) loop.wake();
    },
    /** Stops after a last round, which stores how proxies turned out. */
    async stop() {
      await loop.stop();
      if (sourceQueues.length > 0) await leases.update(worker, false).catch(onFailure);
      leases.reset();
    },
  };
}

/** Returns whether there are rows to ask about, or a probe to send. */
function isWanting({ rows, gate }: SourceQueue): boolean {
  return rows.size > 0 || gate.inFlight > 0 || ['down', 'auth', 'quota'].includes(gate.shutReason ?? '');
}
