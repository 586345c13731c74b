import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  addCallCounts,
  deleteOldCallCounts,
  listCallTotals,
  listSourceMinutes,
} from './call-counts.queries.ts';
import { createCallCounter } from './call-counts.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO sources (name, key) VALUES ('shop', 'shop')");
});
after(() => database.close());

const readError = async () => {
  const { rows } = await database.pool.query("SELECT last_error FROM sources WHERE name = 'shop'");
  return rows[0]?.last_error;
};

test('the counts of several workers in one minute, and in total, are added up', async () => {
  const client = await database.pool.connect();
  try {
    // Within one transaction the minute is the same.
    await client.query('BEGIN');
    for (const outcome of ['found', 'not_found'] as const) {
      const counter = createCallCounter();
      counter.record('found', 1, null);
      counter.record(outcome, 1000, null);
      const counts = counter.take();
      assert.ok(counts);
      await addCallCounts(client, 'shop', counts);
    }
    const [minute, ...more] = await listSourceMinutes.all(client, { now: new Date() });
    assert.deepEqual(more, []);
    assert.deepEqual([minute?.calls, minute?.outcomes], [4, { found: 3, not_found: 1 }]);
    assert.deepEqual(
      minute?.latencies.filter((calls) => calls > 0),
      [2, 2],
    );
    assert.deepEqual(await listCallTotals.all(client), [
      { source: 'shop', outcome: 'found', calls: 3 },
      { source: 'shop', outcome: 'not_found', calls: 1 },
    ]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test('the last error of a source is kept until the next error', async () => {
  for (const [error, kept] of [
    [null, null],
    ['HTTP 503', 'HTTP 503'],
    [null, 'HTTP 503'],
    ['HTTP 504', 'HTTP 504'],
  ] as const) {
    const counter = createCallCounter();
    counter.record(error === null ? 'found' : 'retry', 1, error);
    const counts = counter.take();
    assert.ok(counts);
    await addCallCounts(database.pool, 'shop', counts);
    assert.equal(await readError(), kept);
  }
});

test('counts are shown for 24 hours and deleted an hour later', async () => {
  const { pool } = database;
  await pool.query('TRUNCATE source_minutes');
  await pool.query(
    `INSERT INTO source_minutes (source, minute, calls, outcomes, latencies)
     SELECT 'shop', now() - minutes * interval '1 minute', minutes, '{}', '{}'
     FROM unnest('{1410, 1470, 1530}'::integer[]) AS minutes`,
  );
  await deleteOldCallCounts.run(pool, { limit: 10 });
  const { rows } = await pool.query('SELECT calls FROM source_minutes ORDER BY calls');
  assert.deepEqual(
    rows.map(({ calls }) => calls),
    [1410, 1470],
  );
  const shown = await listSourceMinutes.all(pool, { now: new Date() });
  assert.deepEqual(
    shown.map(({ calls }) => calls),
    [1410],
  );
});
