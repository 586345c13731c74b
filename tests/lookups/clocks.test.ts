import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

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

/** Moves the clock of a process by some hours. */
function offBy(hours: number): Record<string, string> {
  const script = `
    const ms = ${hours * 3_600_000}, now = Date.now;
    Date.now = () => now() + ms;
    Object.defineProperty(performance, 'timeOrigin', { value: performance.timeOrigin + ms });`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
}

test('a delayed row is asked about in time by another worker, although the clocks of the workers differ', async () => {
  const throttled = { status: 429, headers: { 'retry-after': '3' } };
  for (const [first, second] of [
    [1, 0],
    [0, -1],
  ] as const) {
    const serial = `CLOCK${first}${second}`;
    await upstream.plan({ [serial]: [throttled, {}] });
    const early = await workers.start(offBy(first));
    const id = await importTicket(database.pool, [serial]);
    const wasAsked = async (times: number) => ((await upstream.report()).calls[serial] ?? 0) >= times;
    await waitFor('the first call', () => wasAsked(1));
    await early.drain();
    const began = performance.now();
    const late = await workers.start(offBy(second));
    await waitFor('the second call', () => wasAsked(2), 60_000);
    await waitUntilCompleted(database.pool, id);
    assert.ok(performance.now() - began < 60_000);
    await late.drain();
  }
});
