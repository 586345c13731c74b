import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, mock, test } from 'node:test';
import type { PgBoss } from 'pg-boss';
import type { Permit } from '#features/sources/server/http/permits.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeResult, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { importTicket, readTicket } from '#tests/support/lookups/tickets.ts';
import { createBatchTracker } from '../fetch/batch-tracker.ts';
import { createDemand } from '../fetch/demand.ts';
import { createJobFetcher } from '../fetch/job-fetcher.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { createLimitAllocator } from '../limits/limit-allocator.ts';
import { createResultWriter } from '../write/result-writer.ts';
import { createCoordination } from './coordination.ts';
import { addWorker, markWorkerGone } from './workers.queries.ts';

const log = createLog('test', 'silent');
/** Somewhere within a turn. */
const epoch = Date.UTC(2026, 0, 1, 0, 0, 3);
let now = 100_000;
let database: TestDatabase;
let queue: PgBoss;
before(async () => {
  mock.method(performance, 'now', () => now);
  mock.method(Date, 'now', () => epoch + now);
  database = await createTestDatabase();
  queue = await openQueue(database.pool, log);
  // Nobody sends heartbeats here, and on a busy machine a second of these workers takes longer than one.
  await database.pool.query("UPDATE pgboss.queue SET heartbeat_seconds = 3600 WHERE name = 'lookups'");
  // Nor is a worker dead there that waits for its turn for longer than 10 s.
  await database.pool.query(`
    CREATE FUNCTION stay_alive() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.heartbeat := now() + interval '1 hour'; RETURN NEW; END $$;
    CREATE TRIGGER stay_alive BEFORE INSERT OR UPDATE ON workers FOR EACH ROW EXECUTE FUNCTION stay_alive()`);
  await syncSources(database.pool, [
    { name: 'first', key: 'first' },
    { name: 'second', key: 'second' },
  ]);
});
after(async () => {
  await queue.stop({ graceful: false, close: false });
  await database.close();
  mock.restoreAll();
});

type Limits = { name: string; perSecond: number }[];
const single: Limits = [{ name: 'first', perSecond: 1 }];

/** A worker of sources of which only the last knows any device; its rounds, fetches and calls come when the test says. */
function makeWorker(presence: Parameters<typeof addWorker>[0], limits = single) {
  const { pool } = database;
  const id = randomUUID();
  const sourceQueues = limits.map(({ name, perSecond }) =>
    makeSourceQueue(name, { limits: { per_second: perSecond } }),
  );
  for (const { limiter } of sourceQueues) limiter.suspend();
  const writer = createResultWriter(log, { pool, queue, reusable: [] }, createWakeup());
  const batchTracker = createBatchTracker(sourceQueues, writer, createWakeup());
  const demand = createDemand(sourceQueues, 64);
  const coordination = createCoordination({
    pool,
    log,
    sourceQueues,
    allocator: createLimitAllocator(sourceQueues),
    presence: () => ({ id, rejoin: () => undefined, close: async () => undefined }),
    wakeup: createWakeup(),
  });
  /** @returns whether a call was made */
  const ask = ({ entry, rows, limiter }: (typeof sourceQueues)[number]): boolean => {
    if (rows.size === 0 || limiter.waitMs(now) > 0) return false;
    const call = limiter.start();
    const permit = call.take() as Permit;
    assert.equal(permit.send(), true);
    permit.end();
    call.end();
    const row = rows.shift() as NonNullable<ReturnType<typeof rows.shift>>;
    const { lookupState } = row;
    if (entry.name === limits.at(-1)?.name) batchTracker.finish(row, makeResult(row));
    else batchTracker.proceed(row, { ...lookupState, answered: [...lookupState.answered, entry.name] });
    return true;
  };
  return {
    batchTracker,
    join: () => addWorker(presence, id),
    /** Has a round with the others, and follows what came of it. */
    async meet() {
      await coordination.runRound();
      batchTracker.followSources();
    },
    /** Fetches and asks what it may now. @returns how many calls it made to the last source */
    async work(): Promise<number> {
      const fetcher = createJobFetcher({
        pool,
        queue,
        log,
        batchTracker,
        writer,
        demand,
        isAnyAvailable: () => true,
        leaveIdleness: async () => undefined,
        cache: { sources: [], hours: 0 },
      });
      fetcher.wake();
      await fetcher.stop();
      let calls = 0;
      for (const sourceQueue of sourceQueues) for (calls = 0; ask(sourceQueue); ) calls += 1;
      await writer.flush();
      return calls;
    },
    async leave() {
      await coordination.stop();
      batchTracker.giveBack();
      await writer.flush();
      await markWorkerGone(pool, id);
      // What it held counts for seconds of the database's clock, in which a quick machine lives through all that is allowed.
      await pool.query("UPDATE workers SET gone_at = gone_at - interval '1 minute' WHERE id = $1", [id]);
    },
  };
}

/**
 * A second in the life of some workers. They meet one after the other, as they would by their lock, whose deadline a busy
 * machine may miss.
 * @returns how many calls they made to their last source
 */
async function live(workers: ReturnType<typeof makeWorker>[]): Promise<number> {
  now += 1000;
  for (const worker of workers) await worker.meet();
  const made = await Promise.all(workers.map((worker) => worker.work()));
  return made.reduce((sum, count) => sum + count, 0);
}

test('with twenty workers and one call a second, a single row is done within 15 s beside a large ticket', async (t) => {
  const presence = await database.pool.connect();
  let workers = Array.from({ length: 20 }, () => makeWorker(presence));
  t.after(async () => {
    for (const worker of workers) await worker.leave();
    presence.release(true);
  });
  for (const worker of workers) await worker.join();
  const large = await importTicket(
    database.pool,
    Array.from({ length: 6000 }, (_, n) => `LARGE${n}`),
  );
  const calls: number[] = [];
  const pass = async () => void calls.push(await live(workers));
  for (let second = 0; second < 20; second++) await pass();
  const holders = workers.filter(({ batchTracker }) => batchTracker.batches.size > 0);
  assert.equal(holders.length, 1, 'only who may ask holds rows');
  for (const isHolderThere of [true, false]) {
    if (!isHolderThere) {
      for (const holder of holders) await holder.leave();
      workers = workers.filter((worker) => !holders.includes(worker));
    }
    const single = await importTicket(database.pool, ['SINGLE']);
    let seconds = 0;
    const isCompleted = async () => (await readTicket(database.pool, single))?.status === 'Completed';
    for (; seconds < 15 && !(await isCompleted()); seconds++) await pass();
    assert.ok(await isCompleted(), 'the single row is done');
  }
  assert.ok(Math.max(...calls) <= 1, 'never above the limit');
  const used = calls.reduce((sum, count) => sum + count, 0);
  assert.ok(used >= calls.length * 0.6, `${used} calls in ${calls.length} s`);
  assert.equal((await readTicket(database.pool, large))?.done, used - 2);
});

test('workers without an allocation of the second source return its rows to workers that have one', async (t) => {
  const presence = await database.pool.connect();
  const limits = [
    { name: 'first', perSecond: 10 },
    { name: 'second', perSecond: 1 },
  ];
  const workers = Array.from({ length: 3 }, () => makeWorker(presence, limits));
  t.after(async () => {
    for (const worker of workers) await worker.leave();
    presence.release(true);
  });
  for (const worker of workers) await worker.join();
  await importTicket(
    database.pool,
    Array.from({ length: 1000 }, (_, n) => `CHAIN${n}`),
  );
  const calls: number[] = [];
  const pass = async () => void calls.push(await live(workers));
  for (let second = 0; second < 8; second++) await pass();
  // One after the other, so that each worker comes to fetch some of them.
  for (let n = 0; n < 3; n++) {
    const id = await importTicket(database.pool, [`CHAINED${n}`]);
    let seconds = 0;
    const isCompleted = async () => (await readTicket(database.pool, id))?.status === 'Completed';
    for (; seconds < 15 && !(await isCompleted()); seconds++) await pass();
    assert.ok(await isCompleted(), `the single row of ticket ${n} is done`);
  }
  assert.ok(Math.max(...calls) <= 1, 'never above the limit');
  const used = calls.reduce((sum, count) => sum + count, 0);
  assert.ok(used >= calls.length * 0.6, `${used} calls in ${calls.length} s`);
});
