import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { pino } from 'pino';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { prepareWorkers } from '#tests/support/lookups/worker-processes.ts';
import { waitFor } from '#tests/support/wait.ts';
import { cacheHoursOf, cleanUp, startMaintenance } from './maintenance.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());
beforeEach(() =>
  database.pool.query(
    `TRUNCATE coverage_cache;
     INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress)
     SELECT 'ACM001', 'shop', 'S' || n, now() - interval '1 hour' * n, 'direct'
     FROM generate_series(61, 2560) AS n
     UNION ALL SELECT 'ACM001', 'shop', 'S' || n, now(), 'direct' FROM generate_series(1, 60) AS n`,
  ),
);
const countLeft = async () => (await database.pool.query('SELECT FROM coverage_cache')).rowCount;

test('expired answers are deleted, at most a fixed number per step', async () => {
  const clean = () => cleanUp(database.db, 1);
  assert.deepEqual([await clean(), await countLeft()], [true, 1560]);
  assert.deepEqual([await clean(), await countLeft()], [true, 560]);
  assert.deepEqual([await clean(), await countLeft()], [false, 60]);
});

test('a step does not wait for an answer that another worker is writing', async () => {
  const lock = "SELECT FROM coverage_cache WHERE serial = 'S2560' FOR UPDATE";
  await holdLock(database.pool, [lock, []], async () => {
    assert.equal(await cleanUp(database.db, 1), true);
  });
  const { rowCount } = await database.pool.query("SELECT FROM coverage_cache WHERE serial = 'S2560'");
  assert.equal(rowCount, 1);
});

test('reservations of ended jobs and old figures are deleted in steps as well', async () => {
  const { pool } = database;
  await pool.query(
    `TRUNCATE coverage_cache;
     INSERT INTO reservations (serial_hash, job, ticket_id, position)
     SELECT n, gen_random_uuid(), 1, n FROM generate_series(1, 1500) AS n;
     INSERT INTO source_minutes (source, minute, calls, outcomes, latencies)
     SELECT 'shop', now() - interval '2 days' - interval '1 minute' * n, 1, '{}', '{}' FROM generate_series(1, 1500) AS n`,
  );
  const countBoth = async () => [
    (await pool.query('SELECT FROM reservations')).rowCount,
    (await pool.query('SELECT FROM source_minutes')).rowCount,
  ];
  assert.deepEqual([await cleanUp(pool, 1), ...(await countBoth())], [true, 500, 500]);
  assert.deepEqual([await cleanUp(pool, 1), ...(await countBoth())], [false, 0, 0]);
});

test('RETENTION_DAYS_CACHE ends answers before CACHE_HOURS does, soon after the start of a worker', async (t) => {
  assert.deepEqual(
    [{}, { RETENTION_DAYS_CACHE: 1 }, { RETENTION_DAYS_CACHE: 30 }].map((more) =>
      cacheHoursOf({ CACHE_HOURS: 48, ...more }),
    ),
    [48, 24, 48],
  );
  const workers = await prepareWorkers(database.url, [{ name: 'sandbox', kind: 'sandbox' }]);
  t.after(() => workers.close());
  await database.pool.query("DELETE FROM coverage_cache WHERE fetched_at < now() - interval '100 hours'");
  await workers.start({ CACHE_HOURS: '1000', RETENTION_DAYS_CACHE: '3' });
  const oldest = async () => {
    const { rows } = await database.pool.query(
      'SELECT extract(epoch FROM now() - min(fetched_at)) / 3600 AS hours FROM coverage_cache',
    );
    return Number(rows[0].hours);
  };
  await waitFor('the first clean-up', async () => (await oldest()) < 72.1);
  assert.ok((await oldest()) > 71);
});

test('a worker stops although its last figures cannot be added, and logs that', async () => {
  const lines: string[] = [];
  const sourceQueue = makeSourceQueue('first');
  sourceQueue.callCounter.record('found', 10, null);
  const fail = () => Promise.reject(new Error('no connection'));
  const maintenance = startMaintenance({
    pool: { connect: fail, query: fail } as unknown as pg.Pool,
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    batchTracker: { giveBackOutranked: () => undefined, resumeDue: () => undefined },
    sourceQueues: [sourceQueue],
    disabled: [],
    cacheHours: 1,
  });
  await maintenance.stop();
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).msg),
    ['maintenance failed and will be tried again', 'the last figures could not be added'],
  );
});
