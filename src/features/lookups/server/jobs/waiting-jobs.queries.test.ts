import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type pg from 'pg';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import {
  createOldDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { deleteJobsOfTicket } from './lookup-jobs.queries.ts';
import {
  type FollowUp,
  fetchJobToProbe,
  fetchWaitingJobs,
  insertWaitingJobs,
  releaseWaitingForOthers,
} from './waiting-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await syncSources(
    database.db,
    ['first', 'second', 'gone'].map((name) => ({ name, key: name })),
  );
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE tickets, serials, pgboss.job CASCADE');
  await database.pool.query("UPDATE sources SET state = 'up', paused = false");
});
after(() => database.close());

const neverDue: FollowUp = { dueAt: null, delayedBy: null, sources: [] };

/** Creates a ticket with only waiting jobs, one block each. */
async function addWaiting(name: string, followUps: Partial<FollowUp>[], firstBlock = 0): Promise<number> {
  const { pool } = database;
  const ticketId = await importTicket(pool, [name]);
  await deleteJobsOfTicket(pool, ticketId);
  const jobs = followUps.map((followUp, n) => {
    const lo = 200 * (firstBlock + n);
    return { ticketId, lo, hi: lo + 199, ...neverDue, ...followUp };
  });
  await insertWaitingJobs(pool, jobs);
  return ticketId;
}

/** Returns the blocks that a worker fetches if it may ask these sources. */
async function fetch(wanted: string[], count = 9, withoutTickets: number[] = []): Promise<number[]> {
  const tickets = withoutTickets.map(String);
  const jobs = await fetchWaitingJobs(database.db, { count, wanted, withoutTickets: tickets });
  return jobs.map(({ data }) => data.lo / 200).sort();
}

test('a job that waits for several sources is fetched when a worker may ask one of them', async () => {
  const { pool } = database;
  await addWaiting('WAITS', [{ sources: ['first'] }, { sources: ['first', 'second'] }]);
  assert.deepEqual(await fetch([]), []);
  await pool.query("UPDATE sources SET paused = true WHERE name = 'first'");
  assert.deepEqual(await fetch(['first']), []);
  assert.deepEqual(await fetch(['first', 'second']), [1]);
  await pool.query("UPDATE sources SET paused = false, state = 'down' WHERE name = 'first'");
  assert.deepEqual(await fetch(['first']), []);
  await pool.query("UPDATE sources SET state = 'up' WHERE name = 'first'");
  assert.deepEqual(await fetch(['first']), [0]);
  assert.deepEqual(await fetch(['first', 'second']), []);
});

test('a job that waits for a disabled source is fetched after the next start of a worker', async () => {
  await addWaiting('GONE', [{ sources: ['gone'] }, { sources: ['first'] }]);
  await database.pool.query('UPDATE sources SET paused = true');
  assert.deepEqual(await fetch([]), []);
  await releaseWaitingForOthers(database.pool, ['first', 'second']);
  assert.deepEqual(await fetch([]), [0]);
});

test('a job with a delayed row is fetched when that row is due, even if other rows wait for a source', async () => {
  await database.pool.query('UPDATE sources SET paused = true');
  const dueAt = steadyNow() + 63_000.25;
  await addWaiting('DUE', [{ dueAt, delayedBy: 'second', sources: ['first'] }, { sources: ['first'] }]);
  assert.deepEqual(await fetch(['second']), []);
  await database.pool.query("UPDATE waiting_jobs SET due_at = due_at - interval '63 seconds'");
  assert.deepEqual(await fetch(['second']), [0]);
});

test('a job that waits for nothing is due at once, also after the clock is set back', async () => {
  await addWaiting('NOW', [{ dueAt: steadyNow() }]);
  const { rows } = await database.pool.query(
    "SELECT due_at < now() - interval '10 years' AS due FROM waiting_jobs",
  );
  assert.deepEqual(rows, [{ due: true }]);
});

test('due waiting jobs are fetched by block, lowest first, without excluded tickets', async () => {
  const some = { sources: ['first'] };
  const long = await addWaiting('LONG', [some, some, some, some]);
  await addWaiting('SHORT', [some], 7);
  assert.deepEqual(await fetch(['first'], 9, [long]), [7]);
  assert.deepEqual(await fetch(['first'], 2), [0, 1]);
  assert.deepEqual(await fetch(['first'], 9), [2, 3]);
});

test('a fetched waiting job is held like a queued job, by one worker', async () => {
  const { pool } = database;
  const ticketId = await addWaiting('HELD', [{ sources: ['first'] }]);
  await holdLock(pool, ['SELECT FROM waiting_jobs FOR UPDATE', []], async () => {
    assert.deepEqual(await fetch(['first']), [], 'another worker is about to fetch it');
  });
  assert.deepEqual((await Promise.all([fetch(['first']), fetch(['first'])])).flat(), [0]);
  const { rows } = await pool.query(
    'SELECT state, retry_count, priority, group_id, heartbeat_seconds, heartbeat_on IS NOT NULL AS touched FROM pgboss.job',
  );
  const held = { state: 'active', retry_count: 0, priority: 0, heartbeat_seconds: 10, touched: true };
  assert.deepEqual(rows, [{ ...held, group_id: String(ticketId) }]);
});

test('the job that has waited longest for a source is fetched for a probe, even if it is not due', async () => {
  await addWaiting('PROBE', [{ sources: ['second'] }], 9);
  await addWaiting('OTHER', [{ sources: ['first'] }, { sources: ['second', 'first'] }]);
  const probe = async () => (await fetchJobToProbe(database.db, 'second'))?.data.lo;
  assert.deepEqual([await probe(), await probe(), await probe()], [1800, 200, undefined]);
});

test('deleting the jobs of a ticket includes a waiting job that is being fetched', async () => {
  const { pool } = database;
  const ticketId = await addWaiting('CANCEL', [{ sources: ['first'] }, { sources: ['second'] }]);
  const other = await addWaiting('OTHER', [{ sources: ['second'] }]);
  const worker = await pool.connect();
  try {
    await worker.query('BEGIN');
    await fetchWaitingJobs(worker, { count: 1, wanted: ['first'], withoutTickets: [] });
    const deleted = inTransaction(pool, (tx) => deleteJobsOfTicket(tx, ticketId));
    await waitFor('the deletion to wait', async () => {
      const waiting =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
      return (await pool.query(waiting)).rowCount === 1;
    });
    await worker.query('COMMIT');
    await deleted;
  } finally {
    worker.release();
  }
  const { rows } = await pool.query(
    'SELECT ticket_id FROM waiting_jobs UNION ALL SELECT group_id::bigint FROM pgboss.job',
  );
  assert.deepEqual(rows, [{ ticket_id: other }]);
});

/** Queues a job as releases before this table did. */
const insertMarked = (pool: pg.Pool, ticketId: number, block: number, mark: string) =>
  pool.query(
    `INSERT INTO pgboss.job (name, data, group_id, singleton_key, start_after, blocked)
     VALUES ('lookups', jsonb_build_object('ticketId', $1::bigint, 'lo', $2::integer, 'hi', $2::integer + 199), $1::text, $3,
             now() + interval '1 hour', NOT starts_with($3, 'later:'))`,
    [ticketId, 200 * block, mark],
  );
const marks = ['source:first,second', 'limit:second', 'later:first'];
const waiting = [
  { lo: 0, hi: 199, delayed_by: null, sources: ['first', 'second'], later: true },
  { lo: 200, hi: 399, delayed_by: null, sources: ['second'], later: true },
  { lo: 400, hi: 599, delayed_by: 'first', sources: [], later: true },
];
const readWaiting = async (pool: pg.Pool) =>
  (
    await pool.query(
      'SELECT lo, hi, delayed_by, sources, due_at > now() AS later FROM waiting_jobs ORDER BY lo',
    )
  ).rows;

test('waiting jobs of an earlier release are fetched like others', async () => {
  const { pool } = database;
  const ticketId = await addWaiting('OLD', []);
  for (const [block, mark] of marks.entries()) await insertMarked(pool, ticketId, block, mark);
  assert.deepEqual(await readWaiting(pool), waiting);
  assert.equal((await pool.query('SELECT FROM pgboss.job')).rowCount, 0);
  assert.deepEqual(await fetch(['second']), [0, 1]);
});

test('the migration moves waiting jobs of an earlier release, and leaves others in the queue', async () => {
  const { pool, migrate, close } = await createOldDatabase(37);
  try {
    await pool.query("INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001')");
    const { rows } = await pool.query<{ id: string }>(
      `INSERT INTO tickets (ticket_number, company_code, data_count, total, price, current_dollar_price, imported_at)
       VALUES (1, 'ACM001', 1000, 1000, 0.05, 16000, now()) RETURNING id`,
    );
    const ticketId = Number(rows[0]?.id);
    for (const [block, mark] of [...marks, 'source:first'].entries())
      await insertMarked(pool, ticketId, block, mark);
    await pool.query(
      "UPDATE pgboss.job SET state = 'active', blocked = false WHERE singleton_key = 'source:first'",
    );
    await pool.query(
      "INSERT INTO pgboss.job (name, data, group_id) VALUES ('lookups', jsonb_build_object('ticketId', $1::bigint), $1::text)",
      [ticketId],
    );
    await migrate();
    assert.deepEqual(await readWaiting(pool), waiting);
    const left = await pool.query('SELECT state, singleton_key FROM pgboss.job ORDER BY state');
    assert.deepEqual(left.rows, [
      { state: 'created', singleton_key: null },
      { state: 'active', singleton_key: null },
    ]);
  } finally {
    await close();
  }
});
