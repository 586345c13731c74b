import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { listAllocations, writeAllocations } from '../gate/limits/allocations.queries.ts';
import { freeHoldingsOfGone, markWorkerGone, renewPresence } from './workers.queries.ts';

let database: TestDatabase;
let me: string;
let other: string;
const entries = [
  { name: 'fast', limits: { per_second: 1, per_proxy_per_second: 0.25 } },
  { name: 'slow', limits: { per_second: 0.1 } },
];
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
  other = randomUUID();
  for (const id of [me, other]) await renewPresence(database.pool, id);
  await holdAll(other);
});
after(() => database.close());

/** Gives a worker permits of both sources and a proxy. */
async function holdAll(worker: string) {
  const common = { worker, wants: true, per_second: 1, concurrency: null };
  await writeAllocations.run(database.pool, {
    rows: [
      { source: 'fast', ...common },
      { source: 'slow', ...common },
    ],
  });
  await database.pool.query(
    `INSERT INTO proxy_states (proxy, worker) VALUES ('http://10.0.0.1:80', $1)
    ON CONFLICT (proxy) DO UPDATE SET worker = excluded.worker`,
    [worker],
  );
}

/** Runs a round of a worker. */
const renew = (id: string) => inTransaction(database.pool, (tx) => renewPresence(tx, id));

/** Returns the holdings of the other worker after a round of ours, with its times moved into the past. */
async function holdingsAfter(milliseconds: number): Promise<string[]> {
  await database.pool.query(
    `UPDATE workers SET heartbeat = heartbeat - $1 * interval '1 millisecond',
       gone_at = gone_at - $1 * interval '1 millisecond' WHERE id <> $2`,
    [milliseconds, me],
  );
  assert.equal((await renew(me)).isKnown, true);
  await inTransaction(database.pool, (tx) => freeHoldingsOfGone(tx, entries));
  const shares = (await listAllocations.all(database.pool)).map(({ source, wants }) =>
    wants ? `${source}!` : source,
  );
  const { rows } = await database.pool.query(
    "SELECT 'proxy' AS held FROM proxy_states WHERE worker IS NOT NULL",
  );
  return [...shares.toSorted(), ...rows.map(({ held }) => held as string)];
}

test('the permits of a gone worker are freed when its last calls to that source no longer count', async () => {
  assert.deepEqual(await holdingsAfter(0), ['fast!', 'slow!', 'proxy']);
  await markWorkerGone.run(database.pool, { id: other });
  assert.deepEqual(await holdingsAfter(1000), ['fast', 'slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(500), ['slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(8000), ['slow', 'proxy']);
  await holdingsAfter(1000);
  // The worker and its leases end one round after its last permits.
  assert.deepEqual(await holdingsAfter(0), []);
});

test('a silent worker counts as gone when its permits have expired', async () => {
  assert.deepEqual(await holdingsAfter(4900), ['fast!', 'slow!', 'proxy']);
  assert.deepEqual(await holdingsAfter(200), ['fast', 'slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(1500), ['slow', 'proxy']);
});

test('a silent worker that returns keeps what nobody else could take yet', async () => {
  assert.deepEqual(await holdingsAfter(5100), ['fast', 'slow', 'proxy']);
  assert.deepEqual(await holdingsAfter(1500), ['slow', 'proxy']);
  assert.equal((await renew(other)).isKnown, true);
  assert.deepEqual(await holdingsAfter(1500), ['slow!', 'proxy']);
});

test('a worker that returns after it was deleted holds nothing', async () => {
  await holdingsAfter(5100);
  await holdingsAfter(10_500);
  assert.deepEqual(await holdingsAfter(0), []);
  assert.equal((await renew(other)).isKnown, false);
  assert.equal((await renew(other)).isKnown, true);
});

/** Whether the other worker is known after a round of ours, with its times moved into the past. */
async function isThereAfter(milliseconds: number): Promise<boolean> {
  await holdingsAfter(milliseconds);
  const { rowCount } = await database.pool.query('SELECT FROM workers WHERE id = $1', [other]);
  return rowCount === 1;
}

test('a gone worker without permits is deleted when its last calls through proxies no longer count', async () => {
  await database.pool.query('DELETE FROM source_shares WHERE worker = $1', [other]);
  await markWorkerGone.run(database.pool, { id: other });
  assert.equal(await isThereAfter(4200), true);
  assert.equal(await isThereAfter(400), false);
});

test('a gone worker is deleted after 5 s, although it holds a job', async () => {
  const { pool } = database;
  const ticket = await importTicket(pool, ['ACM1']);
  await pool.query('UPDATE lookup_jobs SET holder = $1 WHERE ticket_id = $2', [other, ticket]);
  await pool.query('DELETE FROM source_shares WHERE worker = $1', [other]);
  await markWorkerGone.run(pool, { id: other });
  assert.equal(await isThereAfter(4600), true);
  assert.equal(await isThereAfter(500), false);
});
