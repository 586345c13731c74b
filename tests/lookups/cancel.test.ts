import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  cancelTicket,
  deleteTicket,
  retryTicket,
} from '#features/tickets/server/editing/ticket-edits.service.ts';
import { createLog } from '#server/runtime/log.ts';
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
  await upstream.setLatency(50);
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { limits: { concurrency: 40 } })]);
  await workers.start();
  await workers.start();
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

async function startTicket(prefix: string): Promise<{ id: number; serials: string[] }> {
  const serials = makeSerials(prefix, 2000);
  const id = await importTicket(database.pool, serials);
  await waitUntilDone(database.pool, id, 201);
  return { id, serials };
}

/** Waits until no more calls are made. Returns their number. */
function untilQuiet(): Promise<number> {
  return waitFor('the calls to end', async () => {
    const before = (await upstream.report()).starts.length;
    await delay(500);
    return (await upstream.report()).starts.length === before && before;
  });
}

const jobsOf = async (id: number) =>
  (await database.pool.query('SELECT FROM lookup_jobs WHERE ticket_id = $1', [id])).rowCount;

test('cancelling ends the calls of every worker and keeps finished rows, and a retry finishes the rest', async () => {
  const { id, serials } = await startTicket('CANCEL');
  const cancelled = await cancelTicket(database.db, null, id);
  const calls = await untilQuiet();
  assert.ok(calls < serials.length);
  const ticket = await readTicket(database.pool, id);
  assert.deepEqual([ticket?.status, ticket?.done, ticket?.waiting_for], ['Cancelled', cancelled.done, null]);
  const { rows } = await database.pool.query(
    "SELECT serial FROM serials WHERE ticket_id = $1 AND state = 'done'",
    [id],
  );
  assert.equal(rows.length, ticket?.done);
  assert.equal(await jobsOf(id), 0);

  await retryTicket(database.db, null, id);
  await waitUntilCompleted(database.pool, id);
  assert.equal((await readTicket(database.pool, id))?.done, serials.length);
  const report = await upstream.report();
  // Only the serials of calls in flight at the cancellation are asked about again.
  assert.ok(rows.every(({ serial }) => report.calls[serial] === 1));
  assert.ok(serials.every((serial) => (report.calls[serial] ?? 0) <= 2));
});

test('after a cancel and a retry at once, no row is asked about by two workers at the same time', async () => {
  const { id, serials } = await startTicket('AGAIN');
  await cancelTicket(database.db, null, id);
  await retryTicket(database.db, null, id);
  // Serials with unwritten answers are asked about again. Their number depends on the machine.
  const { calls: askedBefore } = await upstream.report();
  await waitUntilCompleted(database.pool, id);
  const ticket = await readTicket(database.pool, id);
  assert.deepEqual([ticket?.done, ticket?.failed], [serials.length, 0]);
  const { calls } = await upstream.report();
  const again = serials.filter((serial) => (calls[serial] ?? 0) > 1 && !askedBefore[serial]);
  // A worker goes on asking until it knows of the cancellation. Two workers at once would ask about most serials twice.
  assert.ok(
    again.length <= serials.length / 4,
    `${again.length} serials were asked about twice after the retry`,
  );
  assert.ok(serials.every((serial) => (calls[serial] ?? 0) <= 2));
});

test('deleting a ticket while it runs leaves nothing behind', async () => {
  const { id } = await startTicket('DELETE');
  await deleteTicket({ db: database.db, log: createLog('test', 'silent') }, null, id);
  await untilQuiet();
  for (const table of ['serials', 'ticket_minutes']) {
    const { rowCount } = await database.pool.query(`SELECT FROM ${table} WHERE ticket_id = $1`, [id]);
    assert.equal(rowCount, 0, table);
  }
  assert.equal(await readTicket(database.pool, id), undefined);
  assert.equal(await jobsOf(id), 0);
});
