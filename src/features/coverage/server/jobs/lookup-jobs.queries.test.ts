import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { steadyNow } from '#server/steady-clock.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { importTicket } from '#tests/support/tickets.ts';
import { insertFollowUpJob, releaseJobs, waitForSources } from './follow-up-jobs.queries.ts';
import { insertPendingBlocks } from './lookup-jobs.queries.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());

test('jobs that wait for nothing are due by any clock, also by one that is set back', async () => {
  const { db } = database;
  const ticketId = await importTicket(database.pool, ['CLOCK00001']);
  await insertPendingBlocks(db, ticketId);
  const job = { ticketId, lo: 0, hi: 199 };
  await insertFollowUpJob(db, job, { at: steadyNow(), waitsFor: null });
  await insertFollowUpJob(db, job, { at: steadyNow() + 60_000, waitsFor: waitForSources(['released']) });
  await releaseJobs(db, 'released');
  // Times are not always whole.
  await insertFollowUpJob(db, job, { at: steadyNow() + 60_000.25, waitsFor: waitForSources(['other']) });

  const { rows } = await db.query(
    `SELECT singleton_key AS "waitsFor", start_after < now() - interval '10 years' AS due FROM pgboss.job
     WHERE group_id = $1 ORDER BY singleton_key NULLS FIRST`,
    [String(ticketId)],
  );
  assert.deepEqual(rows, [
    ...Array.from({ length: 4 }, () => ({ waitsFor: null, due: true })),
    { waitsFor: 'source:other', due: false },
  ]);
});
