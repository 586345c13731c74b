import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, makeSerials } from '#tests/support/lookups/tickets.ts';
import { cancelLookups, enqueueLookups, listPendingBlocks, requeueLookups } from './lookups.service.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

/** Creates a ticket of three blocks without jobs. */
async function createTicket(): Promise<number> {
  const ticketId = await importTicket(database.pool, makeSerials('BLOCKS', 401));
  await inTransaction(database.pool, (tx) => cancelLookups(tx, ticketId));
  return ticketId;
}

async function enqueue(tx: Queryable, ticketId: number): Promise<void> {
  await enqueueLookups(tx, ticketId, await listPendingBlocks.all(tx, { ticketId }));
}

async function readJobs(ticketId: number): Promise<number[][]> {
  const { rows } = await database.pool.query<{ lo: number; hi: number }>(
    'SELECT lo, hi FROM lookup_jobs WHERE ticket_id = $1 ORDER BY lo',
    [ticketId],
  );
  return rows.map(({ lo, hi }) => [lo, hi]);
}

test('an import queues every block of its ticket with a pending row, or none if it rolls back', async () => {
  const [stored, other] = [await createTicket(), await createTicket()];
  await inTransaction(database.pool, (tx) => enqueue(tx, stored));
  assert.deepEqual(await readJobs(stored), [
    [1, 199],
    [200, 399],
    [400, 401],
  ]);
  await assert.rejects(
    inTransaction(database.pool, async (tx) => {
      await enqueue(tx, other);
      throw new Error('the import failed');
    }),
  );
  assert.deepEqual(await readJobs(other), []);
});

test('cancelling removes a ticket’s jobs from the queue, and a retry queues each block with pending rows once', async () => {
  const id = await createTicket();
  await database.pool.query(
    "UPDATE serials SET state = 'done' WHERE ticket_id = $1 AND position BETWEEN 200 AND 399",
    [id],
  );
  await inTransaction(database.pool, (tx) => enqueue(tx, id));
  assert.equal((await readJobs(id)).length, 2);
  await inTransaction(database.pool, (tx) => cancelLookups(tx, id));
  assert.deepEqual(await readJobs(id), []);
  for (let again = 0; again < 2; again++) {
    await inTransaction(database.pool, (tx) => requeueLookups(tx, id));
    assert.deepEqual(await readJobs(id), [
      [1, 199],
      [400, 401],
    ]);
  }
});
