import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, makeSerials, readTicket, waitUntilDone } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

const concurrency = 8;

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  await upstream.setLatency(20);
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { limits: { concurrency } })]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

const shares = async () => {
  const { rows } = await database.pool.query<{ concurrency: number }>(
    'SELECT concurrency FROM source_shares WHERE concurrency > 0 ORDER BY concurrency',
  );
  return rows.map((row) => row.concurrency).join();
};

test('workers that start and stop share a limit and together never exceed it', async () => {
  const id = await importTicket(database.pool, makeSerials('SHARE', 6000));
  const first = await workers.start();
  await waitFor('one worker to have it all', async () => (await shares()) === '8');
  await workers.start();
  await workers.start();
  await waitFor('three workers to share it', async () => (await shares()) === '2,3,3');
  await first.kill();
  await waitFor('the share of the killed one to be taken over', async () => (await shares()) === '4,4');
  const { maxConcurrency } = await upstream.report();
  // The source may still be answering calls of a killed process.
  assert.ok(maxConcurrency <= concurrency, String(maxConcurrency));
  await waitUntilDone(database.pool, id, 3001);
});

test('tickets progress concurrently', async () => {
  await database.pool.query("UPDATE tickets SET status = 'Cancelled'");
  await database.pool.query('DELETE FROM lookup_jobs');
  const [one, two] = [
    await importTicket(database.pool, makeSerials('ONE', 3000)),
    await importTicket(database.pool, makeSerials('TWO', 3000)),
  ];
  await waitFor('the first ticket to be half done', async () => {
    return ((await readTicket(database.pool, one))?.done ?? 0) >= 1500;
  });
  const other = (await readTicket(database.pool, two))?.done ?? 0;
  assert.ok(other > 750 && other < 3000, `${other} of the other ticket`);
});
