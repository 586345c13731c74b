import { after, before, test } from 'node:test';
import pg from 'pg';
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
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { limits: { per_second: 50 } })]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

/** Waits until all workers are idle, which their long intervals between rounds show. */
const untilIdle = () =>
  waitFor('the workers to be idle', async () => {
    const { rows } = await database.pool.query<{ idle: boolean }>(
      "SELECT bool_and(heartbeat < now() - interval '2 seconds') AS idle FROM workers WHERE gone_at IS NULL",
    );
    return rows[0]?.idle;
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

test('an idle worker finds a ticket without a notice, and is idle again after it', async () => {
  await workers.start();
  await untilIdle();
  const deaf = await openDeafPool();
  try {
    const id = await importTicket(deaf, ['UNHEARD1', 'UNHEARD2']);
    await waitUntilCompleted(database.pool, id);
  } finally {
    await deaf.end();
  }
  await untilIdle();
});
