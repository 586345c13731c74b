import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { cleanUp } from './clean-up.ts';

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
