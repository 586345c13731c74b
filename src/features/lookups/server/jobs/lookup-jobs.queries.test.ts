import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { fetchReady } from '#tests/support/lookups/jobs.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { shortenWaits } from '../workers/clock.queries.ts';
import { giveBackJobs } from './end-jobs.queries.ts';
import {
  countQueue,
  deleteJobsOfTicket,
  extendJobs,
  makeDueJobsReady,
  makeParkedJobsReady,
} from './lookup-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.pool.query('DELETE FROM lookup_jobs');
});
after(() => database.close());

const countJobs = async (where: string) =>
  (await database.pool.query(`SELECT FROM lookup_jobs WHERE ${where}`)).rowCount;

test('a worker keeps its jobs by extending them until they are fetched again or their ticket’s jobs are deleted', async () => {
  const { pool } = database;
  const tickets = [await importTicket(pool, ['MINE000001']), await importTicket(pool, ['OTHER00001'])];
  const [mine = assert.fail(), other = assert.fail()] = await fetchReady(pool, 2);
  await pool.query("UPDATE lookup_jobs SET held_until = now() + interval '1 second'");
  const earlier = { ...other, holds: other.holds - 1 };
  assert.deepEqual(await extendJobs(pool, [mine, earlier]), new Set([earlier]));
  assert.equal(await countJobs("held_until > now() + interval '8 seconds'"), 1);
  await deleteJobsOfTicket.run(pool, { ticketId: mine.ticketId });
  assert.deepEqual(await extendJobs(pool, [mine, other]), new Set([mine]));
  for (const ticket of tickets) await deleteJobsOfTicket.run(pool, { ticketId: ticket });
});

test('extending does not wait for a job that a stalled transaction is ending', async () => {
  const { pool } = database;
  await importTicket(pool, ['STALL00001']);
  await importTicket(pool, ['OTHER00002']);
  const jobs = await fetchReady(pool, 2);
  await pool.query("UPDATE lookup_jobs SET held_until = now() + interval '1 second'");
  const lost = await holdLock(pool, ['SELECT FROM lookup_jobs WHERE id = $1 FOR UPDATE', [jobs[0]?.id]], () =>
    Promise.race([extendJobs(pool, jobs), delay(5000, 'it waited', { ref: false })]),
  );
  assert.deepEqual(lost, new Set());
  assert.equal(await countJobs("held_until > now() + interval '5 seconds'"), 1);
});

test('a job is free again when its worker is gone, and the gone worker can neither extend it nor give it back', async () => {
  const { pool } = database;
  await importTicket(pool, ['DEAD000001']);
  const [job = assert.fail()] = await fetchReady(pool);
  await makeDueJobsReady.one(pool, { freesUntil: null });
  assert.equal(await countJobs('held_until IS NULL'), 0);
  await pool.query("UPDATE lookup_jobs SET held_until = now() - interval '1 second'");
  await makeDueJobsReady.one(pool, { freesUntil: null });
  assert.deepEqual(await extendJobs(pool, [job]), new Set([job]));
  const [again = assert.fail()] = await fetchReady(pool);
  assert.deepEqual([again.id, again.holds], [job.id, job.holds + 1]);
  await giveBackJobs(pool, [{ ...job, dueAt: null, delayedBy: null, sources: ['shop'] }]);
  assert.equal(await countJobs('held_until IS NOT NULL'), 1);
});

test('after the database’s clock was set back, jobs that were given back later are ready', async () => {
  const { pool } = database;
  await importTicket(pool, ['CLOCK00001']);
  await importTicket(pool, ['CLOCK00002']);
  const [before = assert.fail(), later = assert.fail()] = await fetchReady(pool, 2);
  const waiting = { dueAt: steadyNow() + 2000, delayedBy: 'first', sources: [] };
  await giveBackJobs(pool, [
    { ...before, ...waiting },
    { ...later, ...waiting },
  ]);
  // The same as setting the clock back by an hour.
  await pool.query("UPDATE lookup_jobs SET due_at = due_at + interval '1 hour'");
  await pool.query("UPDATE lookup_jobs SET queued_at = queued_at + interval '1 hour' WHERE id = $1", [
    later.id,
  ]);
  await shortenWaits.run(pool);
  assert.equal(await countJobs('due_at IS NULL AND queued_at <= now()'), 1);
  assert.deepEqual(
    (await fetchReady(pool, 2)).map(({ id }) => id),
    [later.id],
  );
});

test('a job that waits for a source is ready after the next start of a worker', async () => {
  const { pool } = database;
  await importTicket(pool, ['WAITS00001']);
  await importTicket(pool, ['LATER00001']);
  const [waits = assert.fail(), later = assert.fail()] = await fetchReady(pool, 2);
  await giveBackJobs(pool, [
    { ...waits, dueAt: null, delayedBy: null, sources: ['gone'] },
    { ...later, dueAt: steadyNow() + 60_000, delayedBy: null, sources: [] },
  ]);
  assert.deepEqual(await fetchReady(pool, 2), []);
  await makeParkedJobsReady.run(pool);
  assert.deepEqual(
    (await fetchReady(pool, 2)).map(({ id }) => id),
    [waits.id],
  );
});

test('a job counts as ready only since it is ready: when its time has come, its worker is gone, or a worker starts', async () => {
  const { pool } = database;
  const ages: number[] = [];
  const measure = async (before: string, free: () => Promise<unknown>) => {
    await pool.query(`UPDATE lookup_jobs SET queued_at = now() - interval '1 hour', ${before}`);
    await free();
    const { ready, oldest_seconds: age } = await countQueue.one(pool);
    assert.equal(ready, 1);
    ages.push(age);
  };
  await importTicket(pool, ['SINCE00001']);
  await measure("due_at = now() - interval '1 second'", () =>
    makeDueJobsReady.one(pool, { freesUntil: null }),
  );
  await measure("held_until = now() - interval '1 second'", () =>
    makeDueJobsReady.one(pool, { freesUntil: null }),
  );
  await measure("sources = '{gone}'", () => makeParkedJobsReady.run(pool));
  assert.ok(
    ages.every((age) => age < 60),
    `${ages} s`,
  );
});
