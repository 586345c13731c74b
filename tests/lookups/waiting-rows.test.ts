import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
  waitUntilWaiting,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let upstream: Upstream;
before(async () => {
  upstream = await startUpstream();
});
after(() => upstream.close());
const groups: WorkerProcesses[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await Promise.all(groups.splice(0).map((workers) => workers.close()));
  await database.close();
});

const imeis = upstreamEntry({ url: '' }, { name: 'imeis', accepts: ['imei'], limits: { concurrency: 1 } });
const serials = upstreamEntry({ url: '' }, { name: 'serials', accepts: ['serial'] });

async function startWorkers(count: number, ...sources: object[]): Promise<WorkerProcesses> {
  const { request } = upstreamEntry(upstream);
  const workers = await prepareWorkers(
    database.url,
    sources.map((source) => ({ ...source, request })),
  );
  groups.push(workers);
  for (let n = 0; n < count; n++) await workers.start();
  return workers;
}

async function setPaused(source: string, paused: boolean): Promise<void> {
  await database.pool.query('UPDATE sources SET paused = $2 WHERE name = $1', [source, paused]);
  await database.pool.query("SELECT pg_notify('sources', $1)", [source]);
}

/** Starts a worker after a source was paused, because a running worker notices it only later. */
async function startPaused(paused: string, ...sources: object[]): Promise<WorkerProcesses> {
  const before = await startWorkers(1, ...sources);
  await setPaused(paused, true);
  await before.close();
  return startWorkers(1, ...sources);
}

test('a ticket whose only source is paused stays Pending and says why, until the source is resumed', async () => {
  await startPaused('serials', serials);
  const id = await importTicket(database.pool, makeSerials('SERIAL', 30));
  const { status, done, failed, waiting_cause } = await waitUntilWaiting(database.pool, id);
  assert.deepEqual([status, done, failed, waiting_cause], ['Pending', 0, 0, 'paused']);
  // The worker has returned the job, because its rows wait for the source.
  await waitFor(
    'the job',
    async () =>
      (await database.pool.query("SELECT FROM lookup_jobs WHERE sources = '{serials}'")).rowCount === 1,
  );
  assert.equal((await readTicket(database.pool, id))?.status, 'Pending');
  await setPaused('serials', false);
  const resumed = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([resumed.done, resumed.waiting_for], [30, null]);
});

test('rows of a source with one call at a time continue while the only other source is paused', async () => {
  await startWorkers(2, imeis, serials);
  const id = await importTicket(database.pool, makeSerials('IMEI', 1600), () => 'imei');
  await waitUntilDone(database.pool, id, 300);
  await setPaused('serials', true);
  await waitUntilDone(database.pool, id, 1600);
});

test('rows of a source with one call at a time continue after the only other source was disabled', async () => {
  const workers = await startWorkers(2, imeis, serials);
  const id = await importTicket(database.pool, makeSerials('IMEI', 1600), () => 'imei');
  await waitUntilDone(database.pool, id, 300);
  await workers.close();
  await startWorkers(2, imeis, { ...serials, enabled: false });
  await waitUntilDone(database.pool, id, 1600);
});

test('rows that wait for a source continue at other sources when it is removed from the configuration', async () => {
  const workers = await startPaused('serials', serials);
  const id = await importTicket(database.pool, makeSerials('SERIAL', 400));
  await waitUntilWaiting(database.pool, id);
  await workers.close();
  await startWorkers(1, { ...serials, name: 'others' });
  await waitUntilDone(database.pool, id, 400);
});

test('rows that wait for a source are asked about at one that is put in front of it', async () => {
  const workers = await startPaused('serials', serials);
  const id = await importTicket(database.pool, makeSerials('SERIAL', 400));
  await waitUntilWaiting(database.pool, id);
  await workers.close();
  await startWorkers(1, { ...serials, name: 'front' }, serials);
  await waitUntilCompleted(database.pool, id, 20_000);
});

test('a delayed row is asked about when it is due while other rows wait for a paused source', async () => {
  await upstream.plan({ IMEI: [{ status: 429, headers: { 'retry-after': '63' } }, {}] });
  await startPaused('serials', imeis, serials);
  const id = await importTicket(database.pool, ['IMEI', 'SERIAL'], (serial) =>
    serial === 'IMEI' ? 'imei' : 'serial',
  );
  await waitUntilWaiting(database.pool, id);
  // Moves the due time into the past.
  await database.pool.query(
    `UPDATE serials SET lookup = jsonb_set(lookup, '{due}', to_jsonb((lookup ->> 'due')::float8 - 62000))
     WHERE lookup ->> 'due' IS NOT NULL`,
  );
  await database.pool.query("UPDATE lookup_jobs SET due_at = due_at - interval '62 seconds'");
  await waitUntilDone(database.pool, id, 1);
  assert.deepEqual((await database.pool.query("SELECT serial FROM serials WHERE state = 'done'")).rows, [
    { serial: 'IMEI' },
  ]);
});

test('uploads wait only briefly for the serials of a recheck that is behind them, and the recheck waits for its turn', async () => {
  await upstream.setLatency(200);
  const workers = await prepareWorkers(database.url, [
    { ...serials, limits: { concurrency: 2 }, request: upstreamEntry(upstream).request },
  ]);
  groups.push(workers);
  const recheck = await importTicket(database.pool, makeSerials('SERIAL', 150));
  await database.pool.query('UPDATE lookup_jobs SET is_recheck = true');
  await workers.start({ CACHE_HOURS: '1' });
  await waitUntilDone(database.pool, recheck, 1);
  await importTicket(database.pool, makeSerials('OTHER', 2000), () => 'serial', 'OTHER1');
  const { rows } = await database.pool.query<{ serial: string }>(
    `SELECT serial FROM serials AS s JOIN lookup_jobs AS j ON j.ticket_id = s.ticket_id AND position BETWEEN lo AND hi
     WHERE holder IS NOT NULL AND is_recheck AND state = 'pending'`,
  );
  assert.ok(rows.length > 0);
  const upload = await importTicket(
    database.pool,
    rows.map(({ serial }) => serial),
  );
  await waitUntilCompleted(database.pool, upload, 15_000);
  const waiting = await waitFor('the recheck to wait', async () => {
    const ticket = await readTicket(database.pool, recheck);
    return ticket?.waiting_for !== null && ticket;
  });
  assert.equal(waiting.waiting_cause, 'turn');
  await upstream.setLatency(0);
});

test('rows wait while no enabled source accepts their kind, and the ticket says so, until one is enabled', async () => {
  const workers = await startWorkers(1, { ...serials, enabled: false });
  const id = await importTicket(database.pool, makeSerials('SERIAL', 250));
  const waiting = await waitUntilWaiting(database.pool, id);
  assert.deepEqual(
    [waiting.status, waiting.failed, waiting.waiting_source, waiting.waiting_cause],
    ['Pending', 0, 'Stand-in service', 'disabled'],
  );
  const other = await importTicket(database.pool, ['MEID'], () => 'meid');
  await waitFor('the row to fail', async () => (await readTicket(database.pool, other))?.failed === 1);
  await workers.close();
  await startWorkers(1, serials);
  const { done, failed } = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([done, failed], [250, 0]);
});
