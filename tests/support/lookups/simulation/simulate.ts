import { mock } from 'node:test';
import { createEngine } from '#features/lookups/server/engine.ts';
import type { OpenedSource } from '#features/sources/server/configuration/source.ts';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { peakPerSecond } from '#tests/support/sources/upstream.ts';
import { registration } from '../registration.ts';
import { createCountedDatabase } from './counted-database.ts';
import type { StoredTickets } from './stored-tickets.ts';

export type Simulated = {
  workers: number;
  perSecond: number;
  /** The number of proxies; 0 for direct calls. */
  proxies?: number;
  /** How long it takes to mark the waiting tickets. */
  markingMs?: number;
  /** The number of running tickets, and of rows in each. */
  tickets: number;
  rowsEach: number;
  /** The measured time, after each ticket has had a turn. */
  seconds: number;
};

export type Seen = {
  /** Statements a second of all workers, and those under the allocation lock. */
  statements: number;
  locked: number;
  /** The used part of the limit. */
  used: number;
  /** The maximum number of requests in a second, or in the time of one allowed request. */
  peak: number;
  /** The longest time from the import of a ticket with one row to its end, in seconds. */
  longestWait: number;
};

const stepMs = 5;
const minWarmUpSeconds = 10;
/** The response time of the source, if none is given. */
const defaultLatencyMs = 200;
/** The pause between a completed ticket with one row and the import of the next. */
const pauseMs = 3000;
const epoch = Date.UTC(2026, 0, 1);

/**
 * Runs the product's engine for many workers with a simulated clock, and with a database and a source in memory.
 * Replaces this process's timers while it runs.
 */
export function simulate(given: Simulated): Promise<Seen> {
  return withSimulatedClock(() => runWorkers(given));
}

export async function withSimulatedClock<T>(work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: epoch });
  const { now } = performance;
  // Not by a mock, which would record every call.
  performance.now = () => Date.now() - epoch;
  try {
    return await work();
  } finally {
    performance.now = now;
    mock.timers.reset();
  }
}

async function runWorkers({
  workers,
  perSecond,
  proxies = 0,
  markingMs = 0,
  tickets,
  rowsEach,
  seconds,
}: Simulated): Promise<Seen> {
  const sent: number[] = [];
  const { database, engines, pass } = await startWorkers({
    workers,
    perSecond,
    proxies,
    markingMs,
    onSent: () => sent.push(performance.now()),
    importTickets(stored) {
      for (let n = 0; n < tickets; n++) stored.importTicket(rowsEach);
    },
  });
  await pass(1000 * Math.max(minWarmUpSeconds, (1.2 * tickets) / perSecond));

  const from = performance.now();
  const before = { ...database.counts };
  let single: number | undefined;
  let nextAt = from;
  let longestWait = 0;
  await pass(seconds * 1000, () => {
    const now = performance.now();
    if (single === undefined) {
      if (now < nextAt) return;
      single = database.tickets.importTicket(1);
      for (const { notices } of engines) notices.lookups?.();
    }
    const { createdAt, doneAt } = database.tickets.find(single);
    longestWait = Math.max(longestWait, (doneAt ?? Date.now()) - createdAt);
    if (doneAt === undefined) return;
    single = undefined;
    nextAt = now + pauseMs;
  });
  const windowMs = 1000 / Math.min(1, perSecond);
  const inTime = sent.filter((at) => at >= from);
  return {
    statements: (database.counts.all - before.all) / seconds,
    locked: (database.counts.locked - before.locked) / seconds,
    used: inTime.length / (perSecond * seconds),
    peak: peakPerSecond(sent.map((at) => (at * 1000) / windowMs)),
    longestWait: longestWait / 1000,
  };
}

/**
 * Starts workers that share one source.
 * @param hasOwnList whether an own list without any of the devices is asked first
 * @param concurrency the maximum of each worker's calls in flight
 * @param onSent called with the serial of each request: the ticket's id, a hyphen and the position
 */
export async function startWorkers({
  workers,
  perSecond,
  proxies = 0,
  markingMs = 0,
  hasOwnList = false,
  concurrency = 64,
  latencyMs = defaultLatencyMs,
  onSent,
  importTickets,
}: Pick<Simulated, 'workers' | 'perSecond' | 'proxies' | 'markingMs'> & {
  hasOwnList?: boolean;
  concurrency?: number;
  latencyMs?: number;
  onSent(serial: string): void;
  importTickets(stored: StoredTickets): void;
}) {
  const entry: ConfiguredSource = {
    ...makeSourceQueue('first', {
      limits: { per_second: perSecond, ...(proxies > 0 && { per_proxy_per_second: 1 }) },
      egress: proxies > 0 ? 'proxies' : 'direct',
    }).entry,
    open: async () => makeSource(onSent, latencyMs),
  };
  const ownList: ConfiguredSource = {
    ...makeSourceQueue('own-list', { remote: false }).entry,
    open: async () => ({ ask: async () => ({ is: 'not_found' }), close: async () => undefined }),
  };
  const sources = hasOwnList ? [ownList, entry] : [entry];
  const engines: Awaited<ReturnType<typeof createEngine>>[] = [];
  const names = sources.map(({ name }) => name);
  const database = createCountedDatabase({ sources: names, proxies, markingMs }, (channel) => {
    for (const { notices } of engines) notices[channel]?.();
  });
  const log = createLog('simulation', 'silent');
  importTickets(database.tickets);
  for (let n = 0; n < workers; n++) {
    const engine = await createEngine({
      pool: database.pool,
      log,
      sources,
      tools: {} as never,
      registration,
      concurrency,
      cacheHours: 24,
      worker: `worker-${n}`,
    });
    engines.push(engine);
  }
  // Real workers do not start at the same instant.
  for (const [n, engine] of engines.entries()) setTimeout(() => void engine.start(), (n * 1000) / workers);
  const pass = async (ms: number, each: () => void = () => undefined) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      mock.timers.tick(stepMs);
      await settle();
      each();
    }
  };
  return { database, engines, pass };
}

/** Creates a source that knows every device. */
function makeSource(onSent: (serial: string) => void, latencyMs: number): OpenedSource {
  return {
    async ask({ permits, serial }) {
      const permit = await permits?.take();
      if (!permit?.send()) return { is: 'unsent', error: 'the permit has expired' };
      onSent(serial);
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      permit.end();
      return { is: 'found', coverage };
    },
    close: async () => undefined,
  };
}

const coverage = {
  type: 'Phone',
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
};

/** Resolves when all promises without a timer have settled. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
