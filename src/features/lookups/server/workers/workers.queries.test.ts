import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { waitFor } from '#tests/support/wait.ts';
import { listAllocations, writeAllocations } from '../gate/limits/allocations.queries.ts';
import { addWorker, freeHoldingsOfGone, markWorkerGone, renewPresence } from './workers.queries.ts';

let database: TestDatabase;
let me: string;
const times = {
  sources: [
    { name: 'fast', ms: 1000 },
    { name: 'slow', ms: 10_000 },
  ],
  proxiesMs: 4000,
};
before(async () => {
  database = await createTestDatabase();
  await syncSources(database.pool, [
    { name: 'fast', key: 'fast' },
    { name: 'slow', key: 'slow' },
  ]);
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM workers');
  me = randomUUID();
  await addWorker(database.pool, me);
});
after(() => database.close());

/** Creates another worker that holds permits of both sources and a proxy, on its own connection. */
async function startOther(): Promise<{ id: string; connection: pg.PoolClient }> {
  const connection = await database.pool.connect();
  const id = randomUUID();
  await addWorker(connection, id);
  const common = { worker: id, wants: true, per_second: 1, concurrency: null };
  await writeAllocations.run(database.pool, {
    rows: [
      { source: 'fast', ...common },
      { source: 'slow', ...common },
    ],
  });
  await database.pool.query(
    `INSERT INTO proxy_states (proxy, worker) VALUES ('http://10.0.0.1:80', $1)
    ON CONFLICT (proxy) DO UPDATE SET worker = excluded.worker`,
    [id],
  );
  return { id, connection };
}

/** Returns the holdings of the other worker after a round of ours, with all times moved into the past. */
async function holdingsAfter(milliseconds: number): Promise<string[]> {
  await database.pool.query(
    `UPDATE workers SET gone_at = gone_at - $1 * interval '1 millisecond' WHERE gone_at IS NOT NULL`,
    [milliseconds],
  );
  await inTransaction(database.pool, async (tx) => {
    assert.equal(await renewPresence(tx, me), true);
    await freeHoldingsOfGone(tx, times);
  });
  const shares = (await listAllocations.all(database.pool)).map(({ source, wants }) =>
    wants ? `${source}!` : source,
  );
  const { rows } = await database.pool.query(
    "SELECT 'proxy' AS held FROM proxy_states WHERE worker IS NOT NULL",
  );
  return [...shares.toSorted(), ...rows.map(({ held }) => held as string)];
}

test('the permits of a gone worker are freed when its last calls to that source no longer count', async () => {
  const { id, connection } = await startOther();
  assert.deepEqual(await holdingsAfter(0), ['fast!', 'slow!', 'proxy']);
  await markWorkerGone.run(database.pool, { id });
  connection.release(true);
  assert.deepEqual(await holdingsAfter(1000), ['fast', 'slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(500), ['slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(3000), ['slow']);
  assert.deepEqual(await holdingsAfter(5000), ['slow']);
  assert.deepEqual(await holdingsAfter(1000), []);
});

/** Closes a worker's connection, and waits until PostgreSQL has noticed it. */
async function untilGone(connection: pg.PoolClient) {
  connection.release(true);
  const isGone = async () => (await holdingsAfter(0)).join() === 'fast,slow,proxy';
  await waitFor('the worker to count as gone', isGone);
}

test('the permits of a worker that counts as gone count as used until they expire', async () => {
  const { connection } = await startOther();
  // The connection broke, but the process may not know that.
  await untilGone(connection);
  assert.deepEqual(await holdingsAfter(5000), ['fast', 'slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(1500), ['slow', 'proxy']);
});

test('a worker that returns with a new id reports that its old permits are not in use', async () => {
  const { id, connection } = await startOther();
  await untilGone(connection);
  await markWorkerGone.run(database.pool, { id });
  assert.deepEqual(await holdingsAfter(1500), ['slow', 'proxy']);
});
