import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import { prepareWorkers } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

let database: TestDatabase;
let upstream: Upstream;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
});
after(async () => {
  await upstream.close();
  await database.close();
});

const serials = Array.from({ length: 5 }, (_, n) => `PRODUCT${n}`);

/** Looks the serials up in a new ticket with a new worker. @returns the number of calls of each serial */
async function lookUp(entry: object, env: Record<string, string>): Promise<(number | undefined)[]> {
  const workers = await prepareWorkers(database.url, [entry]);
  try {
    const worker = await workers.start({ CACHE_HOURS: '1', ...env });
    const id = await importTicket(database.pool, serials);
    await waitUntilCompleted(database.pool, id);
    await worker.drain();
  } finally {
    await workers.close();
  }
  const { calls } = await upstream.report();
  return serials.map((serial) => calls[serial]);
}

test('answers are reused for the same source and request, never for another source or product', async () => {
  const entry = upstreamEntry(upstream, {
    request: {
      url: `${upstream.url}/v1/coverage/{serial}`,
      query: { service: '${SERVICE}', key: '${API_KEY}' },
    },
  });
  const env = { SERVICE: '1', API_KEY: 'a secret key' };
  assert.deepEqual(await lookUp(entry, env), [1, 1, 1, 1, 1]);
  const relabelled = { ...entry, label: 'Renamed', accepts: ['serial'], limits: { per_second: 100 } };
  assert.deepEqual(await lookUp(relabelled, env), [1, 1, 1, 1, 1]);
  assert.deepEqual(await lookUp({ ...entry, name: 'other' }, env), [2, 2, 2, 2, 2]);
  assert.deepEqual(await lookUp(entry, { ...env, SERVICE: '2' }), [3, 3, 3, 3, 3]);
  // In another time zone, days begin at another instant.
  assert.deepEqual(await lookUp(entry, { ...env, APP_TIMEZONE: 'America/Lima' }), [4, 4, 4, 4, 4]);
});

test('answers are not shared between companies', async () => {
  const workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { name: 'separate' })]);
  try {
    await workers.start({ CACHE_HOURS: '1' });
    const asked = ['SEPARATE1', 'SEPARATE2'];
    const lookUpFor = async (company: string) => {
      const id = await importTicket(database.pool, asked, () => 'serial', company);
      await waitUntilCompleted(database.pool, id);
      const { rows } = await database.pool.query(
        `SELECT serial, cached, attempts, fetched_at > imported_at AS asked_since FROM serials AS s
         JOIN tickets AS t ON t.id = s.ticket_id WHERE t.id = $1 ORDER BY position`,
        [id],
      );
      return rows;
    };
    const own = (cached: boolean) =>
      asked.map((serial) => ({ serial, cached, attempts: cached ? 0 : 1, asked_since: !cached }));
    assert.deepEqual(await lookUpFor('ONE001'), own(false));
    assert.deepEqual(await lookUpFor('TWO001'), own(false));
    assert.deepEqual(await lookUpFor('ONE001'), own(true));
    assert.deepEqual(await lookUpFor('TWO001'), own(true));
  } finally {
    await workers.close();
  }
});

test('a company does not wait for an answer that another company is waiting for', async () => {
  const request = { url: `${upstream.url}/v1/coverage/{serial}`, timeout_ms: 60_000 };
  const workers = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { name: 'held', request, limits: { concurrency: 2 } }),
  ]);
  try {
    await upstream.plan({ HELD1: [{ hang: true }, {}] });
    await workers.start({ CACHE_HOURS: '1' });
    const first = await importTicket(database.pool, ['HELD1'], () => 'serial', 'ONE001');
    await waitFor('the first call', async () => (await upstream.report()).calls.HELD1 === 1);
    const second = await importTicket(database.pool, ['HELD1'], () => 'serial', 'TWO001');
    const isCompleted = async (id: number) => (await readTicket(database.pool, id))?.status === 'Completed';
    await waitFor('the end', () => isCompleted(second));
    assert.equal(await isCompleted(first), false);
    await database.pool.query("UPDATE tickets SET status = 'Cancelled' WHERE id = $1", [first]);
  } finally {
    await workers.close();
  }
});

test('serials in several running tickets are asked about once, by any worker', async () => {
  await upstream.setLatency(50);
  const workers = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { name: 'shared', limits: { concurrency: 20 } }),
  ]);
  try {
    const both = Array.from({ length: 2 }, () => workers.start({ CACHE_HOURS: '1' }));
    const [, victim] = await Promise.all(both);
    const shared = Array.from({ length: 500 }, (_, n) => `SHARED${n}`);
    const ids = [await importTicket(database.pool, shared), await importTicket(database.pool, shared)];
    await Promise.all(ids.map((id) => waitUntilCompleted(database.pool, id)));
    const { calls } = await upstream.report();
    assert.deepEqual(
      shared.filter((serial) => calls[serial] !== 1),
      [],
    );

    const more = Array.from({ length: 1000 }, (_, n) => `ORPHANED${n}`);
    const others = [await importTicket(database.pool, more), await importTicket(database.pool, more)];
    await waitUntilDone(database.pool, others[0] ?? 0, 201);
    await victim?.kill();
    await Promise.all(others.map((id) => waitUntilCompleted(database.pool, id)));
    const again = await upstream.report();
    // Only serials whose answers the killed worker had not written are asked about again.
    const twice = more.filter((serial) => (again.calls[serial] ?? 0) > 1);
    assert.ok(twice.length <= 200, `${twice.length} serials were asked about more than once`);
  } finally {
    await workers.close();
  }
});
