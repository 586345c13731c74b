import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import type { LookupJob } from './jobs/lookup-jobs.queries.ts';
import { cancelLookups, enqueueLookups, requeueLookups } from './lookups.service.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

async function readJobs(ticketId: number): Promise<LookupJob[]> {
  const { rows } = await database.pool.query<{ data: LookupJob }>(
    "SELECT data FROM pgboss.job WHERE name = 'lookups' AND group_id = $1 ORDER BY priority DESC, created_on",
    [String(ticketId)],
  );
  return rows.map(({ data }) => data);
}

test('an import queues every block of its ticket, or none if it rolls back', async () => {
  await inTransaction(database.pool, (tx) => enqueueLookups(tx, { ticketId: 7, lastPosition: 401 }));
  assert.deepEqual(await readJobs(7), [
    { ticketId: 7, lo: 0, hi: 199 },
    { ticketId: 7, lo: 200, hi: 399 },
    { ticketId: 7, lo: 400, hi: 599 },
  ]);
  await assert.rejects(
    inTransaction(database.pool, async (tx) => {
      await enqueueLookups(tx, { ticketId: 8, lastPosition: 1 });
      throw new Error('the import failed');
    }),
  );
  assert.deepEqual(await readJobs(8), []);
});

test('the first block of a new ticket is fetched before the later blocks of a long one', async () => {
  await inTransaction(database.pool, (tx) => enqueueLookups(tx, { ticketId: 20, lastPosition: 999_999 }));
  await inTransaction(database.pool, (tx) => enqueueLookups(tx, { ticketId: 21, lastPosition: 50 }));
  const { rows } = await database.pool.query<{ group_id: string }>(
    `SELECT group_id FROM pgboss.job WHERE name = 'lookups' AND group_id IN ('20', '21')
     ORDER BY priority DESC, created_on LIMIT 2`,
  );
  assert.deepEqual(rows, [{ group_id: '20' }, { group_id: '21' }]);
  assert.equal((await readJobs(20)).length, 5000);
});

test('cancelling removes a ticket’s jobs from the queue, and a retry queues each block with pending rows once', async () => {
  await database.pool.query(
    `INSERT INTO serials (ticket_id, position, sheet_row, serial, state)
     SELECT 30, n, n, 'S' || n, CASE WHEN n BETWEEN 200 AND 399 THEN 'done' ELSE 'pending' END::serial_state
     FROM generate_series(1, 401) AS n`,
  );
  await inTransaction(database.pool, (tx) => enqueueLookups(tx, { ticketId: 30, lastPosition: 401 }));
  await inTransaction(database.pool, (tx) => cancelLookups(tx, 30));
  assert.deepEqual(await readJobs(30), []);
  for (let again = 0; again < 2; again++) {
    await inTransaction(database.pool, (tx) => requeueLookups(tx, 30));
    assert.deepEqual(await readJobs(30), [
      { ticketId: 30, lo: 0, hi: 199 },
      { ticketId: 30, lo: 400, hi: 599 },
    ]);
  }
});
