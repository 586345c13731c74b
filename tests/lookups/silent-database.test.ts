import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { type Relay, startRelay } from '#tests/support/database/relay.ts';
import {
  importTicket,
  makeSerials,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';

const rows = 2500;

let database: TestDatabase;
let relay: Relay;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  relay = await startRelay(database.url);
  await upstream.setLatency(100);
  workers = await prepareWorkers(relay.url, [upstreamEntry(upstream, { limits: { per_second: 400 } })]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await relay.close();
  await database.close();
});

test('a worker replaces silent database connections and finishes the ticket', async () => {
  const serials = makeSerials('SILENT', rows);
  const id = await importTicket(database.pool, serials);
  await workers.start({ CACHE_HOURS: '24' });
  await waitUntilDone(database.pool, id, 800);
  relay.silence();
  const atSilence = await readTicket(database.pool, id);
  assert.ok((atSilence?.done ?? rows) < rows);
  await waitUntilCompleted(database.pool, id);

  const { rows: counts } = await database.pool.query<{ done: number; counted: number; finished: number }>(
    `SELECT (SELECT count(*) FROM serials WHERE ticket_id = $1 AND state = 'done') AS done,
            (SELECT done FROM tickets WHERE id = $1) AS counted,
            (SELECT sum(finished) FROM ticket_minutes WHERE ticket_id = $1) AS finished`,
    [id],
  );
  assert.deepEqual(counts[0], { done: rows, counted: rows, finished: rows });
});
