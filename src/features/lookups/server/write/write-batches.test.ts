import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerProcess } from '#server/processes/process-registration.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { fetchReady } from '#tests/support/lookups/jobs.ts';
import { registration } from '#tests/support/lookups/registration.ts';
import { makeResult } from '#tests/support/lookups/source-queue.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { listDeliveriesOf, storeWebhook } from '#tests/support/webhooks/stored-webhooks.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import { lockTickets } from './results.queries.ts';
import type { BatchChanges } from './write-batches.ts';
import { writeBatches } from './write-batches.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(async () => {
  await database.close();
});

const held = { held: true, delayed_by: null, sources: [], later: null };
const query = async (sql: string, ...values: unknown[]) => (await database.pool.query(sql, values)).rows;
const write = (...changes: BatchChanges[]) =>
  writeBatches({ pool: database.pool, registration, reusable: [] }, changes);

/** Creates a ticket with these serials, and fetches its only job. */
async function holdTicket(serials: string[]) {
  const ticketId = await importTicket(database.pool, serials);
  const [job] = await fetchReady(database.pool);
  assert.ok(job);
  const batch = await loadBatch(database.pool, job, { sources: [], hours: 0 });
  const rows = [...batch.rows.active];
  const finish = (count: number, followUp?: FollowUp | null): BatchChanges => ({
    batch,
    lookupStates: new Map(),
    followUp,
    results: rows.splice(0, count).map(makeResult),
  });
  const readJobs = () =>
    query(
      `SELECT holder IS NOT NULL AS held, delayed_by, sources, due_at > now() AS later FROM lookup_jobs
       WHERE ticket_id = $1`,
      ticketId,
    );
  return { ticketId, job, batch, finish, readJobs };
}

test('the first write after a call sets the start of a ticket and the last write its end, and others change neither', async () => {
  const { ticketId, batch, finish } = await holdTicket(['A', 'B', 'C']);
  const read = async () =>
    (await query('SELECT status, done, started_at, finished_at FROM tickets WHERE id = $1', ticketId))[0];
  await write(finish(0));
  assert.deepEqual(await read(), { status: 'Pending', done: 0, started_at: null, finished_at: null });
  batch.asked = true;
  await write(finish(0));
  const { started_at, ...begun } = await read();
  assert.ok(started_at);
  assert.deepEqual(begun, { status: 'Processing', done: 0, finished_at: null });
  await write(finish(2));
  assert.deepEqual(await read(), { status: 'Processing', done: 2, started_at, finished_at: null });
  await write(finish(1, null));
  const { finished_at, ...ended } = await read();
  assert.deepEqual(ended, { status: 'Completed', done: 3, started_at });
  assert.ok(finished_at > started_at);
});

test('a result was never fetched later than it is written, whatever the clock of its worker says', async () => {
  const { ticketId, finish } = await holdTicket(['AHEAD']);
  const { results, ...changes } = finish(1, null);
  const fetchedAt = Date.now() + 30 * 86_400_000;
  await write({ ...changes, results: results.map((result) => ({ ...result, fetchedAt })) });
  const rows = await query('SELECT fetched_at <= now() AS past FROM serials WHERE ticket_id = $1', ticketId);
  assert.deepEqual(rows, [{ past: true }]);
});

test('the write that completes a ticket tells its webhooks once', async () => {
  const webhook = await storeWebhook(database.pool, { events: ['ticket.completed'] });
  const { batch, finish } = await holdTicket(['W', 'X', 'Y']);
  batch.asked = true;
  await write(finish(1));
  assert.deepEqual(await listDeliveriesOf(database.pool, webhook), []);
  await write(finish(1), finish(1), finish(0, null));
  const [delivery, ...others] = await listDeliveriesOf(database.pool, webhook);
  assert.deepEqual([delivery?.event, delivery?.data.done, others], ['ticket.completed', 3, []]);
});

test('nothing is written for a ticket that was just cancelled', async () => {
  const { ticketId, finish } = await holdTicket(['D', 'E']);
  const cancel = "UPDATE tickets SET status = 'Cancelled' WHERE id = $1";
  await raceForLock(database.pool, [cancel, [ticketId]], [() => write(finish(1))]);
  assert.deepEqual(await query('SELECT status, done FROM tickets WHERE id = $1', ticketId), [
    { status: 'Cancelled', done: 0 },
  ]);
  assert.deepEqual(
    await query("SELECT FROM serials WHERE ticket_id = $1 AND state <> 'pending'", ticketId),
    [],
  );
});

test('nothing is written by a process that was declared dead', async () => {
  const { ticketId, finish } = await holdTicket(['K']);
  const { pool } = database;
  const settings = { kind: 'worker' as const, sources: ['shop'], fingerprints: {} };
  const abort = (reason: Error) => assert.fail(reason);
  const own = await registerProcess({ db: pool, log: createLog('test', 'silent'), settings, abort });
  const writeAsProcess = (changes: BatchChanges) =>
    writeBatches({ pool, registration: own, reusable: [] }, [changes]);
  const changes = finish(1);
  const before = await query('SELECT status, done FROM tickets WHERE id = $1', ticketId);
  await query('DELETE FROM processes');
  await assert.rejects(writeAsProcess(changes), /declared dead/);
  assert.deepEqual(await query('SELECT status, done FROM tickets WHERE id = $1', ticketId), before);
  await waitFor(
    'the process to register again',
    async () => (await query('SELECT FROM processes')).length === 1,
  );
  await writeAsProcess(changes);
  assert.deepEqual(await query('SELECT done FROM tickets WHERE id = $1', ticketId), [{ done: 1 }]);
  await own.end();
});

test('tickets are locked in the order of their ids to avoid deadlocks', async () => {
  const { pool } = database;
  const [low, high] = [await importTicket(pool, ['F']), await importTicket(pool, ['G'])];
  await query('DELETE FROM lookup_jobs');
  // In the table, the lower id comes last.
  await query('UPDATE tickets SET total = total WHERE id = $1', low);
  const lock = 'SELECT FROM tickets WHERE id = $1 FOR UPDATE';
  const client = await pool.connect();
  try {
    await client.query('SET enable_indexscan = off; SET enable_bitmapscan = off');
    await raceForLock<unknown>(
      pool,
      [lock, [low]],
      [
        () => lockTickets.all(client, { ids: [high, low] }),
        // A transaction that waits for the lower id holds no lock of a higher id.
        async () => {
          await query(`${lock} NOWAIT`, high);
          await query(lock, low);
        },
      ],
    );
  } finally {
    client.release(true);
  }
});

test('the job ends with its batch, or is given back with its unfinished rows', async () => {
  const whole = await holdTicket(['H']);
  await write(whole.finish(1, null));
  assert.deepEqual(await whole.readJobs(), []);
  const rest = await holdTicket(['I', 'J']);
  await write(rest.finish(1));
  assert.deepEqual(await rest.readJobs(), [held]);
  await write(rest.finish(0, { dueAt: Date.now() + 3_600_000, delayedBy: 'shop', sources: ['other'] }));
  const waiting = [{ held: false, delayed_by: 'shop', sources: ['other'], later: true }];
  assert.deepEqual(await rest.readJobs(), waiting);
});

test('a job that another worker has taken over is not ended, but its results are written', async () => {
  const { ticketId, job, finish, readJobs } = await holdTicket(['M', 'N']);
  await query('UPDATE lookup_jobs SET holds = holds + 1 WHERE id = $1', job.id);
  await write(finish(1, { dueAt: Date.now(), delayedBy: null, sources: [] }));
  assert.deepEqual(await readJobs(), [held]);
  assert.deepEqual(await query('SELECT done FROM tickets WHERE id = $1', ticketId), [{ done: 1 }]);
});
