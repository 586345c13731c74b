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

/** Counts rows by state, and reads the counts of their ticket. */
async function countRows(id: number) {
  const { rows } = await database.pool.query<{ rows: number; done: number; finished: number }>(
    `SELECT count(*) AS rows, count(*) FILTER (WHERE state = 'done') AS done,
       (SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1) AS finished
     FROM serials WHERE ticket_id = $1`,
    [id],
  );
  return rows[0];
}

/** Lists the devices whose register entry differs from the results, or that one of the two lacks. */
async function listRegisterFaults(): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `WITH results AS (
       SELECT t.company_code, s.serial COLLATE "C" AS serial, min(s.fetched_at) AS first_seen,
         max(s.fetched_at) AS last_checked, array_agg(t.ticket_number ORDER BY t.ticket_number) AS tickets,
         (array_agg((s.type, s.warranty_title, s.coverage_end_date)::text ORDER BY s.fetched_at DESC))[1] AS answer
       FROM tickets t JOIN serials s ON s.ticket_id = t.id WHERE s.state = 'done' GROUP BY 1, 2),
     registered AS (
       SELECT company_code, serial, first_seen, last_checked,
         (SELECT array_agg(n ORDER BY n) FROM unnest(tickets) AS n) AS tickets,
         (type, warranty_title, coverage_end_date)::text AS answer
       FROM devices)
     (TABLE results EXCEPT TABLE registered) UNION ALL (TABLE registered EXCEPT TABLE results)`,
  );
  return rows;
}

/** Waits for more rows to be done, unless all rows are done. */
async function waitForProgress(id: number): Promise<void> {
  const before = (await readTicket(database.pool, id))?.done ?? 0;
  await waitFor('more rows to be done', async () => {
    const ticket = await readTicket(database.pool, id);
    return ticket !== undefined && (ticket.done > before || ticket.status === 'Completed');
  });
}

test('no row is lost or written twice when a worker is killed repeatedly', async () => {
  const kills = 4;
  const count = 6000;
  const serials = makeSerials('KILL', count);
  const id = await importTicket(database.pool, serials);
  for (let round = 0; round < kills; round++) {
    const worker = await workers.start();
    await waitForProgress(id);
    // At a different time between two writes in each round.
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

  await waitUntilCompleted(database.pool, await importTicket(database.pool, serials.slice(0, 500)));
  await waitFor('the register to have every result', async () => {
    const { rows } = await database.pool.query('SELECT FROM unregistered_results');
    return rows.length === 0;
  });
  assert.deepEqual(await listRegisterFaults(), []);
});

test('a stopped worker returns its rows at once, and each row is asked about once', async () => {
  const serials = makeSerials('STOP', 3000);
  await workers.close();
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream)]);
  const first = await workers.start();
  const id = await importTicket(database.pool, serials);
  await waitUntilDone(database.pool, id, 1);
  await workers.start();
  await first.drain();
  const { rows } = await database.pool.query('SELECT FROM lookup_jobs WHERE holder IS NULL AND holds > 1');
  assert.equal(rows.length, 0);
  await waitUntilCompleted(database.pool, id);
  const { calls } = await upstream.report();
  assert.deepEqual(
    serials.filter((serial) => calls[serial] !== 1),
    [],
  );
});

test('no row is lost when all connections to the database break repeatedly', async () => {
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
  // The process survived, so it wrote every answer.
  assert.deepEqual(
    serials.filter((serial) => calls[serial] !== 1),
    [],
  );
});
