import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, mock, test } from 'node:test';
import type { Permit } from '#features/sources/server/http/permits.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { registration } from '#tests/support/lookups/registration.ts';
import { makeResult, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { importTicket, readTicket } from '#tests/support/lookups/tickets.ts';
import { createBatchTracker } from '../fetch/batch-tracker.ts';
import { createDemand } from '../fetch/demand.ts';
import { createJobFetcher } from '../fetch/job-fetcher.ts';
import { createLimitAllocator } from '../gate/limits/limit-allocator.ts';
import { createResultWriter } from '../write/result-writer.ts';
import { createCoordination } from './coordination.ts';
import { markWorkerGone } from './workers.queries.ts';

const log = createLog('test', 'silent');
/** A time within a turn. */
const epoch = Date.UTC(2026, 0, 1, 0, 0, 3);
let now = 100_000;
let database: TestDatabase;
before(async () => {
  mock.method(performance, 'now', () => now);
  mock.method(Date, 'now', () => epoch + now);
  database = await createTestDatabase();
  // A worker may wait for its turn for over 10 s, and must not count as gone.
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
  await database.close();
  mock.restoreAll();
});

type Limits = { name: string; perSecond: number }[];
const single: Limits = [{ name: 'first', perSecond: 1 }];

/** Creates a worker whose last source is the only one that knows devices. The test triggers its rounds, fetches and calls. */
function makeWorker(limits = single) {
  const { pool } = database;
  const id = randomUUID();
  const sourceQueues = limits.map(({ name, perSecond }) =>
    makeSourceQueue(name, { limits: { per_second: perSecond } }),
  );
  for (const { gate } of sourceQueues) gate.limiter.setAllocation({ perSecond: 0, concurrency: 0 });
  const writer = createResultWriter(log, { pool, registration, reusable: [] }, createWakeup());
  const batchTracker = createBatchTracker(sourceQueues, [], writer, createWakeup());
  const demand = createDemand(sourceQueues, 64);
  const coordination = createCoordination({
    pool,
    log,
    sourceQueues,
    allocator: createLimitAllocator(sourceQueues),
    worker: id,
    beforePermits: async () => undefined,
    onRound: () => undefined,
  });
  /** Returns whether a call was made. */
  const ask = ({ entry, rows, gate: { limiter } }: (typeof sourceQueues)[number]): boolean => {
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
    /** Runs a round of coordination, and applies it. */
    async meet() {
      await coordination.runRound();
      batchTracker.followSources();
    },
    /** Fetches jobs and starts calls. @returns the number of calls to the last source */
    async work(): Promise<number> {
      const fetcher = createJobFetcher({
        pool,
        registration,
        log,
        batchTracker,
        writer,
        demand,
        concurrency: 64,
        cache: { sources: [], hours: 0 },
        worker: id,
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
      await markWorkerGone.run(pool, { id });
      // Permits expire by the database clock, so a fast machine may use up the whole limit first.
      await pool.query("UPDATE workers SET gone_at = gone_at - interval '1 minute' WHERE id = $1", [id]);
    },
  };
}

/**
 * Simulates the time of one call a second, which may take 30 ms to arrive, of some workers. Their rounds run in sequence, because on a busy machine a concurrent round could
 * exceed the lock timeout.
 * @returns the number of calls to their last source
 */
async function live(workers: ReturnType<typeof makeWorker>[]): Promise<number> {
  now += 1030;
  for (const worker of workers) await worker.meet();
  const made = await Promise.all(workers.map((worker) => worker.work()));
  return made.reduce((sum, count) => sum + count, 0);
}

test('with twenty workers and one call a second, a single row is done within 15 s beside a large ticket', async (t) => {
  let workers = Array.from({ length: 20 }, () => makeWorker());
  t.after(async () => {
    for (const worker of workers) await worker.leave();
  });
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
  const limits = [
    { name: 'first', perSecond: 10 },
    { name: 'second', perSecond: 1 },
  ];
  const workers = Array.from({ length: 3 }, () => makeWorker(limits));
  t.after(async () => {
    for (const worker of workers) await worker.leave();
  });
  await importTicket(
    database.pool,
    Array.from({ length: 1000 }, (_, n) => `CHAIN${n}`),
  );
  const calls: number[] = [];
  const pass = async () => void calls.push(await live(workers));
  for (let second = 0; second < 8; second++) await pass();
  // In sequence, so that each worker fetches some of them.
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
