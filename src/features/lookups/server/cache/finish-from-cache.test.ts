import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { PgBoss } from 'pg-boss';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { raceForLock } from '#tests/support/race.ts';
import { importTicket, readTicket } from '#tests/support/tickets.ts';
import { type LookupJob, lookupQueue } from '../jobs/lookup-jobs.queries.ts';
import { openQueue } from '../jobs/open-queue.ts';
import { finishFromCache } from './finish-from-cache.ts';

let database: TestDatabase;
let queue: PgBoss;
before(async () => {
  database = await createTestDatabase();
  queue = await openQueue(database.pool, createLog('test', 'silent'));
});
after(async () => {
  await queue.stop({ graceful: false, close: false });
  await database.close();
});
beforeEach(() =>
  database.pool.query("TRUNCATE coverage_cache; DELETE FROM pgboss.job WHERE name = 'lookups'"),
);

const query = async (sql: string, ...values: unknown[]) => (await database.pool.query(sql, values)).rows;
const answers = {
  sources: [
    { name: 'first', key: 'first-1' },
    { name: 'second', key: 'second-1' },
  ],
  ...{ hours: 24, kinds: ['serial' as const, 'imei' as const] },
};

/** Caches what a source has said about serials, so many hours ago. */
const cache = (key: string, type: string, serials: string[], hours = 1, company = 'ACM001') =>
  query(
    `INSERT INTO coverage_cache (company_code, source_key, serial, fetched_at, egress, type, activation_status,
                                 coverage_end_date)
     SELECT $5, $1, unnest($2::text[]), now() - $3 * interval '1 hour', 'proxies', $4, 'activated', '2027-01-05'`,
    ...[key, serials, hours, type, company],
  );
const fetchJobs = () => queue.fetch<LookupJob>(lookupQueue, { batchSize: 25 });
const finish = (jobs: Awaited<ReturnType<typeof fetchJobs>>) =>
  finishFromCache({ pool: database.pool, queue }, jobs, answers);
const countJobs = async () => (await query("SELECT FROM pgboss.job WHERE state = 'active'")).length;

test('rows that the cache answers are finished with what it says, counted, and their jobs are ended', async () => {
  const serials = Array.from({ length: 450 }, (_, n) => `WHOLE${n}`);
  await cache('first-1', 'Phone', serials);
  const id = await importTicket(database.pool, serials);
  const { finished, left } = await finish(await fetchJobs());
  assert.deepEqual([finished, left.length, await countJobs()], [450, 0, 0]);
  const { status, done, activated } = (await readTicket(database.pool, id)) ?? {};
  assert.deepEqual([status, done, activated], ['Completed', 450, 450]);
  assert.deepEqual(await query('SELECT month, devices FROM ticket_end_months WHERE ticket_id = $1', id), [
    { month: '2027-01-01', devices: 450 },
  ]);
  assert.deepEqual(await query('SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1', id), [
    { sum: 450 },
  ]);
  const [row] = await query(
    `SELECT state, reason, details, type, activation_status, coverage_end_date, source, attempts, egress, cached,
            fetched_at < now() - interval '50 minutes' AS as_then FROM serials WHERE ticket_id = $1 AND position = 7`,
    id,
  );
  assert.deepEqual(row, {
    ...{ state: 'done', reason: null, details: null, type: 'Phone', activation_status: 'activated' },
    ...{ coverage_end_date: '2027-01-05', source: 'first', attempts: 0, egress: 'proxies', cached: true },
    as_then: true,
  });
});

test('of several sources the one that is asked first counts; what is too old, of another kind or company, or asked about already is left', async () => {
  await cache('second-1', 'of the second', ['BOTH', 'SECOND', 'ASKED', 'MEID']);
  await cache('first-1', 'of the first', ['BOTH']);
  await cache('first-1', 'old', ['OLD'], 25);
  await cache('other-1', 'of another', ['ELSEWHERE']);
  await cache('first-1', 'of another company', ['FOREIGN'], 1, 'ACM002');
  const serials = ['BOTH', 'SECOND', 'ASKED', 'MEID', 'OLD', 'ELSEWHERE', 'FOREIGN'];
  const id = await importTicket(database.pool, serials, (serial) => (serial === 'MEID' ? 'meid' : 'serial'));
  await query("UPDATE serials SET lookup = '{}' WHERE serial = 'ASKED'");
  const jobs = await fetchJobs();
  const { finished, left } = await finish(jobs);
  assert.deepEqual([finished, left.map(({ job, rows }) => [job.id, rows])], [2, [[jobs[0]?.id, 5]]]);
  assert.equal(await countJobs(), 1, 'the job goes on with what is left');
  assert.deepEqual(
    await query(
      'SELECT serial, source, type FROM serials WHERE ticket_id = $1 AND cached ORDER BY position',
      id,
    ),
    [
      { serial: 'BOTH', source: 'first', type: 'of the first' },
      { serial: 'SECOND', source: 'second', type: 'of the second' },
    ],
  );
  assert.equal((await readTicket(database.pool, id))?.status, 'Processing');
});

test('nothing of the cache is written to a ticket that is cancelled just before, nor twice to a row', async () => {
  await cache('first-1', 'Phone', ['A', 'B']);
  const id = await importTicket(database.pool, ['A', 'B']);
  const jobs = await fetchJobs();
  await query(
    "UPDATE serials SET state = 'failed', reason = 'Not found' WHERE serial = 'A' AND ticket_id = $1",
    id,
  );
  const cancel = "UPDATE tickets SET status = 'Cancelled' WHERE id = $1";
  const [result] = await raceForLock(database.pool, [cancel, [id]], [() => finish(jobs)]);
  assert.deepEqual(result, { finished: 0, left: [] });
  assert.deepEqual(
    (await query('SELECT state FROM serials WHERE ticket_id = $1 ORDER BY position', id)).map(
      ({ state }) => state,
    ),
    ['failed', 'pending'],
  );
  await query("UPDATE tickets SET status = 'Processing', failed = 1 WHERE id = $1", id);
  assert.equal((await finish(jobs)).finished, 1);
  const { status, done, failed } = (await readTicket(database.pool, id)) ?? {};
  assert.deepEqual([status, done, failed], ['Completed', 1, 1]);
});

test('rows that are changed while the ticket is waited for are left, unless they are finished; their job goes on', async () => {
  await cache('first-1', 'Phone', ['FINISHED', 'CHANGED', 'SAME']);
  const id = await importTicket(database.pool, ['FINISHED', 'CHANGED', 'SAME']);
  const jobs = await fetchJobs();
  const change = `WITH ticket AS (UPDATE tickets SET status = 'Processing', failed = 1 WHERE id = $1)
    UPDATE serials SET attempts = 1, state = CASE serial WHEN 'FINISHED' THEN 'failed' ELSE 'pending' END::serial_state
    WHERE ticket_id = $1 AND serial <> 'SAME'`;
  const [result] = await raceForLock(database.pool, [change, [id]], [() => finish(jobs)]);
  assert.equal(result?.finished, 1);
  const states = () =>
    query(
      'SELECT serial, state FROM serials WHERE ticket_id = $1 AND state <> $2 ORDER BY serial',
      id,
      'done',
    );
  assert.deepEqual(await states(), [
    { serial: 'CHANGED', state: 'pending' },
    { serial: 'FINISHED', state: 'failed' },
  ]);
  assert.equal(await countJobs(), 1);
  assert.equal((await finish(jobs)).finished, 1);
  assert.deepEqual(await states(), [{ serial: 'FINISHED', state: 'failed' }]);
  const { status, done, failed } = (await readTicket(database.pool, id)) ?? {};
  assert.deepEqual([status, done, failed, await countJobs()], ['Completed', 2, 1, 0]);
});

test('a ticket that another holds for long is not waited for', { timeout: 60_000 }, async () => {
  await cache('first-1', 'Phone', ['A']);
  const id = await importTicket(database.pool, ['A']);
  const jobs = await fetchJobs();
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM tickets WHERE id = $1 FOR UPDATE', [id]);
    await assert.rejects(finish(jobs), { code: '55P03' });
  } finally {
    holder.release(true);
  }
});
