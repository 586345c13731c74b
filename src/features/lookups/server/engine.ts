import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { SourceTools } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { sourcesChannel } from '#features/sources/server/states/source-states.queries.ts';
import { createWakeup, type Wakeup } from '#server/concurrency/wakeup.ts';
import type { Registration } from '#server/processes/process-registration.ts';
import type { Work } from '#server/processes/processes.queries.ts';
import type { Log } from '#server/runtime/log.ts';
import { createDispatcher } from './dispatch/dispatcher.ts';
import { createFailedCalls } from './dispatch/failed-calls.ts';
import { createOutcomeHandler } from './dispatch/handle-outcome.ts';
import { createProber } from './dispatch/prober.ts';
import { createBatchTracker } from './fetch/batch-tracker.ts';
import { createDemand } from './fetch/demand.ts';
import { createJobFetcher } from './fetch/job-fetcher.ts';
import { reusableSources } from './fetch/load-batch.ts';
import { createLimitAllocator } from './gate/limits/limit-allocator.ts';
import { lookupsChannel } from './jobs/lookup-jobs.queries.ts';
import { startMaintenance } from './maintenance.ts';
import { startProxyCoordination } from './proxies/proxy-coordination.ts';
import { createProxyLeases } from './proxies/proxy-leases.ts';
import { openSourceQueues } from './queues/source-queue.ts';
import { createCoordination } from './workers/coordination.ts';
import { createResultWriter } from './write/result-writer.ts';

/** How long a stopping worker waits for its calls in flight, before their rows go back to the queue. */
const drainMs = 5000;
const maxTicketsNamed = 20;

/** One worker's part of the lookups. */
export type Engine = {
  /** The action for each notice of the database, by channel. */
  notices: Record<string, () => void>;
  /** Starts the worker. Resolves after the first round of coordination. */
  start(): Promise<void>;
  /** Waits for the calls in flight, returns all other rows to the job queue, and stops. */
  drain(): Promise<void>;
  /** Describes the tickets and the calls to sources in work. */
  describeWork(): Work;
};

export type EngineParts = {
  pool: pg.Pool;
  log: Log;
  sources: ConfiguredSource[];
  tools: SourceTools;
  /** Results are written, and jobs fetched, only while this process is registered. */
  registration: Pick<Registration, 'hold'>;
  /** The maximum number of calls in flight. */
  concurrency: number;
  cacheHours: number;
  /** This worker's id. */
  worker: string;
};

/**
 * Wires the parts of a worker. Each part knows only parts that are created before it. Any event that can unblock work
 * triggers one wake-up, which starts the calls that the gates allow, and fetches jobs.
 */
export async function createEngine(parts: EngineParts): Promise<Engine> {
  const { pool, log, sources, tools, registration, concurrency, cacheHours, worker } = parts;
  const wakeup = createWakeup();
  const leases = createProxyLeases(
    pool,
    sources.filter(({ enabled, egress }) => enabled && egress === 'proxies'),
  );
  const sourceQueues = await openSourceQueues(sources, tools, (limits) => leases.pool.createEgress(limits));

  const disabled = sources.filter(({ enabled }) => !enabled);
  const allocator = createLimitAllocator(sourceQueues);
  const proxyCoordination = startProxyCoordination({
    pool,
    log,
    leases,
    wakeup,
    sourceQueues: sourceQueues.filter(({ entry }) => entry.egress === 'proxies'),
    worker,
  });
  /** Triggers a round of coordination. */
  const rounds = createWakeup();
  const reusable = reusableSources(sources, cacheHours);
  const writer = createResultWriter(log, { pool, registration, reusable }, wakeup);
  /** Rows have arrived: asks for the limits and proxies that they lack. */
  const arrivals: Wakeup = {
    wake() {
      for (const { rows, gate } of sourceQueues) {
        const answer = gate.look(performance.now());
        if (rows.size === 0 || answer.is !== 'closed') continue;
        if (answer.why === 'unallocated') rounds.wake();
        if (answer.why === 'unallocated' || answer.why === 'no_proxy') proxyCoordination.wake();
      }
      wakeup.wake();
    },
  };
  const batchTracker = createBatchTracker(sourceQueues, disabled, writer, arrivals);
  const handleOutcome = createOutcomeHandler({
    batchTracker,
    onSourceFailure({ entry }, failure) {
      log.warn({ source: entry.name, ...failure }, 'the source failed; its rows wait until it is back');
      batchTracker.followSources();
      rounds.wake();
    },
  });
  const failedCalls = createFailedCalls(log);
  const dispatcher = createDispatcher({
    log,
    sourceQueues,
    concurrency,
    batchTracker,
    writer,
    handleOutcome,
    failedCalls,
    wakeup,
  });
  const fetcher = createJobFetcher({
    pool,
    registration,
    log,
    batchTracker,
    writer,
    demand: createDemand(sourceQueues, concurrency),
    concurrency,
    cache: { sources: reusable, hours: cacheHours },
    worker,
  });
  const prober = createProber({ pool, log, sourceQueues, batchTracker, dispatcher, fetcher, worker });
  const maintenance = startMaintenance({
    pool,
    log,
    batchTracker,
    sourceQueues,
    disabled,
    cacheHours,
  });

  const coordination = createCoordination({
    pool,
    log,
    sourceQueues,
    allocator,
    worker,
    beforePermits: () => fetcher.dropLostJobs(),
    onRound({ states, isKnown }) {
      if (!isKnown) leases.reset();
      batchTracker.followSources();
      prober.startDue(states);
      wakeup.wake();
    },
  });
  rounds.listen(() => coordination.wake());
  wakeup.listen(() => {
    dispatcher.dispatch();
    fetcher.refill();
  });

  return {
    notices: {
      [lookupsChannel]: () => fetcher.wake(),
      [sourcesChannel]: () => coordination.wake(),
      tickets: () => coordination.wake(),
    },
    async start() {
      await coordination.runRound();
      proxyCoordination.wake();
      fetcher.wake();
    },
    describeWork: () => ({
      inFlight: dispatcher.inFlight,
      tickets: [...new Set([...batchTracker.heldBatches].map(({ ticketId }) => ticketId))].slice(
        0,
        maxTicketsNamed,
      ),
      calls: Object.fromEntries(
        sourceQueues
          .map(({ entry, gate }) => [entry.name, gate.inFlight] as const)
          .filter(([, calls]) => calls > 0),
      ),
    }),
    async drain() {
      prober.stop();
      await fetcher.stop();
      dispatcher.stop();
      batchTracker.drain();
      const deadline = performance.now() + drainMs;
      while (dispatcher.inFlight > 0 && performance.now() < deadline) await delay(20);
      dispatcher.abort();
      failedCalls.stop();
      await coordination.stop();
      await proxyCoordination.stop();
      batchTracker.giveBack();
      await writer.flush();
      await maintenance.stop();
      await Promise.all(sourceQueues.map(({ source }) => source.close()));
      await prober.waitForProbes();
    },
  };
}
