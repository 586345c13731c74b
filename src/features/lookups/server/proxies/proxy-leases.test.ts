import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, mock, test } from 'node:test';
import type pg from 'pg';
import type { Limits } from '#features/sources/server/configuration/source-kind.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { storeProxySet } from '#tests/support/proxies.ts';
import { addWorker } from '../workers/workers.queries.ts';
import { createProxyLeases } from './proxy-leases.ts';

const proxy = 'http://10.0.0.1:80';
let database: TestDatabase;
let presences: pg.PoolClient[] = [];
let now = 100_000;
before(async () => {
  mock.method(performance, 'now', () => now);
  database = await createTestDatabase();
  await storeProxySet(database.pool, 'set-20261122-01', [proxy]);
});
afterEach(async () => {
  for (const presence of presences) presence.release(true);
  presences = [];
  await database.pool.query('DELETE FROM workers');
});
after(async () => {
  await database.close();
  mock.restoreAll();
});

/** A worker of a source that is asked through proxies. */
async function startWorker(limits: Limits) {
  const id = randomUUID();
  const presence = await database.pool.connect();
  presences.push(presence);
  await addWorker(presence, id);
  const leases = createProxyLeases(database.pool, createLog('test', 'silent'), [{ name: 'first', limits }]);
  return {
    egress: leases.pool.createEgress(limits),
    /** One round. @returns whether it holds the proxy now */
    async runRound(wants: boolean) {
      await leases.update(id, wants);
      return leases.pool.urls.has(proxy);
    },
  };
}

test("a proxy is another worker's when the last call through it no longer counts, however slow its rate is", async () => {
  const limits = { per_proxy_per_second: 0.5 };
  const [one, other] = [await startWorker(limits), await startWorker(limits)];
  assert.equal(await one.runRound(true), true);
  const call = one.egress.start(now);
  assert.equal(await one.runRound(false), false);
  now += 5000;
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  call.end('answered');
  now += 1101;
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  now += 2200;
  await one.runRound(false);
  assert.equal(await other.runRound(true), true);
});

test("a proxy that failed is another worker's only when the other calls through it are over", async () => {
  const limits = { per_proxy_concurrency: 2 };
  const [one, other] = [await startWorker(limits), await startWorker(limits)];
  assert.equal(await one.runRound(true), true);
  one.egress.start(now).end('answered');
  const [failing, slow] = [one.egress.start(now), one.egress.start(now)];
  failing.end('faulty');
  now += 60_000;
  await one.runRound(false);
  await database.pool.query("UPDATE proxy_states SET rest_until = now() - interval '1 second'");
  assert.equal(await other.runRound(true), false);
  slow.end('answered');
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  now += 1101;
  await one.runRound(false);
  assert.equal(await other.runRound(true), true);
});
