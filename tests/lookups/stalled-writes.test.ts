import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock } from '#tests/support/database/race.ts';
import { importTicket, makeSerials, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

const rows = 3000;
/** Longer than the time after which the jobs of a silent worker are freed (10 s). */
const stallMs = 16_000;

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream)]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

test('workers keep the jobs of a ticket that cannot be written, and no serial is asked about twice', async () => {
  const { pool } = database;
  await Promise.all([workers.start({ LOG_LEVEL: 'silent' }), workers.start({ LOG_LEVEL: 'silent' })]);
  const serials = makeSerials('STALL', rows);
  const id = await importTicket(pool, serials);
  await holdLock(pool, ['SELECT FROM tickets WHERE id = $1 FOR NO KEY UPDATE', [id]], async (letGo) => {
    const countCalls = async () => Object.keys((await upstream.report()).calls).length;
    await waitFor('every serial to be asked', async () => (await countCalls()) === rows);
    await delay(stallMs);
    await letGo();
  });
  await waitUntilCompleted(pool, id);
  const { calls } = await upstream.report();
  const repeated = serials.filter((serial) => calls[serial] !== 1);
  assert.deepEqual(repeated.slice(0, 5), [], `${repeated.length} serials were not asked exactly once`);
  const { rows: counts } = await pool.query(
    `SELECT (SELECT count(*) FROM serials WHERE ticket_id = $1 AND state = 'done') AS done,
            (SELECT done FROM tickets WHERE id = $1) AS counted,
            (SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1) AS finished`,
    [id],
  );
  assert.deepEqual(counts[0], { done: rows, counted: rows, finished: rows });
});
