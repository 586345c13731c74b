import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { lookupsChannel } from '../lookup-queue.queries.ts';
import type { Source, SourceTools } from '../sources/source.ts';
import type { ConfiguredSource } from '../sources/sources-file.ts';
import type { RowResult } from './batch.ts';
import { startChores } from './chores.ts';
import { createCluster } from './cluster.ts';
import { createDispatcher } from './dispatcher.ts';
import { createFairQueue } from './fair-queue.ts';
import { createFeeder } from './feeder.ts';
import { createGate } from './gate.ts';
import { createHealth } from './health.ts';
import { directEgress, type Lane } from './lane.ts';
import { createLedger } from './ledger.ts';
import type { PendingRow } from './load-rows.queries.ts';
import type { LookupRow } from './lookup-row.ts';
import { joinMembership, type Membership } from './membership.ts';
import { createPacer } from './pacer.ts';
import { createProber } from './probe.ts';
import { openQueue } from './queue.ts';
import { createShares } from './shares.ts';
import { reportTrouble, sourcesChannel, syncSources } from './source-states.queries.ts';
import { leaveWorkers } from './workers.queries.ts';
import { createWriter } from './writer.ts';

/** How long calls that are under way may take to end when the worker is told to stop. */
const drainMs = 5000;
/** When the first probe of a source in trouble is due. */
const firstProbeMs = 5000;

export type Engine = {
  /** Finishes what is under way, gives the rest back at once, and leaves the other workers. */
  drain(): Promise<void>;
};

/** Looks up the rows of all tickets with the given sources, together with all other workers on this database. */
export async function startEngine(
  context: Pick<Context, 'config' | 'db' | 'log' | 'databaseUrl'>,
  sources: ConfiguredSource[],
  tools: SourceTools,
): Promise<Engine> {
  const { config, db, log, databaseUrl } = context;
  const { pool } = db;
  const enabled = sources.filter((entry) => entry.enabled);
  await syncSources(pool, sources);
  const queue = await openQueue(pool, log);
  const opened: Source[] = [];
  const lanes: Lane[] = [];
  for (const entry of enabled) {
    const source = await entry.open(tools);
    opened.push(source);
    const gate = createGate(entry.limits.per_second);
    if (!entry.remote) gate.setShare({ perSecond: null, concurrency: null });
    lanes.push({
      entry,
      source,
      queue: createFairQueue(),
      gate,
      egress: directEgress,
      health: createHealth(),
    });
  }

  const writer = createWriter(pool, queue, log, (gone) => {
    if (gone.length > 0) ledger.drop(({ ticketId }) => gone.includes(ticketId));
    dispatcher.pump();
  });
  const ledger = createLedger(lanes, writer, () => {
    if (lanes.some(lacksShare)) cluster.poke();
    dispatcher.pump();
    if (ledger.ready < target() / 2) feeder.poke();
  });
  const pacer = createPacer(pool, log, lanes, () => cluster.poke());
  const dispatcher = createDispatcher({
    lanes,
    concurrency: config.WORKER_CONCURRENCY,
    ledger,
    writer,
    onCall: (lane, outcome) => pacer.record(lane, outcome),
    onTrouble(lane, trouble, error) {
      if (lane.gate.reason !== null) return;
      log.warn({ source: lane.entry.name, trouble, error }, 'a source is in trouble; its rows wait');
      troubled.add(lane);
      lane.gate.shut(trouble);
      void reportTrouble(pool, lane.entry.name, trouble, error, firstProbeMs)
        .catch((failure: unknown) => log.warn({ err: failure }, 'the trouble could not be told'))
        .finally(() => {
          troubled.delete(lane);
          cluster.poke();
        });
      ledger.reviewLanes();
    },
  });
  /** Lanes whose trouble is being told: what the database says of them is older than what is known here. */
  const troubled = new Set<Lane>();
  const target = () => Math.max(2 * config.WORKER_CONCURRENCY, 400);
  const feeder = createFeeder({
    ...{ pool, queue, log, ledger, writer, target },
    isOpen: () => lanes.some(({ gate }) => gate.reason === null),
    cache: {
      keys: config.CACHE_HOURS === 0 ? [] : enabled.filter(({ remote }) => remote).map(({ key }) => key),
      hours: config.CACHE_HOURS,
    },
    onCached: (row, cached) => ledger.finish(row, cachedResult(row, cached, enabled)),
  });
  const prober = createProber({ pool, log, lanes, dispatcher, feeder, writer });
  const shares = createShares(lanes);
  let member: Membership | undefined;
  const cluster = createCluster({
    ...{ pool, log, lanes, shares, membership: () => member },
    onRound(now, worker) {
      const reasons = lanes.map(({ gate }) => gate.reason);
      for (const lane of lanes) {
        const row = cluster.sources.get(lane.entry.name);
        if (row && !troubled.has(lane))
          lane.gate.shut(row.paused ? 'paused' : row.state === 'up' ? null : row.state);
      }
      if (lanes.some(({ gate }, index) => gate.reason !== reasons[index])) ledger.reviewLanes();
      prober.check(cluster.sources, now, worker);
      dispatcher.pump();
    },
  });
  const chores = startChores({ pool, log, ledger, lanes, cacheHours: config.CACHE_HOURS });
  const membership = await joinMembership({
    ...{ databaseUrl, log, channels: [lookupsChannel, 'tickets', sourcesChannel] },
    onJoin: () => {
      shares.reset();
      feeder.poke();
    },
    onNotice(channel) {
      if (channel === lookupsChannel) feeder.poke();
      else if (channel === sourcesChannel) cluster.poke();
      else void chores.checkHeld();
    },
  });
  member = membership;
  await cluster.meet();
  feeder.poke();

  return {
    async drain() {
      await feeder.stop();
      dispatcher.stop();
      ledger.drain();
      const deadline = performance.now() + drainMs;
      while (dispatcher.inFlight > 0 && performance.now() < deadline) await delay(20);
      dispatcher.abort();
      ledger.abandon();
      await writer.flush();
      await chores.stop();
      await cluster.stop();
      await prober.settle();
      const { id } = membership;
      if (id !== undefined) await leaveWorkers(pool, id);
      await membership.close();
      await queue.stop({ graceful: false, close: false });
      await Promise.all(opened.map((source) => source.close()));
    },
  };
}

/** Has rows to ask about, and none of its limits to use yet. */
function lacksShare({ queue, gate: { share, reason } }: Lane): boolean {
  return queue.size > 0 && reason === null && (share.perSecond === 0 || share.concurrency === 0);
}

function cachedResult(
  { position }: LookupRow,
  { source_key, fetched_at, egress, ...coverage }: NonNullable<PendingRow['cached']>,
  sources: ConfiguredSource[],
): RowResult {
  return {
    ...{ position, state: 'done', reason: null, details: null, coverage },
    fetchedAt: new Date(fetched_at),
    source: sources.find(({ key }) => key === source_key)?.name ?? null,
    ...{ attempts: 0, egress, cached: true },
  };
}
