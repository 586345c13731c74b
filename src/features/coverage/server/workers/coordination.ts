import type pg from 'pg';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { markWaitingTickets, mayTicketsWait } from '../jobs/waiting-tickets.queries.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import { listSourceStates, type SourceState } from '../source-state/source-states.queries.ts';
import type { Shares } from './limit-allocation.ts';
import type { Membership } from './worker-presence.ts';
import { meetWorkers } from './workers.queries.ts';

const roundMs = 500;
/** How often tickets are marked that only wait. */
const markMs = 1000;
/** Without a round for this long nothing is started any more: the others count this worker as gone at 10 s. */
const patienceMs = 5000;

/** Keeps this worker in step with the others: its shares of the limits, and what all know of the sources. */
export type Cluster = {
  /** Has a round soon: something has changed. */
  poke(): void;
  /** What was known of the sources in the last round. */
  readonly sources: ReadonlyMap<string, SourceState>;
  /** Resolves after a round that begins from now on. */
  meet(): Promise<void>;
  stop(): Promise<void>;
};

export type ClusterParts = {
  pool: pg.Pool;
  log: Log;
  lanes: Lane[];
  /** Undefined until this process has joined the workers. */
  membership(): Membership | undefined;
  shares: Shares;
  /** Called after each round with the time of the database's clock. */
  onRound(now: Date, worker: string): void;
};

export function createCluster({ pool, log, lanes, membership, shares, onRound }: ClusterParts): Cluster {
  let sources = new Map<string, SourceState>();
  let metAt = performance.now();
  let markAt = 0;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let again = false;

  const round = async () => {
    const me = membership();
    const id = me?.id;
    if (me === undefined || id === undefined) {
      shares.reset();
      return;
    }
    const known = await inTransaction(pool, async (tx) => {
      if (!(await meetWorkers(tx, id))) return undefined;
      const rows = await listSourceStates(tx);
      const paces = rows.flatMap(({ name, pace }) => (pace === null ? [] : [[name, pace] as const]));
      const applyShares = await shares.settle(tx, id, new Map(paces));
      if (performance.now() >= markAt && (await mayTicketsWait(tx))) {
        markAt = performance.now() + markMs;
        await markWaitingTickets(
          tx,
          lanes.map(({ entry }) => describeState(entry, rows)),
        );
      }
      const { rows: clock } = await tx.query<{ now: Date }>('SELECT now()');
      return { rows, applyShares, now: clock[0]?.now ?? new Date() };
    });
    if (!known) {
      me.rejoin();
      shares.reset();
      return;
    }
    known.applyShares();
    metAt = performance.now();
    sources = new Map(known.rows.map((row) => [row.name, row]));
    onRound(known.now, id);
  };

  const run = async () => {
    clearTimeout(timer);
    again = false;
    try {
      await round();
    } catch (error) {
      log.warn({ err: error }, 'no round with the other workers');
      if (performance.now() - metAt > patienceMs) shares.reset();
    }
    current = undefined;
    if (stopped) return;
    if (again) poke();
    else timer = setTimeout(poke, roundMs);
  };
  const poke = () => {
    if (stopped) return;
    if (current) again = true;
    else current = run();
  };

  return {
    poke,
    get sources() {
      return sources;
    },
    async meet() {
      await current;
      poke();
      await current;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}

function describeState({ name, label }: Lane['entry'], rows: SourceState[]) {
  const row = rows.find((known) => known.name === name);
  const shut = row !== undefined && (row.paused || row.state !== 'up');
  return { name, label, shut, proxies: row?.state === 'proxies' && !row.paused };
}
