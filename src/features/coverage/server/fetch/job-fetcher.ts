import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { Log } from '#server/log.ts';
import { blockSize, type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import { readProgress } from '../rows/lookup-state.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import type { ReusableSource } from '../write/answer-cache.queries.ts';
import type { Writer } from '../write/result-writer.ts';
import type { Ledger } from './batch-tracker.ts';
import { cachedResult } from './cached-result.ts';
import { loadPendingRows } from './pending-rows.queries.ts';

/** How often the queue is looked at when nobody says that there is something. */
const pollMs = 1000;
/** How often tickets are looked for that this worker holds nothing of. */
const newcomersMs = 500;
const mostJobs = 25;
/** Batches held at once, whatever their size. */
const mostBatches = 500;

/** Takes batches from the queue, so that there are always rows to ask about, of every ticket that has some. */
export type Feeder = {
  /** Looks at the queue soon: somebody put jobs there. */
  poke(): void;
  /** Rows were taken: looks at the queue if they have run low. */
  noteTaken(): void;
  /** Takes in a claimed job and answers one of its rows that may be asked there, held as under way. */
  takeForProbe(job: ClaimedJob, lane: Lane): Promise<LookupRow | undefined>;
  /** Takes nothing any more. Resolves when nothing is being taken. */
  stop(): Promise<void>;
};

type ClaimedJob = { id: string; retryCount: number; data: LookupJob };

export type FeederParts = {
  pool: pg.Pool;
  queue: PgBoss;
  log: Log;
  ledger: Ledger;
  writer: Writer;
  /** How many ready rows there should be. */
  target(): number;
  /** Whether any source may be asked now; while none is, batches are only looked at to know what they wait for. */
  isOpen(): boolean;
  /** The sources whose answers may be reused, in order, and for how many hours. */
  cache: { sources: ReusableSource[]; hours: number };
};

export function createFeeder(parts: FeederParts): Feeder {
  const { pool, queue, log, ledger, writer, target, isOpen, cache } = parts;
  const reused = { keys: cache.sources.map(({ key }) => key), hours: cache.hours };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let newcomersAt = 0;
  let working: Promise<void> | undefined;
  let again = false;

  const wanted = () => (isOpen() ? target() : 1);
  // Half of it is enough for a while: to fill up after every few rows would cost more than it brings.
  const isShort = () => ledger.ready < wanted() / 2;

  const take = async (count: number, ignoreGroups: string[]): Promise<number> => {
    const jobs = await queue.fetch<LookupJob>(lookupQueue, {
      batchSize: Math.max(1, Math.min(mostJobs, count)),
      ...(ignoreGroups.length > 0 && { ignoreGroups }),
    });
    await Promise.all(
      jobs.map(async (job) => {
        const { batch, rows } = await load(job);
        ledger.admit(batch, rows);
      }),
    );
    return jobs.length;
  };

  const load = async ({ id, retryCount, data }: ClaimedJob) => {
    const batch: Batch = {
      ...data,
      job: { id, retryCount },
      ...{ busy: 0, waiting: new Set(), parked: new Map(), over: false },
    };
    const found = await loadPendingRows(pool, data, reused);
    if (found.length > 0) writer.addStart(batch);
    const rows: LookupRow[] = found.map(({ position, serial, kind, lookup, cached }) => ({
      ...{ batch, position, serial, kind, progress: readProgress(lookup) },
      cached: cached && cachedResult({ position, serial }, cached, cache.sources),
    }));
    return { batch, rows };
  };

  /** One look at the queue; answers whether another should follow at once. */
  const look = async (): Promise<boolean> => {
    const held = new Map<number, number>();
    for (const { ticketId, busy } of ledger.batches) held.set(ticketId, (held.get(ticketId) ?? 0) + busy);
    const room = ledger.batches.size < mostBatches;
    if (room && performance.now() >= newcomersAt) {
      const began = performance.now();
      const found = held.size > 0 ? await take(4, [...held.keys()].map(String)) : 0;
      // A long queue takes a while to look through: that is done less often, so that it stays a small part of the work.
      newcomersAt = performance.now() + Math.max(newcomersMs, 10 * (performance.now() - began));
      if (found > 0) return true;
    }
    if (!room || !isShort()) return false;
    // Tickets that already have their share of the rows let others go first.
    const share = target() / Math.max(1, held.size);
    const sated = [...held].filter(([, rows]) => rows >= share).map(([ticketId]) => String(ticketId));
    const count = Math.ceil((wanted() - ledger.ready) / blockSize);
    if ((await take(count, sated)) > 0) return isOpen();
    return sated.length > 0 && (await take(count, [])) > 0 && isOpen();
  };

  const work = async () => {
    try {
      do {
        again = false;
        if (stopped) return;
        if (await look()) again = true;
      } while (again);
    } catch (error) {
      log.warn({ err: error }, 'no work could be taken from the queue');
    } finally {
      working = undefined;
      if (!stopped) timer = setTimeout(poke, ledger.batches.size > 0 ? newcomersMs : pollMs);
    }
  };
  const poke = () => {
    if (stopped) return;
    again = true;
    if (working) return;
    clearTimeout(timer);
    working = work();
  };

  return {
    poke,
    noteTaken() {
      if (isShort()) poke();
    },
    async takeForProbe(job, lane) {
      const { batch, rows } = await load(job);
      const isFit = (row: LookupRow) =>
        row.cached === null &&
        ledger.laneAfter(row, row.progress) === lane &&
        (row.progress.due ?? 0) <= Date.now();
      const fit = rows.find(isFit);
      if (fit) batch.busy += 1;
      ledger.admit(
        batch,
        rows.filter((row) => row !== fit),
      );
      return fit;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
