import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { createConclude } from './dispatch/handle-outcome.ts';
import { createProber } from './dispatch/prober.ts';
import { createLedger } from './fetch/batch-tracker.ts';
import { reusableSources } from './fetch/cached-result.ts';
import { createFeeder } from './fetch/job-fetcher.ts';
import { lookupsChannel, releaseStrandedJobs } from './jobs/lookup-jobs.queries.ts';
import { openQueue } from './jobs/open-queue.ts';
import { startChores } from './maintenance.ts';
import { startProxyRounds } from './proxies/proxy-coordination.ts';
import { createProxyLeases } from './proxies/proxy-leases.ts';
import { openLanes } from './source-queues/open-source-queues.ts';
import type { Lane } from './source-queues/source-queue.ts';
import { createPacer } from './source-state/adaptive-throttle.ts';
import { createTroubles } from './source-state/circuit-breaker.ts';
import { sourcesChannel, syncSources } from './source-state/source-states.queries.ts';
import type { SourceTools } from './sources/source.ts';
import type { ConfiguredSource } from './sources/sources-file.ts';
import { createCluster } from './workers/coordination.ts';
import { createShares } from './workers/limit-allocation.ts';
import { joinMembership, type Membership } from './workers/worker-presence.ts';
import { leaveWorkers } from './workers/workers.queries.ts';
import { createWriter } from './write/result-writer.ts';

/** How long calls that are under way may take to end when the worker is told to stop. */
const drainMs = 5000;
/** Rows that are kept ready: so many, or as many as are asked about in half a second. */
const leastReady = 400;
const mostReady = 5000;
const readySeconds = 0.5;

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
  const concurrency = config.WORKER_CONCURRENCY;
  let member: Membership | undefined;
  await inTransaction(pool, async (tx) => {
    await syncSources(tx, sources);
    await releaseStrandedJobs(
      tx,
      sources.filter(({ enabled }) => enabled).map(({ name }) => name),
    );
  });
  const queue = await openQueue(pool, log);

  const byProxies = () => lanes.filter(({ entry }) => entry.egress === 'proxies');
  const leases = createProxyLeases(pool, log, byProxies);
  const lanes = await openLanes(sources, tools, (limits) => leases.pool.createEgress(limits));

  const reusable = reusableSources(sources, config.CACHE_HOURS);
  const writer = createWriter(log, { pool, queue, reusable }, (gone) => {
    if (gone.length > 0) ledger.drop(({ ticketId }) => gone.includes(ticketId));
    dispatcher.pump();
  });
  const ledger = createLedger(lanes, writer, () => {
    if (lanes.some(lacksShare)) cluster.poke();
    if (lanes.some(lacksProxies)) proxyRounds.poke();
    dispatcher.pump();
  });
  const pacer = createPacer(pool, log, lanes, () => cluster.poke());
  const troubles = createTroubles(pool, log, lanes, () => cluster.poke());
  const conclude = createConclude({
    ledger,
    onCall: (lane, outcome) => pacer.record(lane, outcome),
    onTrouble(lane, trouble, error) {
      if (lane.entry.egress === 'proxies' && trouble === 'down') void leases.forgive().catch(() => undefined);
      troubles.report(lane, trouble, error);
      ledger.reviewLanes();
    },
  });
  const dispatcher = createDispatcher({
    ...{ log, lanes, concurrency, ledger, writer, conclude },
    onTaken: () => feeder.noteTaken(),
  });
  const target = () =>
    Math.max(2 * concurrency, leastReady, Math.min(mostReady, dispatcher.rate * readySeconds));
  const feeder = createFeeder({
    ...{ pool, queue, log, ledger, writer, target },
    isOpen: () => lanes.some(({ gate }) => gate.reason === null),
    cache: { sources: reusable, hours: config.CACHE_HOURS },
  });
  const prober = createProber({ pool, log, lanes, ledger, dispatcher, feeder, writer });
  const shares = createShares(lanes);
  const cluster = createCluster({
    ...{ pool, log, lanes, shares, membership: () => member },
    onRound(now, worker) {
      pacer.follow(cluster.sources);
      if (troubles.apply(cluster.sources)) ledger.reviewLanes();
      prober.check(cluster.sources, now, worker);
      dispatcher.pump();
    },
  });
  const proxyRounds = startProxyRounds({
    ...{ pool, log, leases, lanes: byProxies() },
    worker: () => member?.id,
    sources: () => cluster.sources,
    onRound: () => dispatcher.pump(),
  });
  const chores = startChores({ pool, log, ledger, lanes, cacheHours: config.CACHE_HOURS });
  const notices: Record<string, () => void> = {
    [lookupsChannel]: () => feeder.poke(),
    [sourcesChannel]: () => cluster.poke(),
    tickets: () => void chores.checkHeld(),
    proxies: () => proxyRounds.poke(),
  };
  const membership = await joinMembership({
    ...{ databaseUrl, log, channels: Object.keys(notices) },
    onJoin() {
      shares.reset();
      leases.reset();
      feeder.poke();
    },
    onNotice: (channel) => notices[channel]?.(),
  });
  member = membership;
  await cluster.meet();
  proxyRounds.poke();
  feeder.poke();

  return {
    async drain() {
      await feeder.stop();
      dispatcher.stop();
      ledger.drain();
      const deadline = performance.now() + drainMs;
      while (dispatcher.inFlight > 0 && performance.now() < deadline) await delay(20);
      dispatcher.abort();
      await cluster.stop();
      await proxyRounds.stop();
      ledger.abandon();
      await writer.flush();
      await chores.stop();
      await Promise.all(lanes.map(({ source }) => source.close()));
      await prober.settle();
      if (membership.id !== undefined) await leaveWorkers(pool, membership.id);
      await membership.close();
      await queue.stop({ graceful: false, close: false });
    },
  };
}

/** Has rows to ask about, and none of its limits to use yet. */
function lacksShare({ queue, gate: { share, reason } }: Lane): boolean {
  return queue.size > 0 && reason === null && (share.perSecond === 0 || share.concurrency === 0);
}

/** Has rows to ask about, and no proxy that could be free for them. */
function lacksProxies({ entry, queue, gate, egress }: Lane): boolean {
  const waits = entry.egress === 'proxies' && queue.size > 0 && gate.reason === null && gate.inFlight === 0;
  return waits && egress.waitMs(performance.now()) === Number.POSITIVE_INFINITY;
}
