import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { countOpenTransactions } from '#tests/support/database/open-transactions.ts';
import { int4 } from '../column-types.ts';
import { statement } from '../statement.ts';
import { readBatches } from './read-batches.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

const numbers = statement({
  text: 'SELECT n FROM generate_series(1, :most::integer) AS n',
  params: { most: int4 },
  row: { n: int4 },
});

test('no transaction stays open while a slow reader takes batches', async () => {
  const client = await database.pool.connect();
  try {
    const found: number[] = [];
    // Twice on one connection.
    for (let round = 0; round < 2; round++) {
      for await (const rows of readBatches(client, numbers, { most: 25 }, 10)) {
        assert.equal(await countOpenTransactions(database.pool), 0);
        found.push(...rows.map(({ n }) => n));
      }
    }
    const all = Array.from({ length: 25 }, (_, index) => index + 1);
    assert.deepEqual(found, [...all, ...all]);
  } finally {
    client.release();
  }
});

test('a connection that is lost while the caller uses a batch fails the next read, and nothing else', async (t) => {
  const client = await database.pool.connect();
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  client.on('error', () => undefined);
  t.after(() => {
    process.off('unhandledRejection', note);
    client.release(true);
  });
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const slow = statement({
    text: 'SELECT n, pg_sleep(0) FROM generate_series(1, :most::integer) AS n',
    params: { most: int4 },
    row: { n: int4 },
  });
  await assert.rejects(async () => {
    for await (const batch of readBatches(client, slow, { most: 25 }, 10)) {
      assert.ok(batch.length > 0);
      await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  assert.deepEqual(unhandled, []);
});
