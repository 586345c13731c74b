import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import type { Limits } from '#features/sources/server/configuration/source-kind.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { storeProxySet } from '#tests/support/sources/proxies.ts';
import { writeAllocations } from '../gate/limits/allocations.queries.ts';
import { renewPresence } from '../workers/workers.queries.ts';
import { createProxyLeases } from './proxy-leases.ts';

const proxy = 'http://10.0.0.1:80';
let database: TestDatabase;
let now = 100_000;
before(async () => {
  mock.method(performance, 'now', () => now);
  database = await createTestDatabase();
  await database.pool.query("INSERT INTO sources (name, key) VALUES ('first', 'first')");
});
beforeEach(() => storeProxySet(database.pool, 'set-20261122-01', [proxy]));
afterEach(async () => {
  await database.pool.query('DELETE FROM proxy_sets');
  await database.pool.query('DELETE FROM proxy_states');
  await database.pool.query('DELETE FROM workers');
});
after(async () => {
  await database.close();
  mock.restoreAll();
});

/** Creates a worker with a source that is asked through proxies. */
async function startWorker(limits: Limits, options: Parameters<typeof createProxyLeases>[2] = {}) {
  const id = randomUUID();
  await renewPresence(database.pool, id);
  const entries = [{ name: 'first', limits }];
  const leases = createProxyLeases(database.pool, entries, options);
  return {
    leases,
    /** Publishes that this worker wants proxies. */
    announce: () =>
      writeAllocations.run(database.pool, {
        rows: [{ source: 'first', worker: id, wants: true, per_second: 1, concurrency: null }],
      }),
    update: (wants: boolean, isTargetDown = false) => leases.update(id, wants, isTargetDown),
    egress: leases.pool.createEgress(limits),
    /** Runs one round. @returns whether the worker holds the proxy now */
    async runRound(wants: boolean) {
      await leases.update(id, wants);
      return leases.pool.proxies.has(proxy);
    },
  };
}

const faulty = { is: 'proxy', error: 'HTTP 407', targetUnreachable: false } as const;

test('another worker leases a proxy only when the last call through it no longer counts, at any rate', async () => {
  const limits = { per_proxy_per_second: 0.5 };
  const [one, other] = [await startWorker(limits), await startWorker(limits)];
  assert.equal(await one.runRound(true), true);
  const call = one.egress.start(now);
  assert.equal(await one.runRound(false), false);
  now += 5000;
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  call.end({ is: 'not_found' });
  now += 1101;
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  now += 2200;
  await one.runRound(false);
  assert.equal(await other.runRound(true), true);
});

test('another worker leases a failed proxy only when the other calls through it have ended', async () => {
  const limits = { per_proxy_concurrency: 2 };
  const [one, other] = [await startWorker(limits), await startWorker(limits)];
  assert.equal(await one.runRound(true), true);
  one.egress.start(now).end({ is: 'not_found' });
  const [failing, slow] = [one.egress.start(now), one.egress.start(now)];
  failing.end(faulty);
  now += 60_000;
  await one.runRound(false);
  await database.pool.query("UPDATE proxy_states SET rest_until = now() - interval '1 second'");
  assert.equal(await other.runRound(true), false);
  slow.end({ is: 'not_found' });
  await one.runRound(false);
  assert.equal(await other.runRound(true), false);
  now += 1101;
  await one.runRound(false);
  assert.equal(await other.runRound(true), true);
});

const urlsOf = (count: number) => Array.from({ length: count }, (_, n) => `http://10.0.1.${n}:80`);

test('workers hold equal parts of the proxies that do not rest, and each proxy has one worker', async () => {
  await storeProxySet(database.pool, 'set-20261122-02', urlsOf(39));
  const workers = [await startWorker({}), await startWorker({}), await startWorker({})];
  const [first] = workers;
  await first?.update(true);
  assert.equal(first?.leases.pool.proxies.size, 40);
  for (let n = 0; n < 8; n++) first.egress.start(now).end(faulty);
  await first.update(true);
  await database.pool.query("UPDATE proxy_states SET rest_until = 'infinity' WHERE state = 'resting'");
  for (const worker of workers) await worker.announce();
  for (let round = 0; round < 3; round++) {
    for (const worker of workers) await worker.update(true);
    now += 1101;
  }
  const sizes = workers.map(({ leases }) => leases.pool.proxies.size);
  assert.deepEqual(sizes.sort(), [10, 11, 11]);
  assert.equal(new Set(workers.flatMap(({ leases }) => [...leases.pool.proxies.keys()])).size, 32);
});

test('each worker holds one of a few more proxies than workers', async () => {
  await storeProxySet(database.pool, 'set-20261122-02', urlsOf(3));
  const workers = [await startWorker({}), await startWorker({}), await startWorker({})];
  for (const worker of workers) await worker.announce();
  for (let round = 0; round < 3; round++) {
    for (const worker of workers) await worker.update(true);
    now += 1101;
  }
  const sizes = workers.map(({ leases }) => leases.pool.proxies.size);
  assert.deepEqual(sizes.sort(), [1, 1, 2]);
});

for (const limits of [{}, { per_proxy_per_second: 0.1 }])
  test(`two workers with one proxy hold it in turns, with the limits ${JSON.stringify(limits)}`, async (t) => {
    t.mock.method(Date, 'now', () => now);
    const workers = [await startWorker(limits), await startWorker(limits)];
    for (const worker of workers) await worker.announce();
    const holders = new Set<number>();
    const roundMs = 2000;
    for (const until = now + 60_000; now < until; now += roundMs)
      for (const [n, worker] of workers.entries()) if (await worker.runRound(true)) holders.add(n);
    assert.equal(holders.size, 2);
  });

test('a proxy that could not reach a source rests, unless the source is down', async () => {
  const worker = await startWorker({});
  const readRest = async () =>
    (await database.pool.query('SELECT state, rest_step, beyond FROM proxy_states')).rows[0];
  await worker.update(true);
  worker.egress.start(now).end({ is: 'not_found' });
  await worker.update(true);
  assert.deepEqual(await readRest(), { state: 'good', rest_step: 0, beyond: false });
  worker.egress.start(now).end({ ...faulty, targetUnreachable: true });
  await worker.update(true);
  assert.deepEqual(await readRest(), { state: 'resting', rest_step: 1, beyond: true });
  await worker.update(true, true);
  assert.deepEqual(await readRest(), { state: 'unchecked', rest_step: 0, beyond: false });
});

const readState = async () => (await database.pool.query('SELECT state FROM proxy_states')).rows[0].state;

test('the failure of a proxy that another worker has leased by now is not stored', async () => {
  const [former, holder] = [await startWorker({}), await startWorker({})];
  await former.update(true);
  former.egress.start(now).end(faulty);
  await database.pool.query('UPDATE proxy_states SET worker = NULL');
  assert.equal(await holder.runRound(true), true);
  await former.update(true);
  assert.equal(await readState(), 'unchecked');
});

test('the failure of a proxy before the worker lost its leases is not stored', async () => {
  const worker = await startWorker({});
  await worker.update(true);
  worker.egress.start(now).end(faulty);
  worker.leases.reset();
  await worker.update(true);
  assert.equal(await readState(), 'unchecked');
});

test('the failure of a proxy is stored by the next round if a round fails', async () => {
  const worker = await startWorker({});
  await worker.update(true);
  worker.egress.start(now).end(faulty);
  await database.pool.query('ALTER TABLE source_shares RENAME TO away');
  await assert.rejects(worker.update(true));
  await database.pool.query('ALTER TABLE away RENAME TO source_shares');
  await worker.update(true);
  assert.equal(await readState(), 'resting');
});

test('a worker holds at most its maximum of proxies, least recently used first', async () => {
  await storeProxySet(database.pool, 'set-20261122-02', urlsOf(9));
  const worker = await startWorker({}, { limit: 5 });
  await worker.update(true);
  const held = [...worker.leases.pool.proxies.keys()];
  assert.equal(held.length, 5);
  await worker.update(false);
  now += 1101;
  await worker.update(false);
  await worker.update(true);
  assert.equal(new Set([...held, ...worker.leases.pool.proxies.keys()]).size, 10);
});

test('an uploaded, deleted or expired set takes effect in the next round', async () => {
  const worker = await startWorker({});
  const heldAfterRound = async () => {
    const { any, usable } = await worker.update(true);
    return { any, usable, held: [...worker.leases.pool.proxies.keys()].toSorted() };
  };
  assert.deepEqual(await heldAfterRound(), { any: true, usable: 1, held: [proxy] });
  const [one = '', two = ''] = urlsOf(2);
  await storeProxySet(database.pool, 'set-20261122-02', [proxy, one]);
  await storeProxySet(database.pool, 'set-20261122-03', [two]);
  assert.deepEqual(await heldAfterRound(), { any: true, usable: 3, held: [proxy, one, two] });
  await database.pool.query("DELETE FROM proxy_sets WHERE proxy_set = 'set-20261122-01'");
  assert.deepEqual(await heldAfterRound(), { any: true, usable: 3, held: [proxy, one, two] });
  await database.pool.query("UPDATE proxy_sets SET expires_at = now() WHERE proxy_set = 'set-20261122-02'");
  assert.deepEqual(await heldAfterRound(), { any: true, usable: 1, held: [two] });
  await database.pool.query('DELETE FROM proxy_sets');
  assert.deepEqual(await heldAfterRound(), { any: false, usable: 0, held: [] });
});

test('a removed set is deleted in steps, the leased proxies first, and none of its proxies is leased meanwhile', async () => {
  const worker = await startWorker({}, { limit: 2, changedAtOnce: 4 });
  await database.pool.query('DELETE FROM proxy_sets');
  await worker.update(true);
  await storeProxySet(database.pool, 'set-20261122-04', urlsOf(10));
  for (let round = 1; round <= 3; round += 1) await worker.update(true);
  assert.equal(worker.leases.pool.proxies.size, 2);
  const countStates = async () => (await database.pool.query('SELECT FROM proxy_states')).rowCount;
  assert.equal(await countStates(), 10);

  await database.pool.query('DELETE FROM proxy_sets');
  for (const left of [6, 2, 0]) {
    await worker.update(true);
    assert.equal(await countStates(), left);
    assert.deepEqual([...worker.leases.pool.proxies.keys()], []);
  }
});
