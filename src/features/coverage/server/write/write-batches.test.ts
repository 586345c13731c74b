import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PgBoss } from 'pg-boss';
import { createLog } from '#server/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { raceForLock } from '#tests/support/race.ts';
import { makeResult } from '#tests/support/source-queue.ts';
import { importTicket } from '#tests/support/tickets.ts';
import { loadBatch } from '../fetch/load-batch.ts';
import { type FollowUp, releaseStrandedJobs, waitForSources } from '../jobs/follow-up-jobs.queries.ts';
import { type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { openCircuit } from '../source-state/circuit.queries.ts';
import { closeCircuit } from '../source-state/close-circuit.ts';
import { syncSources } from '../source-state/source-states.queries.ts';
import type { BatchChanges } from './batch-changes.ts';
import { lockTickets } from './results.queries.ts';
import { writeBatches } from './write-batches.ts';

let database: TestDatabase;
let queue: PgBoss;
before(async () => {
  database = await createTestDatabase();
  queue = await openQueue(database.pool, createLog('test', 'silent'));
  await syncSources(database.pool, [{ name: 'shop', key: 'shop' }]);
});
after(async () => {
  await queue.stop({ graceful: false, close: false });
  await database.close();
});

const query = async (sql: string, ...values: unknown[]) => (await database.pool.query(sql, values)).rows;
const write = (...changes: BatchChanges[]) =>
  writeBatches({ pool: database.pool, queue, reusable: [] }, changes);

/** A new ticket with these serials, whose only job is held as a worker holds it. */
async function holdTicket(serials: string[]) {
  const ticketId = await importTicket(database.pool, serials);
  const [job] = await queue.fetch<LookupJob>(lookupQueue);
  assert.ok(job);
  const { batch, rows } = await loadBatch(database.pool, job, { sources: [], hours: 0 });
  const finish = (count: number, followUp?: FollowUp | null): BatchChanges => ({
    ...{ batch, lookupStates: new Map(), followUp },
    results: rows.splice(0, count).map(makeResult),
  });
  const readJobs = () =>
    query(
      `SELECT id = $2 AS own, state, singleton_key, start_after > now() AS later
       FROM pgboss.job WHERE group_id = $1 ORDER BY created_on`,
      String(ticketId),
      job.id,
    );
  return { ticketId, job, finish, readJobs };
}

test('a ticket begins with its first write and ends with its last, and none in between sets that anew', async () => {
  const { ticketId, finish } = await holdTicket(['A', 'B', 'C']);
  const read = async () =>
    (await query('SELECT status, done, started_at, finished_at FROM tickets WHERE id = $1', ticketId))[0];
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

test('nothing is written of a ticket that is cancelled just before', async () => {
  const { ticketId, finish } = await holdTicket(['D', 'E']);
  const cancel = "UPDATE tickets SET status = 'Cancelled' WHERE id = $1";
  const [gone] = await raceForLock(database.pool, [cancel, [ticketId]], [() => write(finish(1))]);
  assert.deepEqual(gone, [ticketId]);
  assert.deepEqual(await query('SELECT status, done FROM tickets WHERE id = $1', ticketId), [
    { status: 'Cancelled', done: 0 },
  ]);
  assert.deepEqual(
    await query("SELECT FROM serials WHERE ticket_id = $1 AND state <> 'pending'", ticketId),
    [],
  );
});

test('tickets are locked in the order of their ids, so that two writes never wait for each other', async () => {
  const { pool } = database;
  const [low, high] = [await importTicket(pool, ['F']), await importTicket(pool, ['G'])];
  await query("DELETE FROM pgboss.job WHERE name = 'lookups'");
  // As the table holds them the lower one comes last.
  await query('UPDATE tickets SET total = total WHERE id = $1', low);
  const lock = 'SELECT FROM tickets WHERE id = $1 FOR UPDATE';
  const client = await pool.connect();
  try {
    await client.query('SET enable_indexscan = off; SET enable_bitmapscan = off');
    await raceForLock<unknown>(
      pool,
      [lock, [low]],
      [
        () => lockTickets(client, [high, low]),
        // Whoever waits for the lower one holds no higher one.
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

test('the job of a batch ends with it; what is left of it is a job of its own', async () => {
  const whole = await holdTicket(['H']);
  await write(whole.finish(1, null));
  assert.deepEqual(await whole.readJobs(), [
    { own: true, state: 'completed', singleton_key: null, later: false },
  ]);
  const rest = await holdTicket(['I', 'J']);
  await write(rest.finish(1));
  assert.deepEqual((await rest.readJobs())[0]?.state, 'active');
  await write(rest.finish(0, { at: Date.now() + 3_600_000, waitsFor: 'later:shop' }));
  assert.deepEqual(await rest.readJobs(), [
    { own: true, state: 'completed', singleton_key: null, later: false },
    { own: false, state: 'created', singleton_key: 'later:shop', later: true },
  ]);
});

test('what waits for a source that is available by now is due at once', async () => {
  const waiting = { at: Date.now() + 3_600_000, waitsFor: 'source:shop' };
  const back = await holdTicket(['K']);
  await write(back.finish(0, waiting));
  const { singleton_key, later } = (await back.readJobs())[1] ?? {};
  assert.deepEqual([singleton_key, later], [null, false]);
  await query("DELETE FROM pgboss.job WHERE name = 'lookups'");
  await openCircuit(database.pool, 'shop', { cause: 'down', error: 'HTTP 503', waitMs: 60_000 });
  const blocked = await holdTicket(['L']);
  await write(blocked.finish(0, waiting));
  const followUp = (await blocked.readJobs())[1] ?? {};
  assert.deepEqual([followUp.singleton_key, followUp.later], ['source:shop', true]);
});

test('a job that another worker holds by now stays with it, and its results are written all the same', async () => {
  const { ticketId, job, finish, readJobs } = await holdTicket(['M', 'N']);
  await query('UPDATE pgboss.job SET retry_count = retry_count + 1 WHERE id = $1', job.id);
  await write(finish(1, { at: Date.now(), waitsFor: null }));
  assert.deepEqual(await readJobs(), [{ own: true, state: 'active', singleton_key: null, later: false }]);
  assert.deepEqual(await query('SELECT done FROM tickets WHERE id = $1', ticketId), [{ done: 1 }]);
});

test('what waits for several sources is due when any of them is back, and nobody fetches it before', async () => {
  await query("DELETE FROM pgboss.job WHERE name = 'lookups'");
  await syncSources(database.pool, [
    { name: 'left', key: 'left' },
    { name: 'right', key: 'right' },
  ]);
  const away = { cause: 'down', error: 'no answer', waitMs: 60_000 } as const;
  await openCircuit(database.pool, 'left', away);
  await openCircuit(database.pool, 'right', away);
  const { finish, readJobs } = await holdTicket(['O', 'P']);
  const waitsFor = waitForSources(['left', 'right']);
  await write(finish(0, { at: Date.now() + 3_600_000, waitsFor }));
  // Not even a fetch that finds it has to pass it over.
  await query("UPDATE pgboss.job SET start_after = now() WHERE name = 'lookups' AND state = 'created'");
  assert.deepEqual(await queue.fetch(lookupQueue), []);
  await closeCircuit(database.pool, 'right', { resume: false });
  assert.equal((await readJobs())[1]?.singleton_key, null);
  assert.equal((await queue.fetch(lookupQueue)).length, 1);
});

test('what waits for a source that may be asked again, or for none that there is, does not wait for ever', async () => {
  await query("DELETE FROM pgboss.job WHERE name = 'lookups'");
  const { finish, readJobs } = await holdTicket(['Q', 'R']);
  await write(finish(0, { at: Date.now() + 3_600_000, waitsFor: waitForSources(['left']) }));
  await releaseStrandedJobs(database.pool, ['left', 'right']);
  assert.deepEqual((await readJobs())[1]?.singleton_key, 'source:left');
  // As after a notice that was lost.
  await query("UPDATE sources SET state = 'up' WHERE name = 'left'");
  await releaseStrandedJobs(database.pool, ['left', 'right']);
  assert.deepEqual((await readJobs())[1]?.singleton_key, null);
  assert.equal((await queue.fetch(lookupQueue)).length, 1);
});
