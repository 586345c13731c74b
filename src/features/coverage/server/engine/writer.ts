import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import { inTransaction } from '#server/db.ts';
import type { Log } from '#server/log.ts';
import { insertFollowing, lookupQueue, lookupsChannel } from '../lookup-queue.queries.ts';
import type { Batch, Follow, LookupRow, RowResult } from './batch.ts';
import { type CacheEntry, insertCacheEntries } from './cache.queries.ts';
import { joinNeighbours } from './join-neighbours.ts';
import type { Progress } from './progress.ts';
import { asQueueDatabase } from './queue.ts';
import {
  addFinished,
  type Counts,
  lockTickets,
  updateProgress,
  updateResults,
  updateTicket,
} from './results.queries.ts';
import { readOpenSources } from './source-states.queries.ts';

/** How long outcomes gather before they are written together. */
const gatherMs = 50;
/** Outcomes that are written without gathering on. */
const enough = 2000;
const retryMs = 500;

/** Everything of one batch that one transaction writes. */
type Entry = {
  batch: Batch;
  results: RowResult[];
  progress: Map<number, Progress>;
  /** Undefined while the batch goes on; null when it is over and nothing is left. */
  follow: Follow | null | undefined;
};

/** Writes what the lookups brought: outcomes, counters and the job's end together, in few large transactions. */
export type Writer = {
  /** `cache` keeps a found answer for other tickets. */
  addResult(batch: Batch, result: RowResult, cache?: CacheEntry): void;
  /** Keeps what a row has used up. */
  addProgress(row: LookupRow): void;
  /** Says that a ticket's lookups have begun. */
  addStart(batch: Batch): void;
  /** Ends a batch once its outcomes are written. */
  end(batch: Batch, follow: Follow | null): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
  /** Outcomes that are not written yet. */
  readonly backlog: number;
};

/**
 * @param onWritten called after each transaction with the tickets that turned out to be stopped or deleted; nothing was
 * written for them
 */
export function createWriter(
  pool: pg.Pool,
  queue: PgBoss,
  log: Log,
  onWritten: (goneTickets: number[]) => void,
): Writer {
  let entries = new Map<Batch, Entry>();
  let cache: CacheEntry[] = [];
  let gathered = 0;
  let writing = 0;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;

  const entryOf = (batch: Batch): Entry => {
    let entry = entries.get(batch);
    if (!entry) {
      entry = { batch, results: [], progress: new Map(), follow: undefined };
      entries.set(batch, entry);
    }
    return entry;
  };
  const schedule = () => {
    if (current) return;
    if (gathered >= enough) void run();
    else timer ??= setTimeout(() => void run(), gatherMs);
  };

  /** Writes what has gathered; while the database is away, again until it is back. */
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (current) return current;
    const work = [...entries.values()];
    const answers = cache;
    writing = gathered;
    [entries, cache, gathered] = [new Map(), [], 0];
    let gone: number[] = [];
    current = (async () => {
      for (;;) {
        try {
          gone = await write(pool, queue, work, answers);
          return;
        } catch (error) {
          log.error({ err: error }, 'outcomes could not be written yet');
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    })();
    await current;
    current = undefined;
    writing = 0;
    if (entries.size > 0) schedule();
    onWritten(gone);
  };

  return {
    addResult(batch, result, answer) {
      entryOf(batch).results.push(result);
      if (answer) cache.push(answer);
      gathered += 1;
      schedule();
    },
    addProgress(row) {
      entryOf(row.batch).progress.set(row.position, row.progress);
      gathered += 1;
      schedule();
    },
    addStart(batch) {
      entryOf(batch);
      schedule();
    },
    end(batch, follow) {
      entryOf(batch).follow = follow;
      schedule();
    },
    async flush() {
      while (current || entries.size > 0) await (current ?? run());
    },
    get backlog() {
      return gathered + writing;
    },
  };
}

/** One transaction; answers the tickets that are gone. */
function write(pool: pg.Pool, queue: PgBoss, entries: Entry[], answers: CacheEntry[]): Promise<number[]> {
  const ticketIds = [...new Set(entries.map(({ batch }) => batch.ticketId))].sort((a, b) => a - b);
  return inTransaction(pool, async (tx) => {
    const tickets = await lockTickets(tx, ticketIds);
    const alive = ticketIds.filter((id) => ['Pending', 'Processing'].includes(tickets.get(id)?.status ?? ''));
    const current = entries.filter(({ batch }) => alive.includes(batch.ticketId));
    for (const ticketId of alive) {
      const counts = await writeRows(
        tx,
        current.filter(({ batch }) => batch.ticketId === ticketId),
      );
      const finished = counts.done + counts.failed;
      if (finished > 0 || tickets.get(ticketId)?.status === 'Pending')
        await updateTicket(tx, ticketId, counts);
      if (finished > 0) await addFinished(tx, ticketId, finished);
    }
    if (answers.length > 0) await insertCacheEntries(tx, answers);
    await endJobs(tx, queue, entries, new Set(alive));
    return ticketIds.filter((id) => !alive.includes(id));
  });
}

async function writeRows(tx: pg.PoolClient, entries: Entry[]): Promise<Counts> {
  const sum: Counts = { done: 0, failed: 0, activated: 0, unactivated: 0 };
  for (const { range, results, progress } of joinNeighbours(entries)) {
    if (results.length > 0) {
      const counts = await updateResults(tx, range, results);
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    }
    if (progress.length > 0) await updateProgress(tx, range, progress);
  }
  return sum;
}

/** Ends the jobs whose batches are over. A job that is no longer ours is left to whoever has it. */
async function endJobs(
  tx: pg.PoolClient,
  queue: PgBoss,
  entries: Entry[],
  alive: Set<number>,
): Promise<void> {
  const over = entries.filter(({ follow }) => follow !== undefined);
  if (over.length === 0) return;
  const jobs = over.map(({ batch }) => batch.job);
  const { settled } = (await queue.complete(lookupQueue, jobs, null, { db: asQueueDatabase(tx) })) as {
    settled: string[];
  };
  const following = over.filter(
    ({ batch, follow }) => follow && alive.has(batch.ticketId) && settled.includes(batch.job.id),
  );
  if (following.length === 0) return;
  // Read with a lock that the return of a source waits for: either its release finds these jobs, or it is seen here.
  const open = await readOpenSources(tx);
  for (const { batch, follow } of following) {
    if (!follow) continue;
    const isBack = follow.waits?.startsWith('source:') && open.has(follow.waits.slice('source:'.length));
    await insertFollowing(tx, batch, isBack ? { at: Date.now(), waits: null } : follow);
  }
  await tx.query('SELECT pg_notify($1, $2)', [lookupsChannel, '']);
}
