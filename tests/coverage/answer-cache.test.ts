import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { importTicket, readTicket } from '#tests/support/tickets.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';
import { prepareWorkers } from '#tests/support/worker-processes.ts';

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

/** Looks the same serials up in a new ticket with a worker that is started for it. @returns how often each was asked */
async function lookUp(entry: object, env: Record<string, string>): Promise<(number | undefined)[]> {
  const workers = await prepareWorkers(database.url, [entry]);
  try {
    const worker = await workers.start({ CACHE_HOURS: '1', ...env });
    const id = await importTicket(database.pool, serials);
    await waitFor('the end', async () => (await readTicket(database.pool, id))?.status === 'Completed');
    await worker.drain();
  } finally {
    await workers.close();
  }
  const { calls } = await upstream.report();
  return serials.map((serial) => calls[serial]);
}

test('answers are reused where the same is asked, whatever the source is called, and never of another product', async () => {
  const entry = upstreamEntry(upstream, {
    request: {
      url: `${upstream.url}/v1/coverage/{serial}`,
      query: { service: '${SERVICE}', key: '${API_KEY}' },
    },
  });
  const env = { SERVICE: '1', API_KEY: 'a secret key' };
  assert.deepEqual(await lookUp(entry, env), [1, 1, 1, 1, 1]);
  const renamed = {
    ...entry,
    name: 'renamed',
    label: 'Renamed',
    accepts: ['serial'],
    limits: { per_second: 100 },
  };
  assert.deepEqual(await lookUp(renamed, env), [1, 1, 1, 1, 1]);
  assert.deepEqual(await lookUp(entry, { ...env, SERVICE: '2' }), [2, 2, 2, 2, 2]);
  // A day begins at another instant elsewhere.
  assert.deepEqual(await lookUp(entry, { ...env, APP_TIMEZONE: 'America/Lima' }), [3, 3, 3, 3, 3]);
});

test('serials that are in several tickets at once are asked about once, whichever worker has them', async () => {
  await upstream.setLatency(50);
  const workers = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { name: 'shared', limits: { concurrency: 20 } }),
  ]);
  try {
    const both = Array.from({ length: 2 }, () => workers.start({ CACHE_HOURS: '1' }));
    const [, victim] = await Promise.all(both);
    const shared = Array.from({ length: 500 }, (_, n) => `SHARED${n}`);
    const ids = [await importTicket(database.pool, shared), await importTicket(database.pool, shared)];
    const end = (id: number) =>
      waitFor('the end', async () => (await readTicket(database.pool, id))?.status === 'Completed');
    await Promise.all(ids.map(end));
    const { calls } = await upstream.report();
    assert.deepEqual(
      shared.filter((serial) => calls[serial] !== 1),
      [],
    );

    const more = Array.from({ length: 1000 }, (_, n) => `ORPHANED${n}`);
    const others = [await importTicket(database.pool, more), await importTicket(database.pool, more)];
    const areSome = async () => ((await readTicket(database.pool, others[0] ?? 0))?.done ?? 0) > 200;
    await waitFor('some rows to be done', areSome);
    await victim?.kill();
    await Promise.all(others.map(end));
    const again = await upstream.report();
    // Only what the killed worker had asked and not written is asked again.
    const twice = more.filter((serial) => (again.calls[serial] ?? 0) > 1);
    assert.ok(twice.length <= 200, `${twice.length} serials were asked about more than once`);
  } finally {
    await workers.close();
  }
});
