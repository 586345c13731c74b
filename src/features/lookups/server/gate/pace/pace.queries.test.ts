import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { CallCounts } from '#features/sources/server/figures/call-counts.ts';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { updatePace } from './pace.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** Stores a source. Returns a function that adds calls of two seconds, and returns the new pace. */
async function follow(name: string, limits: { per_second?: number }) {
  await syncSources(database.pool, [{ name, key: name }]);
  return (outcomes: CallCounts['outcomes']) => {
    const calls = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
    return updatePace(database.pool, { name, limits }, { calls, outcomes, ms: 2000 });
  };
}

test('the pace of a source whose calls fail is halved for all workers, and is restored when calls succeed', async () => {
  const add = await follow('limited', { per_second: 40 });
  assert.equal(await add({ not_found: 9, retry: 10, throttled: 1 }), 20);
  assert.equal(await add({ retry: 19 }), undefined, 'too few calls');
  assert.equal(await add({ retry: 1 }), 10);
  assert.equal(await add({ not_found: 20 }), 20);
  assert.equal(await add({ found: 20 }), null);
});

test('the pace of a source without a limit is half of its calls a second', async () => {
  const add = await follow('free', {});
  assert.equal(await add({ not_found: 40, retry: 60 }), 25);
});

test('the calls of one worker count for each worker that asks the source', async () => {
  const add = await follow('shared', {});
  await database.pool.query(
    `WITH added AS (INSERT INTO workers (id, heartbeat, gone_at)
       SELECT gen_random_uuid(), now(), CASE WHEN n > 3 THEN now() END FROM generate_series(1, 4) AS n RETURNING id)
     INSERT INTO source_shares (source, worker, wants) SELECT 'shared', id, true FROM added`,
  );
  assert.equal(await add({ found: 80, retry: 120 }), 150);
});

test('the pace falls at once to twice what a source answers', async () => {
  const add = await follow('overrun', {});
  assert.equal(await add({ found: 40, throttled: 5960 }), 40);
  assert.equal(await add({ throttled: 80 }), 20);
});

test('a short failure reduces the pace to no less than 20 a second at once', async () => {
  const add = await follow('interrupted', { per_second: 100 });
  assert.equal(await add({ retry: 200 }), 20);
});

test('an outcome that opens the circuit does not reduce the pace', async () => {
  const add = await follow('away', { per_second: 40 });
  assert.equal(await add({ unreachable: 20, auth: 20, quota: 20 }), undefined);
  assert.equal(await add({ retry: 20 }), 20);
});

test('nothing is written for a source whose calls succeed', async () => {
  const add = await follow('healthy', { per_second: 40 });
  const versionOf = async () =>
    (await database.pool.query("SELECT ctid FROM sources WHERE name = 'healthy'")).rows[0];
  const before = await versionOf();
  assert.equal(await add({ found: 15, retry: 5 }), undefined);
  assert.deepEqual(await versionOf(), before);
});
