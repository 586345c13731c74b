import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { steadyNow } from '#server/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { importTicket } from '#tests/support/tickets.ts';
import {
  fetchJobsForLimit,
  fetchWaitingJob,
  insertFollowUpJob,
  releaseStrandedJobs,
  waitForLimits,
} from './follow-up-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('jobs that wait for a limit are fetched by who asks for its source, in the queue’s order, others first', async () => {
  const { db, pool } = database;
  await db.query("INSERT INTO sources (name, key) VALUES ('first', '1'), ('second', '2')");
  const [held = 0, other = 0] = [
    await importTicket(pool, ['HELD000001']),
    await importTicket(pool, ['OTHER00001']),
  ];
  const waitsFor = waitForLimits(['first', 'second']);
  const at = steadyNow() + 3_600_000;
  for (const [ticketId, lo] of [
    [held, 400],
    [held, 200],
    [other, 600],
  ] as const) {
    await insertFollowUpJob(db, { ticketId, lo, hi: lo + 199 }, { at, waitsFor });
  }
  const fetch = async (source: string, count: number, withoutTickets: string[] = []) => {
    const jobs = await fetchJobsForLimit(db, source, { count, withoutTickets });
    return jobs.map(({ data }) => data.lo);
  };
  assert.deepEqual(await fetch('third', 9), []);
  assert.deepEqual(await fetch('second', 9, [String(held)]), [600]);
  assert.deepEqual(await fetch('first', 1), [200]);
  // Nobody but a probe of such a source has them otherwise, as long as the source is configured.
  await releaseStrandedJobs(db, ['first', 'second']);
  const blocked =
    "SELECT count(*) AS jobs FROM pgboss.job WHERE blocked AND singleton_key = 'limit:first,second'";
  assert.deepEqual((await db.query(blocked)).rows, [{ jobs: 1 }]);
  assert.equal((await fetchWaitingJob(db, 'first'))?.data.lo, 400);
  await insertFollowUpJob(db, { ticketId: held, lo: 400, hi: 599 }, { at, waitsFor });
  await releaseStrandedJobs(db, []);
  assert.deepEqual((await db.query(blocked)).rows, [{ jobs: 0 }]);
});
