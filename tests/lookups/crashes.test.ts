import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream)]);
  await upstream.setLatency(20);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

/** Rows as they are, counted as the ticket counts. */
async function countRows(id: number) {
  const { rows } = await database.pool.query<{ rows: number; done: number; finished: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE state = 'done') AS done,
       (SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1) AS finished
     FROM serials WHERE ticket_id = $1`,
    [id],
  );
  return rows[0];
}

/** Waits for more rows to be done; there are none left where the workers were quicker than the test could look. */
async function waitForProgress(id: number): Promise<void> {
  const before = (await readTicket(database.pool, id))?.done ?? 0;
  await waitFor('more rows to be done', async () => {
    const ticket = await readTicket(database.pool, id);
    return ticket !== undefined && (ticket.done > before || ticket.status === 'Completed');
  });
}

test('a worker that is killed again and again loses no row and writes none twice', async () => {
  const kills = 4;
  const count = 6000;
  const serials = makeSerials('KILL', count);
  const id = await importTicket(database.pool, serials);
  for (let round = 0; round < kills; round++) {
    const worker = await workers.start();
    await waitForProgress(id);
    // Anywhere between two writes, another place each time.
    await delay(37 * round);
    await worker.kill();
  }
  await workers.start();
  const ticket = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([ticket.done, ticket.failed], [count, 0]);
  assert.deepEqual(await countRows(id), { rows: count, done: count, finished: count });
  const { calls } = await upstream.report();
  const most = Math.max(...serials.map((serial) => calls[serial] ?? 0));
  assert.ok(most <= 1 + kills, `${most} calls`);
});

test('a worker that is stopped gives its rows back at once, each asked only once', async () => {
  const serials = makeSerials('STOP', 3000);
  await workers.close();
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream)]);
  const first = await workers.start();
  const id = await importTicket(database.pool, serials);
  await waitUntilDone(database.pool, id, 1);
  await workers.start();
  await first.drain();
  const { rows } = await database.pool.query(
    "SELECT FROM pgboss.job WHERE name = 'lookups' AND state = 'retry'",
  );
  assert.equal(rows.length, 0);
  await waitUntilCompleted(database.pool, id);
  const { calls } = await upstream.report();
  assert.deepEqual(
    serials.filter((serial) => calls[serial] !== 1),
    [],
  );
});

test('losing every connection to the database again and again loses no row', async () => {
  const serials = makeSerials('LOSE', 3000);
  const id = await importTicket(database.pool, serials);
  for (let round = 0; round < 5; round++) {
    await waitForProgress(id);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }
  await waitUntilCompleted(database.pool, id);
  assert.deepEqual(await countRows(id), { rows: 3000, done: 3000, finished: 3000 });
  const { calls } = await upstream.report();
  // The process lived on: what it had asked about it also wrote.
  assert.deepEqual(
    serials.filter((serial) => calls[serial] !== 1),
    [],
  );
});
