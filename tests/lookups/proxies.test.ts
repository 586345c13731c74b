import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  waitUntilCompleted,
  waitUntilWaiting,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { type Proxies, startProxies, storeProxySet } from '#tests/support/sources/proxies.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let upstream: Upstream;
let proxies: Proxies;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream, proxies] = await Promise.all([
    createTestDatabase(),
    startUpstream(),
    startProxies([
      { kind: 'http' },
      { kind: 'http', login: 'user:secret' },
      { kind: 'socks5' },
      { kind: 'socks5', login: 'user:secret' },
      { kind: 'http', fault: 'refuse' },
      { kind: 'http', fault: '407' },
      { kind: 'http', fault: '502' },
      { kind: 'http', fault: 'hang' },
      { kind: 'socks5', fault: '502' },
    ]),
  ]);
  const request = { url: `${upstream.url}/v1/coverage/{serial}`, timeout_ms: 5000 };
  const limits = { per_proxy_per_second: 50, per_proxy_concurrency: 2 };
  workers = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { egress: 'proxies', request, limits, attempts: 2 }),
  ]);
  await workers.start();
  await workers.start();
});
after(async () => {
  await workers.close();
  await proxies.close();
  await upstream.close();
  await database.close();
});

test('without a proxy rows wait and the ticket shows the reason, and the first set continues them', async () => {
  const id = await importTicket(database.pool, makeSerials('WAIT', 300));
  const waiting = await waitUntilWaiting(database.pool, id, 'proxies');
  assert.deepEqual([waiting.waiting_for, waiting.status, waiting.failed], ['proxies', 'Processing', 0]);
  await storeProxySet(database.pool, 'set-1', proxies.urls.slice(0, 2));
  const { done, failed, waiting_for } = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([done, failed, waiting_for], [300, 0, null]);
});

test('a faulty proxy uses up no attempt, and the calls use other proxies', async () => {
  await storeProxySet(database.pool, 'set-2', proxies.urls);
  const before = (await upstream.report()).starts.length;
  const id = await importTicket(database.pool, makeSerials('FAULT', 600));
  const { done, failed } = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([done, failed], [600, 0]);
  const { rows } = await database.pool.query(
    'SELECT DISTINCT attempts, egress, source FROM serials WHERE ticket_id = $1',
    [id],
  );
  assert.deepEqual(rows, [{ attempts: 1, egress: 'proxies', source: 'stand-in' }]);
  const { calls } = await proxies.report();
  const through = calls.map(({ length }) => length > 0);
  assert.deepEqual(through, [true, true, true, true, false, false, false, false, false]);
  assert.equal((await upstream.report()).starts.length - before, 600);
});

test('a deleted set is not used any more', async () => {
  await database.pool.query("DELETE FROM proxy_sets WHERE proxy_set = 'set-2'");
  await waitFor('the proxies to be forgotten', async () => {
    const { rowCount } = await database.pool.query('SELECT FROM proxy_states WHERE proxy <> ALL($1)', [
      proxies.urls.slice(0, 2),
    ]);
    return rowCount === 0;
  });
  const countCalls = async () => (await proxies.report()).calls.slice(2).map(({ length }) => length);
  let tickets = 0;
  // The other worker may learn of the deletion a moment later.
  await waitFor('a ticket without calls through a deleted proxy', async () => {
    const before = await countCalls();
    tickets += 1;
    const id = await importTicket(database.pool, makeSerials(`LESS${tickets}N`, 200));
    await waitUntilCompleted(database.pool, id);
    return isDeepStrictEqual(await countCalls(), before);
  });
});

test('a refusal of the account is not retried through another proxy', async () => {
  await upstream.setPhase('auth');
  const id = await importTicket(database.pool, makeSerials('AUTH', 20));
  await waitUntilWaiting(database.pool, id);
  const { rows } = await database.pool.query("SELECT count(*) FROM proxy_states WHERE state = 'resting'");
  assert.deepEqual(rows, [{ count: 0 }]);
  await upstream.setPhase('normal');
  const { done } = await waitUntilCompleted(database.pool, id);
  assert.equal(done, 20);
});

test('a source that no proxy can reach counts as down, and no row fails', async () => {
  await storeProxySet(database.pool, 'set-3', proxies.urls.slice(0, 4));
  await upstream.vanish();
  const id = await importTicket(database.pool, makeSerials('GONE', 50));
  await waitUntilWaiting(database.pool, id);
  await upstream.comeBack();
  const { done, failed } = await waitUntilCompleted(database.pool, id);
  assert.deepEqual([done, failed], [50, 0]);
});
