import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import {
  deleteJobsOfTicket,
  type HeldJob,
  hasJobs,
  insertPendingBlocks,
  touchJobs,
} from './lookup-jobs.queries.ts';
import { insertWaitingJobs } from './waiting-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('no job waits after the clock is set back, because all jobs are due since the epoch', async () => {
  const { db, pool } = database;
  const ticketId = await importTicket(pool, ['CLOCK00001']);
  await insertPendingBlocks(db, ticketId);
  const { rows } = await db.query(
    "SELECT start_after < now() - interval '10 years' AS due FROM pgboss.job WHERE group_id = $1",
    [String(ticketId)],
  );
  assert.deepEqual(rows, [{ due: true }, { due: true }]);
});

test('a worker keeps its jobs by heartbeats until the jobs of their ticket are deleted', async () => {
  const { db, pool } = database;
  await db.query('DELETE FROM pgboss.job');
  assert.equal(await hasJobs(db), false);
  const [mine = 0, other = 0] = [
    await importTicket(pool, ['MINE000001']),
    await importTicket(pool, ['OTHER00001']),
  ];
  const jobsOf = async (ticketId: number) => {
    const { rows } = await db.query<{ id: string; retry_count: number; heartbeat_on: Date | null }>(
      'SELECT id, retry_count, heartbeat_on FROM pgboss.job WHERE group_id = $1',
      [String(ticketId)],
    );
    return rows;
  };
  const [job] = await jobsOf(mine);
  const held = { id: job?.id ?? '', retryCount: job?.retry_count ?? 0 };
  assert.deepEqual(await touchJobs(db, [held]), new Set([held]), 'nobody holds it');
  await db.query("UPDATE pgboss.job SET state = 'active'");
  const givenOutAgain = { ...held, retryCount: held.retryCount + 1 };
  assert.deepEqual(await touchJobs(db, [held, givenOutAgain]), new Set([givenOutAgain]));
  assert.notEqual((await jobsOf(mine))[0]?.heartbeat_on, null);
  assert.equal((await jobsOf(other))[0]?.heartbeat_on, null);

  await deleteJobsOfTicket(db, mine);
  assert.equal((await jobsOf(mine)).length, 0);
  assert.equal((await jobsOf(other)).length, 1);
  assert.equal(await hasJobs(db), true, 'the other one is held');
  await deleteJobsOfTicket(db, other);
  assert.equal(await hasJobs(db), false);
  const waits = { ticketId: other, lo: 0, hi: 199, dueAt: null, delayedBy: null, sources: ['shop'] };
  await insertWaitingJobs(db, [waits]);
  assert.equal(await hasJobs(db), true, 'one that waits');
});

test('the heartbeat does not wait for a job that a stalled transaction is ending', async () => {
  const { db, pool } = database;
  await db.query('DELETE FROM pgboss.job');
  const [stalled, other] = [
    await importTicket(pool, ['STALL00001']),
    await importTicket(pool, ['OTHER00002']),
  ];
  const { rows: jobs } = await db.query<HeldJob & { ticket: string }>(
    `UPDATE pgboss.job SET state = 'active', heartbeat_on = now() - interval '9 seconds'
     RETURNING id, retry_count AS "retryCount", group_id AS ticket`,
  );
  const lost = await holdLock(
    pool,
    ['SELECT FROM pgboss.job WHERE group_id = $1 FOR UPDATE', [String(stalled)]],
    () => Promise.race([touchJobs(db, jobs), delay(5000, 'it waited', { ref: false })]),
  );
  assert.deepEqual(lost, new Set());
  const { rows: fresh } = await db.query(
    "SELECT group_id FROM pgboss.job WHERE heartbeat_on > now() - interval '8 seconds'",
  );
  assert.deepEqual(fresh, [{ group_id: String(other) }]);
});
