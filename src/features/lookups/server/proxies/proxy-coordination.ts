import type pg from 'pg';
import { closeCircuit, openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import type { SourceState } from '#features/sources/server/states/source-states.queries.ts';
import { Loop } from '#server/concurrency/loop.ts';
import type { Wakeup } from '#server/concurrency/wakeup.ts';
import { inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { ProxyLeases } from './proxy-leases.ts';

/** The interval of rounds. A set that is uploaded or deleted triggers one at once. */
const roundMs = 2000;
/** Proxies are kept this long after the last row that needs them. */
const lingerMs = 3000;

export type ProxyCoordinationParts = {
  pool: pg.Pool;
  log: Log;
  /** The sources that are asked through proxies. */
  sourceQueues: SourceQueue[];
  leases: ProxyLeases;
  worker(): string | undefined;
  states(): ReadonlyMap<string, SourceState>;
  /** Triggered after each round. */
  wakeup: Wakeup;
};

/** Leases proxies for this worker in rounds. Blocks the sources that need a proxy while there is none. */
export function startProxyCoordination(parts: ProxyCoordinationParts) {
  const { pool, log, sourceQueues, leases, worker, states, wakeup } = parts;
  let wantedAt = Number.NEGATIVE_INFINITY;

  const runRound = async () => {
    const id = worker();
    if (id === undefined) return leases.reset();
    const now = performance.now();
    if (sourceQueues.some(isWanting)) wantedAt = now;
    // Proxies are not at fault if they cannot reach a source that is down.
    if (sourceQueues.some(({ gate }) => gate.shut === 'down')) await leases.endTargetRests();
    const { usable } = await leases.update(id, now - wantedAt < lingerMs);
    for (const { entry } of sourceQueues) {
      const row = states().get(entry.name);
      if (!row || row.paused) continue;
      if (usable === 0 && row.state === 'up') {
        const error = 'no Active proxy can be used';
        await openCircuit(pool, entry.name, { cause: 'proxies', error, waitMs: 0 });
      } else if (usable > 0 && row.state === 'proxies') {
        await inTransaction(pool, (tx) => closeCircuit(tx, entry.name, { by: 'proxies' }));
      }
    }
    wakeup.wake();
  };

  const loop = new Loop(runRound, {
    pauseMs: () => roundMs,
    onFailure: (error) => log.warn({ err: error }, 'proxy coordination failed'),
  });

  return {
    /** Triggers a round, because sets have changed or rows wait for a proxy. */
    wake() {
      if (sourceQueues.length > 0) loop.wake();
    },
    async stop() {
      await loop.stop();
      leases.reset();
    },
  };
}

/** Returns whether there are rows to ask about, or a probe to send. */
function isWanting({ rows, gate }: SourceQueue): boolean {
  return rows.size > 0 || gate.inFlight > 0 || ['down', 'auth', 'quota'].includes(gate.shut ?? '');
}
