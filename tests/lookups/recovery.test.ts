import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  waitUntilCompleted,
  waitUntilDone,
  waitUntilWaiting,
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
  await workers.start();
});
afterEach(() => upstream.setPhase('normal'));
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

async function untilDone(id: number): Promise<void> {
  const row = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([row.done, row.failed, row.waiting_for, row.waiting_source], [row.total, 0, null, null]);
}

async function attemptsOf(id: number): Promise<Record<number, number>> {
  const { rows } = await database.pool.query<{ attempts: number; count: number }>(
    'SELECT attempts, count(*) FROM serials WHERE ticket_id = $1 GROUP BY attempts',
    [id],
  );
  return Object.fromEntries(rows.map(({ attempts, count }) => [attempts, count]));
}

test('no row fails while a source is unreachable, and all rows continue when it is back', async () => {
  await upstream.vanish();
  const id = await importTicket(database.pool, makeSerials('DOWN', 400));
  const waiting = await waitUntilWaiting(database.pool, id);
  assert.deepEqual(
    [waiting.status, waiting.waiting_source, waiting.failed],
    ['Processing', 'Stand-in service', 0],
  );
  await upstream.comeBack();
  await untilDone(id);
  assert.deepEqual(await attemptsOf(id), { 1: 400 });
  const { calls } = await upstream.report();
  assert.deepEqual(
    makeSerials('DOWN', 400).filter((serial) => calls[serial] !== 1),
    [],
  );
});

for (const phase of ['auth', 'quota'] as const) {
  test(`while the source answers ${phase} rows wait, and none fails`, async () => {
    await upstream.setPhase(phase);
    const serials = makeSerials(phase.toUpperCase(), 400);
    const id = await importTicket(database.pool, serials);
    const waiting = await waitUntilWaiting(database.pool, id);
    assert.deepEqual([waiting.status, waiting.failed, waiting.done], ['Processing', 0, 0]);
    const probed = await waitFor('a probe', async () => {
      const { rows } = await database.pool.query<{ state: string; probe_step: number }>(
        'SELECT state, probe_step FROM sources WHERE probe_step > 0',
      );
      return rows[0];
    });
    assert.equal(probed.state, phase);
    await upstream.setPhase('normal');
    await untilDone(id);
    // Only the calls in flight at the first refusal count as attempts.
    const { 1: unharmed = 0, 2: again = 0 } = await attemptsOf(id);
    assert.deepEqual([unharmed + again, again <= 64], [400, true]);
  });
}

test('running lookups continue where they stopped when the source was unreachable', async () => {
  await upstream.setLatency(50);
  const serials = makeSerials('MIDWAY', 1500);
  const id = await importTicket(database.pool, serials);
  await waitUntilDone(database.pool, id, 201);
  await upstream.vanish();
  await waitUntilWaiting(database.pool, id);
  await upstream.comeBack();
  await untilDone(id);
  const { calls } = await upstream.report();
  // Only the calls in flight at the interruption are repeated.
  const again = serials.filter((serial) => calls[serial] !== 1);
  assert.ok(again.length <= 64 && again.every((serial) => calls[serial] === 2), again.join());
});
