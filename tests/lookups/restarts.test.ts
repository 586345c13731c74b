import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  waitUntilCompleted,
  waitUntilWaiting,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let upstream: Upstream;
let second: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream, second] = await Promise.all([createTestDatabase(), startUpstream(), startUpstream()]);
});
afterEach(() => workers.close());
after(async () => {
  await Promise.all([upstream.close(), second.close()]);
  await database.close();
});

async function startWorker(sources: object[]): Promise<void> {
  workers = await prepareWorkers(database.url, sources);
  await workers.start();
}

const stateOf = async (name: string) => {
  const { rows } = await database.pool.query('SELECT state, pace FROM sources WHERE name = $1', [name]);
  return rows[0] as { state: string; pace: number | null };
};

test('a pace that was reduced before a kill recovers after the restart', async () => {
  const sources = [upstreamEntry(upstream, { name: 'paced', limits: { per_second: 50 } })];
  await startWorker(sources);
  await workers.close();
  await database.pool.query('UPDATE sources SET pace = 10, full_pace = 50');
  await startWorker(sources);
  const id = await importTicket(database.pool, makeSerials('PACE', 200));
  await waitUntilCompleted(database.pool, id);
  assert.equal((await stateOf('paced')).pace, null);
});

test('rows that wait for a source continue at once when its entry is corrected or removed', async () => {
  const wrong = { ...upstreamEntry(upstream), name: 'wrong' };
  const nobody = { ...wrong, request: { method: 'GET', url: 'http://127.0.0.1:9/{serial}' } };
  await startWorker([nobody]);
  const corrected = await importTicket(database.pool, makeSerials('FIXED', 20));
  await waitUntilWaiting(database.pool, corrected);
  await workers.close();
  await startWorker([wrong]);
  await waitUntilCompleted(database.pool, corrected);

  await workers.close();
  await startWorker([nobody]);
  const renamed = await importTicket(database.pool, makeSerials('RENAMED', 20));
  await waitUntilWaiting(database.pool, renamed);
  await workers.close();
  await startWorker([{ ...wrong, name: 'right' }]);
  await waitUntilCompleted(database.pool, renamed);
});

test('a source that is back is noticed while other rows of the same block are at another source', async () => {
  await startWorker([
    upstreamEntry(upstream, { name: 'imeis', accepts: ['imei'] }),
    upstreamEntry(second, { name: 'serials', accepts: ['serial'], limits: { per_second: 4 } }),
  ]);
  await upstream.vanish();
  const id = await importTicket(
    database.pool,
    [...makeSerials('I', 20), ...makeSerials('S', 80)],
    (serial) => (serial.startsWith('I') ? 'imei' : 'serial'),
  );
  await waitFor('the source to be down', async () => (await stateOf('imeis')).state === 'down');
  await upstream.comeBack();
  const countPending = async (kind: string) => {
    const { rows } = await database.pool.query<{ count: number }>(
      "SELECT count(*) FROM serials WHERE ticket_id = $1 AND kind = $2 AND state = 'pending'",
      [id, kind],
    );
    return rows[0]?.count;
  };
  await waitFor('the rows of the source that is back', async () => (await countPending('imei')) === 0);
  assert.notEqual(await countPending('serial'), 0);
});
