import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { SourceQueue } from '../../queues/source-queue.ts';
import { createAdaptiveThrottle } from './adaptive-throttle.ts';

const notFound: Outcome = { is: 'not_found' };
const failed: Outcome = { is: 'retry', error: 'HTTP 503' };

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

async function follow(sourceQueue: SourceQueue) {
  const { name } = sourceQueue.entry;
  await syncSources(database.pool, [sourceQueue.entry]);
  let changes = 0;
  const throttle = createAdaptiveThrottle(database.pool, createLog('test', 'silent'), [sourceQueue], {
    wake() {
      changes += 1;
    },
  });
  return {
    throttle,
    record(count: number, outcome: Outcome) {
      for (let n = 0; n < count; n++) throttle.record(sourceQueue, outcome);
    },
    /** Waits until the shared pace was changed this many times. Returns it and the full pace. */
    async readPace(after: number) {
      await waitFor('the pace to change', async () => changes === after, 30_000);
      const { rows } = await database.pool.query('SELECT pace, full_pace FROM sources WHERE name = $1', [
        name,
      ]);
      return [rows[0].pace, rows[0].full_pace];
    },
  };
}

test('the pace of a source whose calls fail is halved for all workers, and is restored when calls succeed', async () => {
  const sourceQueue = makeSourceQueue('limited', { limits: { per_second: 40 } });
  const { record, readPace } = await follow(sourceQueue);
  record(9, notFound);
  record(10, failed);
  record(1, { is: 'throttled', error: 'HTTP 429', retryAfterMs: null });
  assert.deepEqual(await readPace(1), [20, 40]);
  record(20, failed);
  assert.deepEqual(await readPace(2), [10, 40]);
  record(20, notFound);
  assert.deepEqual(await readPace(3), [20, 40]);
  record(20, notFound);
  assert.deepEqual(await readPace(4), [null, null]);
});

test('the pace of a source without a limit is half of its calls of the last second', async () => {
  const sourceQueue = makeSourceQueue('free');
  const { record, readPace } = await follow(sourceQueue);
  record(49, notFound);
  now += 1000;
  record(1, notFound);
  record(11, failed);
  assert.deepEqual(await readPace(1), [25, 50]);
});

test('a worker adopts a pace that another worker has reduced, and counts its calls at that pace', async () => {
  const sourceQueue = makeSourceQueue('shared', { limits: { per_second: 40 } });
  const { throttle, record, readPace } = await follow(sourceQueue);
  await database.pool.query("UPDATE sources SET pace = 20, full_pace = 40 WHERE name = 'shared'");
  record(19, notFound);
  throttle.follow(new Map([['shared', { pace: 20 }]]));
  record(1, notFound);
  assert.deepEqual(await readPace(1), [null, null]);
});

test('an outcome that opens the circuit does not reduce the pace', async () => {
  const sourceQueue = makeSourceQueue('away', { limits: { per_second: 40 } });
  const { record, readPace } = await follow(sourceQueue);
  for (const is of ['unreachable', 'auth', 'quota'] as const) record(20, { is, error: 'no' });
  record(20, failed);
  assert.deepEqual(await readPace(1), [20, 40]);
});
