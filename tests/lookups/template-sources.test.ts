import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { type StandIn, startStandIn } from '#tests/support/sources/vendor-stand-in.ts';

// Runs a source template in a real worker: a pending order is polled until it is done.

type Entry = { name: string; request: { url: string }; poll: { url: string } };

let database: TestDatabase;
let service: StandIn;
let workers: WorkerProcesses;
const polls = new Map<string, number>();

before(async () => {
  database = await createTestDatabase();
  service = await startStandIn(({ path, query }) => {
    const order = /^\/api\/search_history\/(\d+)\/$/.exec(path)?.[1];
    if (order === undefined)
      return { status: 202, body: { history_id: Number(query.get('imei')?.slice(-4)) } };
    const count = (polls.get(order) ?? 0) + 1;
    polls.set(order, count);
    if (count < 3) return { body: { id: Number(order), status: 'In_progress' } };
    return { body: { id: Number(order), status: 'Done', result: { model: `Model ${order}` } } };
  });
  const file = readFileSync(new URL('../../docs/sources/templates.json', import.meta.url), 'utf8');
  const entry = (JSON.parse(file) as { sources: Entry[] }).sources.find(({ name }) => name === 'imei-info');
  assert.ok(entry);
  const move = (url: string) => url.replace(/^https:\/\/[^/]+/, service.url);
  workers = await prepareWorkers(database.url, [
    {
      ...entry,
      enabled: true,
      limits: { per_second: 500, concurrency: 8 },
      request: { ...entry.request, url: move(entry.request.url) },
      poll: { ...entry.poll, url: move(entry.poll.url), every_ms: 50 },
    },
  ]);
});
after(async () => {
  await workers.close();
  await service.close();
  await database.close();
});

test('an enabled template asks, polls pending answers, and finishes each row once', async () => {
  await workers.start({ IMEI_INFO_KEY: 'key', IMEI_INFO_SERVICE: '12' });
  const serials = Array.from({ length: 12 }, (_, n) => `SN17XK1A${String(1000 + n)}`);
  const ticket = await importTicket(database.pool, serials);
  await waitUntilCompleted(database.pool, ticket);
  const { rows } = await database.pool.query(
    'SELECT serial, state, type, attempts FROM serials WHERE ticket_id = $1 ORDER BY position',
    [ticket],
  );
  assert.deepEqual(
    rows,
    serials.map((serial) => ({ serial, state: 'done', type: `Model ${serial.slice(-4)}`, attempts: 1 })),
  );
  assert.deepEqual(
    [...polls.values()],
    serials.map(() => 3),
  );
  const asked = service.received.filter(({ path }) => path === '/api/check/12/');
  assert.equal(asked.length, serials.length);
});
