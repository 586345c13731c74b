import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { importTicket, waitUntilCompleted } from '#tests/support/lookups/tickets.ts';
import { prepareWorkers, type WorkerProcesses } from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import type { UpstreamStep } from '#tests/support/sources/upstream-plan.ts';

const attempts = 3;
/** Short enough for a test, long enough for a busy machine. */
const timeoutMs = 2000;

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  const request = { url: `${upstream.url}/v1/coverage/{serial}`, timeout_ms: timeoutMs };
  workers = await prepareWorkers(database.url, [upstreamEntry(upstream, { attempts, request })]);
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

type Expected = { state: string; reason: string | null; attempts: number; calls: number };

/** Computes the result of a serial with these answers, independently of the product's code. */
const cases: { steps: UpstreamStep[]; expected: Expected }[] = [
  { steps: [], expected: { state: 'done', reason: null, attempts: 1, calls: 1 } },
  { steps: [{ delayMs: 30 }], expected: { state: 'done', reason: null, attempts: 1, calls: 1 } },
  {
    steps: [{ status: 404, body: {} }],
    expected: { state: 'failed', reason: 'Not found', attempts: 1, calls: 1 },
  },
  {
    steps: [{ body: { code: 404 } }],
    expected: { state: 'failed', reason: 'Not found', attempts: 1, calls: 1 },
  },
  {
    steps: [{ status: 503, body: {} }, {}],
    expected: { state: 'done', reason: null, attempts: 2, calls: 2 },
  },
  {
    steps: [{ status: 429, body: 'slow down', headers: { 'retry-after': '1' } }, {}],
    expected: { state: 'done', reason: null, attempts: 2, calls: 2 },
  },
  {
    steps: [{ status: 429, body: {}, headers: { 'retry-after': '0' } }],
    expected: { state: 'failed', reason: 'Source unavailable', attempts, calls: attempts },
  },
  {
    steps: [{ status: 503, body: {}, headers: { 'retry-after': '0' } }],
    expected: { state: 'failed', reason: 'Source unavailable', attempts, calls: attempts },
  },
  {
    steps: [{ body: '{"code": 0, "mod' }, {}],
    expected: { state: 'done', reason: null, attempts: 2, calls: 2 },
  },
  { steps: [{ reset: true }, {}], expected: { state: 'done', reason: null, attempts: 2, calls: 2 } },
  { steps: [{ hang: true }, {}], expected: { state: 'done', reason: null, attempts: 2, calls: 2 } },
  {
    steps: [{ status: 302, body: {}, headers: { location: '/elsewhere' } }, {}],
    expected: { state: 'done', reason: null, attempts: 2, calls: 2 },
  },
  {
    steps: [{ body: 'x'.repeat(300_000) }, {}],
    expected: { state: 'done', reason: null, attempts: 2, calls: 2 },
  },
  {
    steps: [{ status: 400, body: {} }],
    expected: { state: 'failed', reason: 'Rejected by source', attempts: 1, calls: 1 },
  },
];

test('3,000 serials with all kinds of answers get the expected results in the expected number of calls', async () => {
  const serials = Array.from({ length: 3000 }, (_, n) => `SERIAL${String(n).padStart(5, '0')}`);
  // One serial in ten has problems.
  const caseOf = (n: number) => (n % 10 === 0 ? cases[(n / 10) % cases.length] : cases[0]) ?? { steps: [] };
  const planned = serials.flatMap((serial, n) => {
    const { steps } = caseOf(n);
    return steps.length === 0 ? [] : [[serial, steps] as const];
  });
  await upstream.plan(Object.fromEntries(planned));
  const id = await importTicket(database.pool, serials);
  await workers.start();
  const ticket = await waitUntilCompleted(database.pool, id);

  const { rows } = await database.pool.query<Expected & { serial: string }>(
    'SELECT serial, state, reason, attempts FROM serials WHERE ticket_id = $1 ORDER BY position',
    [id],
  );
  const { calls } = await upstream.report();
  const wrong = rows.flatMap(({ serial, ...row }, n) => {
    const is = { ...row, calls: calls[serial] };
    const { expected } = caseOf(n) as (typeof cases)[number];
    return JSON.stringify(is) === JSON.stringify(expected) ? [] : [{ serial, is, expected }];
  });
  assert.deepEqual(wrong, []);
  const done = rows.filter(({ state }) => state === 'done').length;
  assert.deepEqual([ticket.done, ticket.failed, ticket.total], [done, 3000 - done, 3000]);
  assert.deepEqual([ticket.activated, ticket.unactivated], [done, 0]);
});
