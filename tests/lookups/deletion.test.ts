import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deleteTicket } from '#features/tickets/server/editing/ticket-edits.service.ts';
import { resumeRowDeletions } from '#features/tickets/server/row-deletions/row-deletions.service.ts';
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

const log = createLog('test', 'silent');
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

test('a slow deletion of a running ticket does not block other tickets', async () => {
  const { pool } = database;
  const deleted = await importTicket(pool, makeSerials('DELETED', 4000));
  await waitUntilDone(pool, deleted, 201);
  const holder = await pool.connect();
  try {
    // The deletion waits for this row.
    await holder.query('BEGIN');
    await holder.query("SELECT FROM serials WHERE ticket_id = $1 AND state = 'done' LIMIT 1 FOR UPDATE", [
      deleted,
    ]);
    const deletion = deleteTicket({ db: pool, log }, null, deleted);
    const other = await importTicket(pool, makeSerials('OTHER', 500));
    await waitUntilCompleted(pool, other, 40_000);
    assert.equal(await readTicket(pool, deleted), undefined);
    await holder.query('COMMIT');
    // On a very slow machine the deletion may have timed out, and is repeated.
    await deletion;
  } finally {
    holder.release(true);
  }
  await resumeRowDeletions(pool, log);
  const { rowCount } = await pool.query('SELECT FROM serials WHERE ticket_id = $1', [deleted]);
  assert.equal(rowCount, 0);
});
