import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { countOpenTransactions } from '#tests/support/database/open-transactions.ts';
import {
  importTicket,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

/** A row with its result. */
type Row = { serial: string; state: string; reason: string | null; details: string | null } & {
  source: string | null;
  attempts: number;
  cached: boolean | null;
  egress: string | null;
  lookup: unknown;
};

let database: TestDatabase;
let first: Upstream;
let second: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, first, second] = await Promise.all([createTestDatabase(), startUpstream(), startUpstream()]);
  workers = await prepareWorkers(database.url, [
    upstreamEntry(first, { name: 'first', accepts: ['imei', 'serial'] }),
    {
      ...upstreamEntry(second, { name: 'second', accepts: ['imei', 'meid'] }),
      outcomes: [{ if: 'status = 202', then: 'pending' }],
      poll: { url: `${second.url}/v1/orders/{id}`, id: 'body.order', every_ms: 20, max: 3 },
      attempts: 2,
    },
  ]);
  await workers.start({ CACHE_HOURS: '1' });
});
after(async () => {
  await workers.close();
  await Promise.all([first.close(), second.close()]);
  await database.close();
});

async function lookUp(kinds: Record<string, 'imei' | 'meid' | 'serial'>): Promise<Record<string, Row>> {
  const id = await importTicket(database.pool, Object.keys(kinds), (serial) => kinds[serial] ?? 'serial');
  await waitUntilCompleted(database.pool, id);
  const { rows } = await database.pool.query<Row>(
    `SELECT serial, state, reason, details, source, attempts, cached, egress, lookup FROM serials
     WHERE ticket_id = $1 ORDER BY position`,
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.serial, row]));
}

const done = {
  state: 'done',
  reason: null,
  details: null,
  attempts: 1,
  cached: false,
  egress: 'direct',
  lookup: null,
};
const failed = { ...done, state: 'failed' };

test('the next source that accepts the kind of serial is asked after not_found only', async () => {
  await first.plan({
    'I-2': [{ status: 404, body: {} }],
    'I-3': [{ status: 400, body: {} }],
    'I-4': [{ status: 404, body: {} }],
  });
  await second.plan({ 'I-4': [{ status: 404, body: {} }] });
  const rows = await lookUp({
    'I-1': 'imei',
    'I-2': 'imei',
    'I-3': 'imei',
    'I-4': 'imei',
    'M-1': 'meid',
    'S-1': 'serial',
  });
  assert.deepEqual(rows['I-1'], { serial: 'I-1', ...done, source: 'first' });
  assert.deepEqual(rows['I-2'], { serial: 'I-2', ...done, source: 'second' });
  assert.deepEqual(rows['I-3'], {
    serial: 'I-3',
    ...failed,
    source: 'first',
    reason: 'Rejected by source',
    details: 'HTTP 400',
  });
  assert.deepEqual(rows['I-4'], { serial: 'I-4', ...failed, source: 'second', reason: 'Not found' });
  assert.deepEqual(rows['M-1'], { serial: 'M-1', ...done, source: 'second' });
  assert.deepEqual(rows['S-1'], { serial: 'S-1', ...done, source: 'first' });
  const asked = [await first.report(), await second.report()].map(({ calls }) =>
    Object.keys(calls).sort().join(),
  );
  assert.deepEqual(asked, ['I-1,I-2,I-3,I-4,S-1', 'I-2,I-4,M-1']);
});

test('a pending answer is polled until it is ready, or counts as a failed attempt', async () => {
  const order = (name: string) => ({ status: 202, body: { order: name } });
  await second.plan({
    'M-QUICK': [order('O 1/?')],
    'O 1/?': [order('O 1/?'), {}],
    'M-NEVER': [order('O-2')],
    'O-2': [order('O-2')],
    'M-NAMELESS': [{ status: 202, body: {} }, {}],
  });
  const rows = await lookUp({ 'M-QUICK': 'meid', 'M-NEVER': 'meid', 'M-NAMELESS': 'meid' });
  assert.deepEqual(rows['M-QUICK'], { serial: 'M-QUICK', ...done, source: 'second' });
  assert.deepEqual(rows['M-NAMELESS'], { serial: 'M-NAMELESS', ...done, source: 'second', attempts: 2 });
  assert.deepEqual(rows['M-NEVER'], {
    serial: 'M-NEVER',
    ...failed,
    source: 'second',
    attempts: 2,
    reason: 'Source unavailable',
    details: 'the answer stayed pending',
  });
  const { calls } = await second.report();
  assert.deepEqual([calls['M-QUICK'], calls['O 1/?'], calls['M-NEVER'], calls['O-2']], [1, 2, 2, 6]);
});

test('only found answers are reused for the same serial in other tickets', async () => {
  const serials = { 'C-1': 'imei', 'C-2': 'imei', 'C-3': 'meid' } as const;
  await first.plan({ 'C-2': [{ status: 404, body: {} }] });
  await second.plan({ 'C-2': [{ status: 404, body: {} }] });
  await lookUp(serials);
  const rows = await lookUp(serials);
  assert.deepEqual(rows['C-1'], { serial: 'C-1', ...done, source: 'first', attempts: 0, cached: true });
  assert.deepEqual(rows['C-3'], { serial: 'C-3', ...done, source: 'second', attempts: 0, cached: true });
  assert.deepEqual(rows['C-2'], { serial: 'C-2', ...failed, source: 'second', reason: 'Not found' });
  const asked = [(await first.report()).calls, (await second.report()).calls];
  assert.deepEqual(
    [asked[0]?.['C-1'], asked[0]?.['C-2'], asked[1]?.['C-2'], asked[1]?.['C-3']],
    [1, 2, 2, 1],
  );
});

test('an answer that arrives after its ticket was cancelled is cached for the next ticket', async () => {
  await second.setLatency(700);
  const id = await importTicket(database.pool, ['G-1'], () => 'meid');
  await waitFor('the call', async () => (await second.report()).calls['G-1'] === 1);
  await database.pool.query("UPDATE tickets SET status = 'Cancelled' WHERE id = $1", [id]);
  await waitFor('the answer', async () => {
    const { rowCount } = await database.pool.query("SELECT FROM coverage_cache WHERE serial = 'G-1'");
    return rowCount === 1;
  });
  await second.setLatency(0);
  const rows = await lookUp({ 'G-1': 'meid' });
  assert.deepEqual(rows['G-1'], { serial: 'G-1', ...done, source: 'second', attempts: 0, cached: true });
});

test('a worker has no transaction open while its calls are in flight', async () => {
  await first.setLatency(3000);
  const looked = lookUp({ SLOW1: 'serial', SLOW2: 'serial' });
  await waitFor('the calls', async () => Object.hasOwn((await first.report()).calls, 'SLOW2'));
  await delay(1500);
  const openTransactions = await countOpenTransactions(database.pool, 1);
  assert.equal(openTransactions, 0);
  await looked;
  await first.setLatency(0);
});

test('a small ticket does not wait behind a large one', async () => {
  await first.setLatency(20);
  const large = await importTicket(
    database.pool,
    Array.from({ length: 20_000 }, (_, n) => `LARGE${n}`),
  );
  await waitUntilDone(database.pool, large, 1);
  const small = await importTicket(
    database.pool,
    Array.from({ length: 50 }, (_, n) => `SMALL${n}`),
  );
  await waitUntilCompleted(database.pool, small);
  const ticket = await readTicket(database.pool, large);
  assert.equal(ticket?.status, 'Processing');
  assert.ok(ticket.done < 10_000, String(ticket.done));
});
