import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { reportTrouble } from '../source-state/circuit.queries.ts';
import { openSource } from '../source-state/close-circuit.ts';
import type { SourceState } from '../source-state/source-states.queries.ts';
import type { ProxyLeases } from './proxy-leases.ts';

/** How often the pool is looked at; a set that comes or goes is told of at once. */
const roundMs = 2000;
/** A lane keeps its proxies this long after its last row. */
const lingerMs = 3000;

/** Keeps this worker's proxies up to date, and the sources that go through them open only while there are some. */
export type ProxyRounds = {
  /** Has a round soon: sets have changed, or rows wait for their first proxy. */
  poke(): void;
  stop(): Promise<void>;
};

export type ProxyRoundsParts = {
  pool: pg.Pool;
  log: Log;
  /** The lanes that go through proxies. */
  lanes: Lane[];
  leases: ProxyLeases;
  worker(): string | undefined;
  sources(): ReadonlyMap<string, SourceState>;
  /** Called after each round. */
  onRound(): void;
};

export function startProxyRounds(parts: ProxyRoundsParts): ProxyRounds {
  const { pool, log, lanes, leases, worker, sources, onRound } = parts;
  let stopped = false;
  let again = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let wantedAt = Number.NEGATIVE_INFINITY;

  const round = async () => {
    const id = worker();
    if (id === undefined) return leases.reset();
    const now = performance.now();
    if (lanes.some(isWanting)) wantedAt = now;
    // While a source is down, proxies that cannot reach it are not to blame.
    if (lanes.some(({ gate }) => gate.reason === 'down')) await leases.forgive();
    const { usable } = await leases.settle(id, now - wantedAt < lingerMs);
    for (const { entry } of lanes) {
      const row = sources().get(entry.name);
      if (!row || row.paused) continue;
      if (usable === 0 && row.state === 'up') {
        await reportTrouble(pool, entry.name, 'proxies', 'no Active proxy can be used', 0);
      } else if (usable > 0 && row.state === 'proxies') {
        await inTransaction(pool, (tx) => openSource(tx, entry.name, { unpause: false }));
      }
    }
    onRound();
  };

  const run = async () => {
    clearTimeout(timer);
    again = false;
    await round().catch((error: unknown) => log.warn({ err: error }, 'the proxies could not be looked at'));
    current = undefined;
    if (stopped) return;
    if (again) poke();
    else timer = setTimeout(poke, roundMs);
  };
  const poke = () => {
    if (stopped || lanes.length === 0) return;
    if (current) again = true;
    else current = run();
  };

  return {
    poke,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
      leases.reset();
    },
  };
}

/** Has rows to ask about, or a source to probe. */
function isWanting({ queue, gate }: Lane): boolean {
  const isTroubled = gate.reason === 'down' || gate.reason === 'auth' || gate.reason === 'quota';
  return queue.size > 0 || gate.inFlight > 0 || isTroubled;
}
