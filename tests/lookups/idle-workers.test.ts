import { after, before, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { limits: { per_second: 50 } })]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

/** Creates a pool that loses notices, as behind a connection pooler. */
async function openDeafPool(): Promise<pg.Pool> {
  await database.pool.query('CREATE SCHEMA deaf');
  await database.pool.query(
    "CREATE FUNCTION deaf.pg_notify(text, text) RETURNS void LANGUAGE sql AS 'SELECT'",
  );
  return new pg.Pool({
    connectionString: database.url,
    options: '-c search_path=deaf,pg_catalog,public',
  });
}

test('an idle worker finds a ticket without a notice', async () => {
  await workers.start();
  const deaf = await openDeafPool();
  try {
    const id = await importTicket(deaf, ['UNHEARD1', 'UNHEARD2']);
    await waitUntilCompleted(database.pool, id);
  } finally {
    await deaf.end();
  }
});
