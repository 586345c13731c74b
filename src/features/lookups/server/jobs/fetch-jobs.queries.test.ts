import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { inTransaction } from '#server/db/db.ts';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import {
  createOldDatabase,
  createTestDatabase,
  type TestDatabase,
} from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { addBlocks, holder } from '#tests/support/lookups/jobs.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { waitFor } from '#tests/support/wait.ts';
import { type FollowUp, giveBackJobs } from './end-jobs.queries.ts';
import { fetchJobs, fetchJobToProbe, type JobRequest } from './fetch-jobs.queries.ts';
import { deleteJobsOfTicket, makeDueJobsReady } from './lookup-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
  await syncSources(
    database.db,
    ['first', 'second'].map((name) => ({ name, key: name })),
  );
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE tickets, serials, lookup_jobs CASCADE');
  await database.pool.query("UPDATE sources SET state = 'up', paused = false");
});
after(() => database.close());

const nothing = {
  worker: holder,
  most: 200,
  wanted: [],
  rows: new Map(),
  atMaximum: [],
  enough: Number.POSITIVE_INFINITY,
  tickets: [],
  uploadsOnly: false,
};
const fetch = (count: number, request: Partial<JobRequest> = {}) =>
  fetchJobs(database.pool, { ...nothing, count, ...request });
const neverDue: FollowUp = { dueAt: null, delayedBy: null, sources: [] };

/** Creates a ticket with this number of blocks. */
async function addTicket(companyCode: string, blocks: number): Promise<number> {
  const { pool } = database;
  const ticketId = await importTicket(pool, [`${companyCode}1`], () => 'serial', companyCode);
  await deleteJobsOfTicket.run(pool, { ticketId });
  await addBlocks(pool, ticketId, blocks);
  return ticketId;
}

/** Gives every job back that is ready now, each with the next of these waits. */
async function addWaiting(...followUps: Partial<FollowUp>[]): Promise<void> {
  const jobs = await fetch(followUps.length);
  const byBlock = jobs.sort((a, b) => a.lo - b.lo);
  await giveBackJobs(
    database.pool,
    byBlock.map((job, n) => ({ ...job, ...neverDue, ...followUps[n] })),
  );
}

const blocksOf = (jobs: { lo: number }[]) => jobs.map(({ lo }) => lo / 200).sort();
const countOf = (jobs: { companyCode: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(jobs, (job) => job.companyCode)].map(([code, own]) => [code, own.length]),
  );

test('companies take turns, whatever the number and size of their tickets', async () => {
  for (let n = 0; n < 30; n++) await addTicket('ONE001', 1);
  await addTicket('TWO001', 40);
  await addTicket('THREE1', 2);
  assert.deepEqual(countOf(await fetch(8)), { ONE001: 3, TWO001: 3, THREE1: 2 });
  // A company of which the worker holds rows has its turn later.
  assert.deepEqual(countOf(await fetch(4, { rows: new Map([['ONE001', 400]]) })), { ONE001: 1, TWO001: 3 });
  assert.deepEqual(countOf(await fetch(4, { atMaximum: ['TWO001'] })), { ONE001: 4 });
});

test('companies that wait for a source that is paused do not make a fetch smaller', async () => {
  for (let n = 0; n < 50; n++) {
    await addTicket(`WAIT${n}`, 1);
    await addWaiting({ sources: ['second'] });
  }
  await database.pool.query("UPDATE sources SET paused = true WHERE name = 'second'");
  for (let n = 0; n < 30; n++) await addTicket('ONE001', 1);
  assert.deepEqual(countOf(await fetch(8, { wanted: ['first', 'second'] })), { ONE001: 8 });
});

test('within a company the lowest blocks come first, and of a company with enough rows only other tickets', async () => {
  const long = await addTicket('ACM001', 4);
  const short = await addTicket('ACM001', 1);
  const jobs = await fetch(3);
  assert.deepEqual(blocksOf(jobs), [0, 0, 1]);
  assert.deepEqual(new Set(jobs.map(({ ticketId }) => ticketId)), new Set([long, short]));
  assert.deepEqual(await fetch(3, { rows: new Map([['ACM001', 9]]), enough: 9, tickets: [long] }), []);
  assert.deepEqual(
    blocksOf(await fetch(3, { rows: new Map([['OTHER1', 9]]), enough: 999, tickets: [long] })),
    [2, 3],
  );
});

test('a company gets only as many jobs as it needs for enough rows, and one of another ticket beyond', async () => {
  const long = await addTicket('ACM001', 9);
  const other = await addTicket('ACM001', 9);
  await addTicket('TWO001', 1);
  assert.deepEqual(countOf(await fetch(9, { enough: 300 })), { ACM001: 2, TWO001: 1 });
  const held = { rows: new Map([['ACM001', 300]]), enough: 300 };
  const [job, ...more] = await fetch(9, { ...held, tickets: [long] });
  assert.deepEqual([job?.ticketId, more], [other, []]);
});

test('of a block with more rows than needed the others become another job', async () => {
  const { pool } = database;
  const serials = Array.from({ length: 12 }, (_, n) => `PART${n}`);
  const ticketId = await importTicket(pool, serials);
  await pool.query("UPDATE serials SET state = 'done' WHERE ticket_id = $1 AND position IN (2, 6)", [
    ticketId,
  ]);
  const ranges: number[][] = [];
  for (const most of [4, 4, 200]) for (const { lo, hi } of await fetch(9, { most })) ranges.push([lo, hi]);
  assert.deepEqual(ranges, [
    [1, 6],
    [7, 10],
    [11, 12],
  ]);
  assert.deepEqual(await fetch(9), []);
});

test('no job of a ticket that is being cancelled or deleted is fetched', async () => {
  const { pool } = database;
  const ticketId = await addTicket('ACM001', 1);
  await holdLock(pool, ['SELECT FROM tickets WHERE id = $1 FOR UPDATE', [ticketId]], async () => {
    assert.deepEqual(await fetch(9), []);
  });
  assert.equal((await fetch(9)).length, 1);
});

test('rechecks come behind the uploads of all companies', async () => {
  const recheck = await addTicket('ONE001', 2);
  await database.pool.query('UPDATE lookup_jobs SET is_recheck = true WHERE ticket_id = $1', [recheck]);
  await addTicket('TWO001', 2);
  assert.deepEqual(countOf(await fetch(2)), { TWO001: 2 });
  assert.deepEqual(await fetch(2, { uploadsOnly: true }), []);
  assert.deepEqual(countOf(await fetch(2)), { ONE001: 2 });
});

test('a job that waits for several sources is fetched when a worker may ask one of them', async () => {
  const { pool } = database;
  await addTicket('ACM001', 2);
  await addWaiting({ sources: ['first'] }, { sources: ['second', 'first'] });
  assert.deepEqual(await fetch(9), []);
  await pool.query("UPDATE sources SET paused = true WHERE name = 'first'");
  assert.deepEqual(await fetch(9, { wanted: ['first'] }), []);
  assert.deepEqual(blocksOf(await fetch(9, { wanted: ['first', 'second'] })), [1]);
  await pool.query("UPDATE sources SET paused = false WHERE name = 'first'");
  assert.deepEqual(blocksOf(await fetch(9, { wanted: ['first'] })), [0]);
});

test('a job with a delayed row is ready when that row is due, even if other rows wait for a source', async () => {
  await addTicket('ACM001', 3);
  const dueAt = steadyNow() + 63_000.25;
  const delayed = { dueAt, delayedBy: 'second' };
  await addWaiting({ ...delayed, sources: ['first'] }, delayed, { sources: ['first'] });
  assert.deepEqual(await fetch(9), []);
  await database.pool.query("UPDATE lookup_jobs SET due_at = due_at - interval '63 seconds'");
  await makeDueJobsReady.one(database.pool, { worker: holder, known: [] });
  assert.deepEqual(blocksOf(await fetch(9)), [0, 1]);
});

test('a job that waits for nothing is ready at once, also after the clock is set back', async () => {
  await addTicket('ACM001', 1);
  await addWaiting({ dueAt: steadyNow() });
  const { rows } = await database.pool.query('SELECT due_at, holder FROM lookup_jobs');
  assert.deepEqual(rows, [{ due_at: null, holder: null }]);
});

test('a job is held by one worker', async () => {
  const { pool } = database;
  await addTicket('ACM001', 1);
  await holdLock(pool, ['SELECT FROM lookup_jobs FOR UPDATE', []], async () => {
    assert.deepEqual(await fetch(9), [], 'another worker is about to fetch it');
  });
  assert.deepEqual(blocksOf((await Promise.all([fetch(9), fetch(9)])).flat()), [0]);
});

test('the job that has waited longest for a source is fetched for a probe, even if it is not due', async () => {
  await addTicket('ACM001', 2);
  await addWaiting({ sources: ['first'] }, { sources: ['second', 'first'] });
  const later = await addTicket('ACM001', 1);
  await addWaiting({ sources: ['second'] });
  const probe = async () => fetchJobToProbe.first(database.db, { worker: holder, source: 'second' });
  assert.deepEqual([(await probe())?.lo, (await probe())?.ticketId, await probe()], [200, later, undefined]);
});

test('deleting the jobs of a ticket includes a job that is being fetched', async () => {
  const { pool } = database;
  const ticketId = await addTicket('ACM001', 2);
  const other = await addTicket('TWO001', 1);
  const worker = await pool.connect();
  try {
    await worker.query('BEGIN');
    await fetchJobs(worker, { ...nothing, count: 1, atMaximum: ['TWO001'] });
    const deleted = inTransaction(pool, (tx) => deleteJobsOfTicket.run(tx, { ticketId }));
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
  const { rows } = await pool.query('SELECT ticket_id FROM lookup_jobs');
  assert.deepEqual(rows, [{ ticket_id: other }]);
});

test('the migration carries the jobs of running tickets over', async () => {
  const { pool, migrate, close } = await createOldDatabase(265);
  try {
    await pool.query("INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001')");
    const { rows: tickets } = await pool.query<{ id: number }>(
      `INSERT INTO tickets (ticket_number, company_code, data_count, total, price, current_dollar_price, imported_at, status, import_kind)
       VALUES (1, 'ACM001', 1000, 1000, 0.05, 16000, now(), 'Processing', 'recheck'),
              (2, 'ACM001', 1000, 1000, 0.05, 16000, now(), 'Cancelled', 'upload') RETURNING id`,
    );
    const [running, cancelled] = tickets.map(({ id }) => id);
    const insert = (ticket: number | undefined, lo: number, state: string) =>
      pool.query(
        `INSERT INTO pgboss.job (name, data, group_id, state)
         VALUES ('lookups', jsonb_build_object('ticketId', $1::bigint, 'lo', $2::integer, 'hi', $2::integer + 199), $1::text, $3)`,
        [ticket, lo, state],
      );
    await insert(running, 0, 'completed');
    await insert(running, 200, 'active');
    await insert(running, 400, 'created');
    await insert(cancelled, 0, 'created');
    await pool.query(
      `INSERT INTO waiting_jobs (ticket_id, lo, hi, due_at, delayed_by, sources)
       VALUES ($1, 600, 799, NULL, NULL, '{shop}'), ($1, 800, 999, now() + interval '1 hour', 'shop', '{}'),
              ($1, 1000, 1199, '-infinity', NULL, '{}')`,
      [running],
    );
    await migrate();
    const { rows } = await pool.query(
      `SELECT ticket_id, lo, hi - lo AS size, company_code, is_recheck, sources, due_at > now() AS later, holder
       FROM lookup_jobs ORDER BY lo`,
    );
    const job = {
      ticket_id: running,
      size: 199,
      company_code: 'ACM001',
      is_recheck: true,
      sources: [],
      later: null,
      holder: null,
    };
    assert.deepEqual(rows, [
      { ...job, lo: 200 },
      { ...job, lo: 400 },
      { ...job, lo: 600, sources: ['shop'] },
      { ...job, lo: 800, later: true },
      { ...job, lo: 1000 },
    ]);
    const { rows: left } = await pool.query(
      "SELECT to_regnamespace('pgboss') AS schema, to_regclass('waiting_jobs') AS waiting",
    );
    assert.deepEqual(left, [{ schema: null, waiting: null }]);
  } finally {
    await close();
  }
});
