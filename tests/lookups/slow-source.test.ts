import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listProcesses } from '#server/processes/processes.queries.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let slow: Upstream;
let fast: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, slow, fast] = await Promise.all([createTestDatabase(), startUpstream(), startUpstream()]);
  await slow.setLatency(6000);
  await fast.setLatency(50);
  const request = (upstream: Upstream) => ({ url: `${upstream.url}/v1/{serial}`, timeout_ms: 60_000 });
  workers = await prepareWorkers(database.url, [
    upstreamEntry(slow, { name: 'slow', accepts: ['imei'], request: request(slow) }),
    upstreamEntry(fast, { name: 'fast', accepts: ['serial'], request: request(fast) }),
  ]);
});
after(async () => {
  await workers.close();
  await Promise.all([slow.close(), fast.close()]);
  await database.close();
});

const namesOf = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const slowRows = namesOf('SLOW', 400);
const fastRows = namesOf('FAST', 3000);
const kindOf = (serial: string) => (serial.startsWith('SLOW') ? 'imei' : 'serial');

async function countDone(kind: 'imei' | 'serial'): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    "SELECT count(*) FROM serials WHERE kind = $1 AND state = 'done'",
    [kind],
  );
  return rows[0]?.count ?? 0;
}

/** Returns how many rows of the slow source are done when the fast source is finished. */
async function slowWhenFastIsDone(): Promise<number> {
  const worker = await workers.start();
  await waitFor('the rows of the fast source', async () => (await countDone('serial')) === fastRows.length);
  const count = await countDone('imei');
  await worker.kill();
  await database.pool.query('TRUNCATE tickets, serials, lookup_jobs, workers CASCADE');
  return count;
}

// If both sources got the same number of calls, all rows of the slow source would be done by then.
for (const [title, tickets] of [
  ['of other tickets', [slowRows, fastRows]],
  ['behind it in the same ticket', [[...slowRows, ...fastRows]]],
] as const) {
  test(`a slow source does not delay a fast one: rows ${title}`, async () => {
    for (const serials of tickets) await importTicket(database.pool, [...serials], kindOf);
    const count = await slowWhenFastIsDone();
    assert.ok(count <= 160, `${count} slow rows were done`);
  });
}

test("a worker's heartbeat names its tickets, and its calls in flight by source", async () => {
  const id = await importTicket(database.pool, slowRows.slice(0, 20), kindOf);
  const worker = await workers.start();
  const process = await waitFor('a heartbeat with calls', async () => {
    const running = await listProcesses.all(database.db);
    return running.find(({ pid, in_flight }) => pid === worker.pid && in_flight > 0);
  });
  assert.deepEqual(process?.work, { tickets: [id], calls: { slow: process?.in_flight } });
  await worker.kill();
});

test('a source that hangs leaves places to rows of another source that come later', async () => {
  await slow.setLatency(60_000);
  await importTicket(database.pool, slowRows, kindOf);
  const worker = await workers.start();
  await waitFor('its places to be taken', async () => {
    const running = await listProcesses.all(database.db);
    return running.some(({ pid, in_flight }) => pid === worker.pid && in_flight >= 60);
  });
  const id = await importTicket(database.pool, fastRows.slice(0, 20), kindOf);
  await waitUntilCompleted(database.pool, id, 5000);
  await worker.kill();
});
