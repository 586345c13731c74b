import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, mock, test } from 'node:test';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeBatch, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { waitFor } from '#tests/support/wait.ts';
import { createLimitAllocator } from '../gate/limits/limit-allocator.ts';
import { createCoordination } from './coordination.ts';
import { renewPresence } from './workers.queries.ts';

let database: TestDatabase;
let now = 100_000;
before(async () => {
  mock.method(performance, 'now', () => now);
  database = await createTestDatabase();
});
after(async () => {
  await database.close();
  mock.restoreAll();
});

/** Coordinates a worker with one source. */
const coordinate = (sourceQueue: ReturnType<typeof makeSourceQueue>, beforePermits = async () => {}) =>
  createCoordination({
    pool: database.pool,
    log: createLog('test', 'silent'),
    sourceQueues: [sourceQueue],
    allocator: createLimitAllocator([sourceQueue]),
    worker: randomUUID(),
    beforePermits,
    onRound: () => undefined,
  });

test('a worker may start calls until five seconds after its last round', async () => {
  const sourceQueue = makeSourceQueue('first', { limits: { per_second: 10 } });
  await syncSources(database.pool, [sourceQueue.entry]);
  sourceQueue.gate.limiter.setAllocation({ perSecond: 0, concurrency: 0 });
  for (const row of makeBatch(['imei']).rows) sourceQueue.rows.push(row.batch, row);
  const coordination = coordinate(sourceQueue);
  const waitMs = () => sourceQueue.gate.limiter.waitMs(now);
  assert.equal(waitMs(), Number.POSITIVE_INFINITY);
  await coordination.runRound();
  await coordination.stop();
  assert.equal(waitMs(), 0);
  now += 4999;
  assert.equal(waitMs(), 0);
  now += 1;
  assert.equal(waitMs(), Number.POSITIVE_INFINITY);
});

test('the wait for the rounds of others does not shorten the time of permits', async (t) => {
  const sourceQueue = makeSourceQueue('first', { limits: { per_second: 10 } });
  for (const row of makeBatch(['imei']).rows) sourceQueue.rows.push(row.batch, row);
  const coordination = coordinate(sourceQueue);
  t.after(() => coordination.stop());
  await database.pool.query('DELETE FROM workers');
  const isWaiting = async () =>
    (
      await database.pool.query(
        `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rowCount;
  let round: Promise<void> | undefined;
  await inTransaction(database.pool, async (tx) => {
    await renewPresence(tx, randomUUID());
    round = coordination.runRound();
    await waitFor('the round to wait', async () => (await isWaiting()) === 1);
    now += 4000;
  });
  await round;
  now += 4999;
  assert.equal(sourceQueue.gate.limiter.isAllocated(now), true);
});

test('a round stores the failure of a source, and keeps its gate shut until that has succeeded', async (t) => {
  const { pool } = database;
  const shop = makeSourceQueue('shop');
  await syncSources(pool, [shop.entry]);
  const call = shop.gate.start(now);
  const refused = { is: 'auth', error: 'HTTP 401', account: true } as const;
  call.end(refused);
  assert.ok(call.judge(refused, 'S1'));
  await pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
  );
  await pool.query('CREATE TRIGGER refuse BEFORE UPDATE ON sources FOR EACH ROW EXECUTE FUNCTION refuse()');
  const coordination = coordinate(shop);
  t.after(() => coordination.stop());
  await coordination.runRound();
  assert.equal(shop.gate.shutReason, 'auth');
  await pool.query('DROP TRIGGER refuse ON sources');
  await coordination.runRound();
  const { rows } = await pool.query("SELECT state, last_error FROM sources WHERE name = 'shop'");
  assert.deepEqual(rows, [{ state: 'auth', last_error: 'HTTP 401' }]);
  await pool.query("UPDATE sources SET state = 'up' WHERE name = 'shop'");
  await coordination.runRound();
  assert.equal(shop.gate.shutReason, null);
});

test('a worker that was gone has no permits before it knows which jobs it has lost', async (t) => {
  const sourceQueue = makeSourceQueue('first', { limits: { per_second: 10 } });
  for (const row of makeBatch(['imei']).rows) sourceQueue.rows.push(row.batch, row);
  const seen: boolean[] = [];
  const isAllocated = () => sourceQueue.gate.limiter.isAllocated(now);
  const coordination = coordinate(sourceQueue, async () => void seen.push(isAllocated()));
  t.after(() => coordination.stop());
  await database.pool.query('DELETE FROM workers');
  await coordination.runRound();
  assert.equal(isAllocated(), true);
  now += 20_000;
  await coordination.runRound();
  assert.deepEqual([seen.at(-1), isAllocated()], [false, true]);
});
