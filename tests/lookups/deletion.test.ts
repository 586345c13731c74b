import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteTicket } from '#features/tickets/server/history/ticket-changes.service.ts';
import { resumeRowDeletions } from '#features/tickets/server/row-deletions/row-deletions.service.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, readTicket } from '#tests/support/lookups/tickets.ts';
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
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

const serialsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(6, '0')}`);

test('a running ticket whose deletion takes long holds up no other', async () => {
  const { pool } = database;
  const deleted = await importTicket(pool, serialsOf('DELETED', 4000));
  await waitFor('some rows to be done', async () => ((await readTicket(pool, deleted))?.done ?? 0) > 200);
  const holder = await pool.connect();
  try {
    // The deletion comes to a halt at this row, in the middle of it.
    await holder.query('BEGIN');
    await holder.query("SELECT FROM serials WHERE ticket_id = $1 AND state = 'done' LIMIT 1 FOR UPDATE", [
      deleted,
    ]);
    const deletion = deleteTicket(pool, deleted);
    const other = await importTicket(pool, serialsOf('OTHER', 500));
    await waitFor(
      'the other ticket to be completed',
      async () => (await readTicket(pool, other))?.status === 'Completed',
      40_000,
    );
    assert.equal(await readTicket(pool, deleted), undefined);
    await holder.query('COMMIT');
    // On a very slow machine it has given up meanwhile, as it may; then it is taken up again.
    await Promise.allSettled([deletion]);
  } finally {
    holder.release(true);
  }
  await resumeRowDeletions(pool);
  const { rowCount } = await pool.query('SELECT FROM serials WHERE ticket_id = $1', [deleted]);
  assert.equal(rowCount, 0);
});
