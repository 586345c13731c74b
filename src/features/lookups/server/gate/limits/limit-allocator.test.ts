import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, mock, test } from 'node:test';
import type { ConfiguredSource } from '#features/sources/server/configuration/sources-file.ts';
import type { Permit } from '#features/sources/server/http/permits.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeBatch, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { renewPresence } from '../../workers/workers.queries.ts';
import { createLimitAllocator } from './limit-allocator.ts';

let database: TestDatabase;
let now = 100_000;
before(async () => {
  mock.method(performance, 'now', () => now);
  database = await createTestDatabase();
  await syncSources(database.pool, [{ name: 'first', key: 'first' }]);
});
beforeEach(() => database.pool.query('DELETE FROM workers'));
after(async () => {
  await database.close();
  mock.restoreAll();
});

/** Creates a worker with one row, and runs its rounds of coordination. */
async function startWorker(limits: ConfiguredSource['limits']) {
  const id = randomUUID();
  await renewPresence(database.pool, id);
  const sourceQueue = makeSourceQueue('first', { limits });
  const {
    gate: { limiter },
    rows,
  } = sourceQueue;
  limiter.setAllocation({ perSecond: 0, concurrency: 0 });
  const { rows: some } = makeBatch(['imei']);
  for (const row of some) rows.push(row.batch, row);
  const allocator = createLimitAllocator([sourceQueue]);
  return {
    limiter,
    rows,
    allocator,
    async runRound(paces: Record<string, number> = {}) {
      const apply = await inTransaction(database.pool, (tx) =>
        allocator.allocate(tx, id, new Map(Object.entries(paces))),
      );
      apply(Number.POSITIVE_INFINITY);
      return limiter.allocation;
    },
  };
}

test('another worker gets a returned rate only when the last calls at that rate no longer count', async () => {
  const [one, other] = [await startWorker({ per_second: 10 }), await startWorker({ per_second: 10 })];
  assert.equal((await one.runRound()).perSecond, 10);
  for (let n = 0; n < 10; n++) {
    const permit = await one.limiter.start().take();
    permit.send();
    permit.end();
    now += 100;
  }
  assert.equal((await other.runRound()).perSecond, 0);
  assert.equal((await one.runRound()).perSecond, 5);
  assert.equal((await other.runRound()).perSecond, 0);
  for (const [wait, part] of [
    [30, 1],
    [200, 3],
    [700, 5],
  ] as const) {
    now += wait;
    assert.equal((await one.runRound()).perSecond, 5);
    assert.equal((await other.runRound()).perSecond, part);
  }
});

test('a rate is not returned while calls that started at that rate may still be sent', async () => {
  const [one, other] = [await startWorker({ per_second: 10 }), await startWorker({ per_second: 10 })];
  await one.runRound();
  // The calls are still opening their connections.
  const connecting: Permit[] = [];
  for (; connecting.length < 8; now += 100) connecting.push(await one.limiter.start().take());
  await other.runRound();
  await one.runRound();
  for (let round = 0; round < 6; round++) {
    now += 1101;
    assert.equal((await one.runRound()).perSecond, 5);
    assert.equal((await other.runRound()).perSecond, 2);
  }
  for (const call of connecting) assert.equal(call.send(), true);
  now += 1000;
  await one.runRound();
  assert.equal((await other.runRound()).perSecond, 2);
  for (const call of connecting) call.end();
  now += 31;
  await one.runRound();
  assert.equal((await other.runRound()).perSecond, 5);
});

test('the concurrency is returned one by one as calls end', async () => {
  const [one, other] = [await startWorker({ concurrency: 4 }), await startWorker({ concurrency: 4 })];
  assert.equal((await one.runRound()).concurrency, 4);
  await other.runRound();
  const calls = Array.from({ length: 4 }, () => one.limiter.start());
  assert.equal((await one.runRound()).concurrency, 2);
  for (const [ended, slots] of [
    [0, 0],
    [1, 1],
    [2, 2],
    [4, 2],
  ] as const) {
    now += 5000;
    for (const call of calls.splice(0, calls.length - (4 - ended))) call.end();
    assert.equal((await one.runRound()).concurrency, 2);
    assert.equal((await other.runRound()).concurrency, slots);
  }
});

test('a reduced pace is divided instead of the limit, also without a limit', async () => {
  for (const limits of [{ per_second: 10 }, {}]) {
    const worker = await startWorker(limits);
    assert.equal((await worker.runRound({ first: 4, second: 1 })).perSecond, 4);
    assert.equal((await worker.runRound()).perSecond, limits.per_second ?? null);
    await database.pool.query('DELETE FROM workers');
  }
});

test('a worker without rows keeps its allocation briefly, then another gets all of it', async () => {
  const [one, other] = [await startWorker({ per_second: 10 }), await startWorker({ per_second: 10 })];
  await one.runRound();
  one.rows.shift();
  now += 999;
  assert.equal((await one.runRound()).perSecond, 10);
  now += 1;
  assert.equal((await one.runRound()).perSecond, 0);
  now += 1101;
  await one.runRound();
  assert.equal((await other.runRound()).perSecond, 10);
});
