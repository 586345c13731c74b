import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { holdLock } from '#tests/support/race.ts';
import { cleanUp } from './clean-up.ts';

const oldest = '00000000-0000-4000-8000-000000000009';
const younger = '00000000-0000-4000-8000-000000000001';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await database.pool.query(
    `INSERT INTO workers (id, since, gone_at) VALUES
       ('00000000-0000-4000-8000-000000000005', now() - interval '9 hours', now()),
       ($1, now() - interval '2 hours', NULL), ($2, now() - interval '1 hour', NULL)`,
    [oldest, younger],
  );
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

test('the oldest living worker alone deletes answers that are too old, a bounded number per step', async () => {
  const clean = (worker: string | undefined) => cleanUp(database.db, worker, 1);
  assert.deepEqual([await clean(younger), await clean(undefined), await countLeft()], [false, false, 2560]);
  assert.deepEqual([await clean(oldest), await countLeft()], [true, 1560]);
  assert.deepEqual([await clean(oldest), await countLeft()], [true, 560]);
  assert.deepEqual([await clean(oldest), await countLeft()], [false, 60]);
});

test('a step waits for no answer that another worker writes', async () => {
  const lock = "SELECT FROM coverage_cache WHERE serial = 'S2560' FOR UPDATE";
  await holdLock(database.pool, [lock, []], async () => {
    assert.equal(await cleanUp(database.db, oldest, 1), true);
  });
  const { rowCount } = await database.pool.query("SELECT FROM coverage_cache WHERE serial = 'S2560'");
  assert.equal(rowCount, 1);
});
