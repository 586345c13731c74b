import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { steadyNow } from '#server/runtime/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { fetchReady, holder } from '#tests/support/lookups/jobs.ts';
import { importTicket } from '#tests/support/lookups/tickets.ts';
import { shortenWaits } from '../workers/clock.queries.ts';
import { renewPresence } from '../workers/workers.queries.ts';
import { giveBackJobs } from './end-jobs.queries.ts';
import {
  countQueue,
  deleteJobsOfTicket,
  listLostJobs,
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

/** Frees jobs as another worker does. */
const freeJobs = () => makeDueJobsReady.one(database.pool, { worker: randomUUID(), known: [] });
const countJobs = async (where: string) =>
  (await database.pool.query(`SELECT FROM lookup_jobs WHERE ${where}`)).rowCount;

test('a worker loses a job when it is fetched again or its ticket’s jobs are deleted', async () => {
  const { pool } = database;
  const tickets = [await importTicket(pool, ['MINE000001']), await importTicket(pool, ['OTHER00001'])];
  const [mine = assert.fail(), other = assert.fail()] = await fetchReady(pool, 2);
  const earlier = { id: other.id, holds: other.holds - 1 };
  assert.deepEqual(await listLostJobs.all(pool, { jobs: [mine, earlier] }), [earlier]);
  await deleteJobsOfTicket.run(pool, { ticketId: mine.ticketId });
  const lost = await listLostJobs.all(pool, { jobs: [mine, other] });
  assert.deepEqual(lost, [{ id: mine.id, holds: mine.holds }]);
  for (const ticket of tickets) await deleteJobsOfTicket.run(pool, { ticketId: ticket });
});

test('no worker waits for a job that a stalled transaction is ending', async () => {
  const { pool } = database;
  await importTicket(pool, ['STALL00001']);
  await importTicket(pool, ['OTHER00002']);
  const jobs = await fetchReady(pool, 2);
  const listAndFree = async () => {
    const lost = await listLostJobs.all(pool, { jobs });
    await freeJobs();
    return lost;
  };
  const lost = await holdLock(pool, ['SELECT FROM lookup_jobs WHERE id = $1 FOR UPDATE', [jobs[0]?.id]], () =>
    Promise.race([listAndFree(), delay(5000, 'it waited', { ref: false })]),
  );
  assert.deepEqual(lost, []);
  assert.equal(await countJobs('holder IS NULL'), 1);
});

test('a job is free again when its worker has been gone for 5 s, and the gone worker has lost it and cannot give it back', async () => {
  const { pool } = database;
  await importTicket(pool, ['DEAD000001']);
  const [job = assert.fail()] = await fetchReady(pool);
  await renewPresence(pool, holder);
  const countFree = async (goneAt: string) => {
    await pool.query(`UPDATE workers SET gone_at = ${goneAt} WHERE id = $1`, [holder]);
    await freeJobs();
    return countJobs('holder IS NULL');
  };
  assert.equal(await countFree('NULL'), 0);
  assert.equal(await countFree("now() - interval '4 seconds'"), 0);
  assert.equal(await countFree("now() - interval '6 seconds'"), 1);
  assert.equal((await listLostJobs.all(pool, { jobs: [job] })).length, 1);
  const [again = assert.fail()] = await fetchReady(pool);
  assert.deepEqual([again.id, again.holds], [job.id, job.holds + 1]);
  await giveBackJobs(pool, [{ ...job, dueAt: null, delayedBy: null, sources: ['shop'] }]);
  assert.equal(await countJobs('holder IS NOT NULL'), 1);
  await pool.query('DELETE FROM workers WHERE id = $1', [holder]);
  await freeJobs();
  assert.equal(await countJobs('holder IS NULL'), 1, 'a job of a deleted worker');
});

test('a worker gives back what it holds without knowing, and keeps the rest although it counts as gone', async () => {
  const { pool } = database;
  await importTicket(pool, ['KNOWN00001']);
  await importTicket(pool, ['KNOWN00002']);
  const [known = assert.fail(), unknown = assert.fail()] = await fetchReady(pool, 2);
  await makeDueJobsReady.one(pool, { worker: holder, known: [known.id] });
  assert.deepEqual(
    (await listLostJobs.all(pool, { jobs: [known, unknown] })).map(({ id }) => id),
    [unknown.id],
  );
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
  await measure("due_at = now() - interval '1 second'", freeJobs);
  await measure('holder = gen_random_uuid()', freeJobs);
  await measure("sources = '{gone}'", () => makeParkedJobsReady.run(pool));
  assert.ok(
    ages.every((age) => age < 60),
    `${ages} s`,
  );
});
