import assert from 'node:assert/strict';
import { after, afterEach, before, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { inTransaction } from '#server/db/db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { holder } from '#tests/support/lookups/jobs.ts';
import { registration } from '#tests/support/lookups/registration.ts';
import { makeResult, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { importTicket, makeSerials } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { requeueLookups } from '../lookups.service.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import { createResultWriter, type ResultWriter } from '../write/result-writer.ts';
import { type BatchTracker, createBatchTracker } from './batch-tracker.ts';
import { createDemand } from './demand.ts';
import { createJobFetcher, type JobFetcher } from './job-fetcher.ts';

const log = createLog('test', 'silent');

let database: TestDatabase;
let sourceQueue: SourceQueue;
let writer: ResultWriter;
let batchTracker: BatchTracker;
let fetcher: JobFetcher;
before(async () => {
  database = await createTestDatabase();
  sourceQueue = makeSourceQueue('first');
  writer = createResultWriter(log, { pool: database.pool, registration, reusable: [] }, createWakeup());
  batchTracker = createBatchTracker([sourceQueue], [], writer, createWakeup());
});
// Also after a failure, or the fetcher of a failed test would run beside the next one, and for ever.
afterEach(() => fetcher.stop());
after(async () => {
  batchTracker.giveBack();
  await writer.flush();
  await database.close();
});

/** Deletes the jobs of earlier tests, also those that wait: a slow machine reaches their time. */
async function deleteAllJobs() {
  await database.pool.query('DELETE FROM lookup_jobs');
}

const makeFetcher = (pool = database.pool) => {
  fetcher = createJobFetcher({
    pool,
    registration,
    log,
    batchTracker,
    writer,
    // Two blocks.
    demand: createDemand([sourceQueue], 64),
    concurrency: 64,
    cache: { sources: [], hours: 0 },
    worker: holder,
  });
};
const startFetcher = (pool = database.pool) => {
  makeFetcher(pool);
  fetcher.wake();
};
const blocksOf = (ticket: number) =>
  [...batchTracker.batches]
    .flatMap(({ ticketId, lo }) => (ticketId === ticket ? [Math.floor(lo / 200)] : []))
    .sort();
const takeAll = (ticket: number) => sourceQueue.rows.remove(({ batch }) => batch.ticketId === ticket);

test('a job is fetched of a ticket of which this worker holds none, although there are enough rows', async () => {
  const serials = (name: string) => Array.from({ length: 1999 }, (_, n) => `${name}${n}`);
  const long = await importTicket(database.pool, serials('LONG'));
  startFetcher();
  await waitFor('the first jobs', async () => blocksOf(long).length === 2);
  const late = await importTicket(database.pool, serials('LATE'));
  await waitFor('a job of the other ticket', async () => blocksOf(late).length > 0);
  await fetcher.stop();
  assert.deepEqual([blocksOf(long), blocksOf(late)], [[0, 1], [0]]);
});

test('a ticket gets more than its part when other tickets have no jobs left', async () => {
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const fetchOnce = async () => {
    startFetcher();
    await fetcher.stop();
  };
  const long = await importTicket(
    database.pool,
    Array.from({ length: 1999 }, (_, n) => `PART${n}`),
  );
  await fetchOnce();
  const short = await importTicket(database.pool, ['ONLY']);
  await fetchOnce();
  assert.deepEqual([blocksOf(long), blocksOf(short)], [[0, 1], [0]]);
  // All of its rows are in calls, so that the source needs more rows.
  takeAll(long);
  await fetchOnce();
  assert.deepEqual([blocksOf(long), blocksOf(short)], [[0, 1, 2, 3], [0]]);
});

test('a company gets its part of the rows while another one has many tickets, of which a bounded number is held', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const many: number[] = [];
  for (let n = 0; n < 120; n++) many.push(await importTicket(pool, [`MANY${n}`]));
  startFetcher();
  await waitFor('its jobs', async () => batchTracker.batches.size >= 100);
  const other = await importTicket(pool, makeSerials('OTHER', 1999), () => 'serial', 'OTHER1');
  await waitFor('jobs of the other company', async () => blocksOf(other).length >= 1);
  await delay(1200);
  await fetcher.stop();
  const held = batchTracker.batches.size - blocksOf(other).length;
  // One fetch may go beyond the bound.
  assert.ok(held >= 100 && held < 125, `${held} jobs`);
  const turns = [1, 2, 3, 4].map(() => sourceQueue.rows.shift()?.batch.companyCode);
  assert.equal(turns.filter((company) => company === 'OTHER1').length, 2);
  batchTracker.drop(() => true);
  await pool.query('DELETE FROM tickets WHERE id = ANY($1)', [[...many, other]]);
});

test('jobs of a company are fetched until the database refuses many of its results; those of others always', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const refused = await importTicket(pool, makeSerials('REFUSED', 1999));
  const fetchOnce = async () => {
    startFetcher();
    await fetcher.stop();
  };
  const finish = async (rows: LookupRow[]) => {
    for (const row of rows) batchTracker.finish(row, makeResult(row));
    await writer.flush();
  };
  await fetchOnce();
  assert.deepEqual(blocksOf(refused), [0, 1]);
  await pool.query('UPDATE tickets SET total = 0 WHERE id = $1', [refused]);
  const taken = takeAll(refused);
  await finish(taken.splice(0, 1));
  const second = await importTicket(pool, ['SECOND1']);
  await fetchOnce();
  assert.deepEqual(blocksOf(second), [0], 'one refused row');
  await finish(taken);
  await fetchOnce();
  assert.deepEqual(blocksOf(refused), [2, 3], '400 refused rows');
  await finish(takeAll(refused));
  const third = await importTicket(pool, ['THIRD1']);
  const other = await importTicket(pool, ['OTHER1'], () => 'serial', 'OTHER1');
  await fetchOnce();
  assert.deepEqual(blocksOf(other), [0], 'another company');
  assert.deepEqual([blocksOf(refused), blocksOf(third)], [[], []], '800 refused rows');
  await pool.query('UPDATE tickets SET total = 1999 WHERE id = $1', [refused]);
  await writer.flush();
  assert.equal(writer.room, 5000);
  batchTracker.drop(() => true);
});

test('cached rows are fetched no faster than they are written', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const cached = Array.from({ length: 30_000 }, (_, n) => `CACHED${n}`);
  await pool.query(
    `INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress)
     SELECT 'ACM001', 'first', unnest($1::text[]), now(), 'direct'`,
    [cached],
  );
  const id = await importTicket(pool, cached);
  const blocker = await pool.connect();
  const cache = { sources: [{ name: 'first', key: 'first' }], hours: 24 };
  const fetchOnce = async () => {
    fetcher = createJobFetcher({
      pool,
      registration,
      log,
      batchTracker,
      writer,
      cache,
      worker: holder,
      demand: createDemand([sourceQueue], 2500),
      concurrency: 64,
    });
    fetcher.wake();
    await fetcher.stop();
  };
  try {
    // No row of the ticket can be written while another transaction locks it.
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE', [id]);
    for (let round = 1; round <= 8; round += 1) await fetchOnce();
    assert.ok(writer.room <= 4000, `room for ${writer.room} rows`);
    await blocker.query('COMMIT');
  } finally {
    blocker.release(true);
  }
  const finished = async () => {
    await fetchOnce();
    const { rows } = await pool.query('SELECT status FROM tickets WHERE id = $1', [id]);
    return rows[0].status === 'Completed';
  };
  await waitFor('all of it to be written', finished);
});

test('a job that is delivered again does not ask about rows whose result is unwritten', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const ticket = await importTicket(pool, ['WAITS1', 'WAITS2', 'ASKED3']);
  const lockTicket: [string, unknown[]] = ['SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE', [ticket]];
  await holdLock(pool, lockTicket, async () => {
    startFetcher();
    await waitFor('the job', async () => blocksOf(ticket).length === 1);
    await fetcher.stop();
    for (const row of takeAll(ticket).slice(0, 2)) batchTracker.finish(row, makeResult(row));
    // As if this worker had been gone.
    await pool.query('UPDATE lookup_jobs SET holder = NULL WHERE ticket_id = $1', [ticket]);
    await fetcher.dropLostJobs();
    assert.deepEqual(blocksOf(ticket), []);
    startFetcher();
    await waitFor('the job again', async () => blocksOf(ticket).length === 1);
    await fetcher.stop();
    const asked = takeAll(ticket);
    assert.deepEqual(
      asked.map(({ serial }) => serial),
      ['ASKED3'],
    );
    for (const row of asked) batchTracker.finish(row, makeResult(row));
  });
  await writer.flush();
  const { rows } = await pool.query('SELECT status, done FROM tickets WHERE id = $1', [ticket]);
  assert.deepEqual(rows, [{ status: 'Completed', done: 3 }]);
});

test('without a cache, too, a serial of two running tickets is queued once', async () => {
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const tickets = [
    await importTicket(database.pool, ['TWICE1']),
    await importTicket(database.pool, ['TWICE1']),
  ];
  startFetcher();
  await waitFor('the end of the fetch', async () => fetcher.loading.size === 0 && sourceQueue.rows.size > 0);
  await delay(1200);
  await fetcher.stop();
  const rows = tickets.flatMap(takeAll);
  assert.equal(rows.length, 1);
  batchTracker.drop(() => true);
});

test('a job whose load takes long is still held when the load of another job fails', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  await importTicket(pool, ['LOADED1']);
  await importTicket(pool, ['LOADED2']);
  const slow = Promise.withResolvers<void>();
  let loads = 0;
  const query = async (given: pg.QueryConfig) => {
    if (given.name === 'load-pending-rows') {
      loads += 1;
      if (loads === 1) throw new Error('the connection broke');
      await slow.promise;
    }
    return pool.query(given);
  };
  const failing = new Proxy(pool, { get: (real, key) => (key === 'query' ? query : Reflect.get(real, key)) });
  startFetcher(failing);
  await waitFor('both loads to begin', async () => loads === 2);
  await delay(100);
  assert.ok(fetcher.loading.size > 0);
  slow.resolve();
  await waitFor('both batches, one after another try', async () => batchTracker.batches.size === 2);
  batchTracker.drop(() => true);
});

test('a job that is lost during its load is not worked on', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  await importTicket(pool, ['LOST1']);
  const slow = Promise.withResolvers<void>();
  const query = async (given: pg.QueryConfig) => {
    const result = await pool.query(given);
    if (given.name === 'load-pending-rows') await slow.promise;
    return result;
  };
  startFetcher(new Proxy(pool, { get: (real, key) => (key === 'query' ? query : Reflect.get(real, key)) }));
  await waitFor('the load', async () => fetcher.loading.size === 1);
  await deleteAllJobs();
  await fetcher.dropLostJobs();
  slow.resolve();
  await fetcher.stop();
  assert.equal(batchTracker.batches.size, 0);
});

test('the number of held jobs is limited while no job can be ended', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  // One block for each row. All rows except the first wait for the answer to the first.
  const ticket = await importTicket(pool, Array<string>(600).fill('SAME'));
  await pool.query('UPDATE serials SET position = 1000000 + position * 200 WHERE ticket_id = $1', [ticket]);
  await inTransaction(pool, (tx) => requeueLookups(tx, ticket));
  const countHeld = async () => {
    takeAll(ticket);
    const { rows } = await pool.query<{ count: number }>(
      'SELECT count(*) FROM lookup_jobs WHERE ticket_id = $1 AND holder IS NOT NULL',
      [ticket],
    );
    return rows[0]?.count ?? 0;
  };
  const lockTicket: [string, unknown[]] = ['SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE', [ticket]];
  await holdLock(pool, lockTicket, async () => {
    fetcher = createJobFetcher({
      pool,
      registration,
      log,
      batchTracker,
      writer,
      demand: createDemand([sourceQueue], 2500),
      concurrency: 64,
      cache: { sources: [{ name: 'first', key: 'first' }], hours: 24 },
      worker: holder,
    });
    fetcher.wake();
    await waitFor('many jobs', async () => (await countHeld()) >= 100);
    await delay(500);
    await fetcher.stop();
    const held = await countHeld();
    assert.ok(held <= 125, `${held} jobs`);
  });
});

test('probes ask about rows of one job after the other, first those that no call has failed about', async () => {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const first = await importTicket(pool, ['REFUSED1', 'FRESH1']);
  await pool.query(
    `UPDATE serials SET lookup = '{"source": "first", "tries": 1}' WHERE ticket_id = $1 AND serial = 'REFUSED1'`,
    [first],
  );
  const second = await importTicket(pool, ['FRESH2']);
  await pool.query("UPDATE lookup_jobs SET sources = '{first}'");
  makeFetcher();
  for (const [ticket, serial] of [
    [first, 'FRESH1'],
    [second, 'FRESH2'],
  ]) {
    const row = await fetcher.fetchProbeRow(sourceQueue);
    assert.deepEqual([row?.batch.ticketId, row?.serial], [ticket, serial]);
    assert.ok(row && batchTracker.batches.has(row.batch));
    batchTracker.finish(row, makeResult(row));
  }
  batchTracker.drop(() => true);
});

/** Starts a fetcher that holds enough rows for an open source, beside a source that is down, and then imports small tickets. */
async function startBesideShutSource(t: TestContext, kinds: ('imei' | 'serial')[]) {
  const { pool } = database;
  await deleteAllJobs();
  batchTracker.drop(() => true);
  await writer.flush();
  const open = makeSourceQueue('open', { accepts: ['imei'] });
  const shut = makeSourceQueue('shut', { accepts: ['serial'] });
  shut.gate.follow('down');
  batchTracker = createBatchTracker([open, shut], [], writer, createWakeup());
  let fetches = 0;
  const query = (given: pg.QueryConfig) => {
    if (given.text.includes('WITH RECURSIVE lines')) fetches += 1;
    return pool.query(given);
  };
  fetcher = createJobFetcher({
    pool: new Proxy(pool, { get: (real, key) => (key === 'query' ? query : Reflect.get(real, key)) }),
    registration,
    log,
    batchTracker,
    writer,
    demand: createDemand([open, shut], 64),
    concurrency: 64,
    cache: { sources: [], hours: 0 },
    worker: holder,
  });
  await importTicket(pool, makeSerials('LONG', 399), () => 'imei');
  fetcher.wake();
  await waitFor('enough rows', async () => open.rows.size === 399);
  await waitFor('the end of the fetch', async () => fetcher.loading.size === 0);
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  for (let n = 0; n < 40; n++) {
    const kindOf = (serial: string) => (serial.startsWith('IMEI') ? 'imei' : 'serial');
    await importTicket(
      pool,
      kinds.map((kind) => `${kind.toUpperCase()}${n}`),
      kindOf,
    );
  }
  // The time of the next turn. It stands still, so that no other one follows.
  now += 60_000;
  fetches = 0;
  fetcher.wake();
  return { countFetches: () => fetches };
}

test('a job with rows for an open source takes a turn, also if others of its rows wait', async (t) => {
  const { countFetches } = await startBesideShutSource(t, ['imei', 'serial']);
  await waitFor('a small ticket', async () => [...batchTracker.batches].some(({ hi }) => hi === 2));
  await delay(300);
  assert.ok(countFetches() <= 1, `${countFetches()} fetches`);
});

test('jobs whose rows all wait for a source are given back without taking turns', async (t) => {
  await startBesideShutSource(t, ['serial', 'serial']);
  const { pool } = database;
  await waitFor('all of them to be given back', async () => {
    const { rowCount } = await pool.query("SELECT FROM lookup_jobs WHERE sources = '{shut}'");
    return rowCount === 40;
  });
});
