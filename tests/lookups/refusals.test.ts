import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import {
  importTicket,
  makeSerials,
  readTicket,
  waitUntilCompleted,
  waitUntilDone,
} from '#tests/support/lookups/tickets.ts';
import {
  prepareWorkers,
  type WorkerProcess,
  type WorkerProcesses,
} from '#tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { waitFor } from '#tests/support/wait.ts';

/** Far longer than the test takes, and far shorter than the backoff of a source that refuses the account. */
const soon = 30_000;

let database: TestDatabase;
let upstream: Upstream;
let workers: WorkerProcesses;
let worker: WorkerProcess;
before(async () => {
  [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  workers = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { attempts: 3, request: requestTo(upstream) }),
  ]);
  worker = await workers.start();
});
after(async () => {
  await workers.close();
  await upstream.close();
  await database.close();
});

const requestTo = ({ url }: Upstream) => ({ url: `${url}/v1/coverage/{serial}`, timeout_ms: 60_000 });

/** Waits until a ticket is completed. Returns its failed rows. */
async function failedOf(id: number) {
  await waitUntilCompleted(database.pool, id);
  const { rows } = await database.pool.query(
    "SELECT serial, reason, details, attempts FROM serials WHERE ticket_id = $1 AND state = 'failed'",
    [id],
  );
  return rows;
}

async function stateOfSource(): Promise<string> {
  const { rows } = await database.pool.query<{ state: string }>('SELECT state FROM sources');
  return rows[0]?.state ?? '';
}

for (const status of [401, 402]) {
  test(`the only serial that is answered ${status} fails and does not block other rows`, async () => {
    const serials = makeSerials(`ALONE${status}-`, 200);
    const refused = serials[20] ?? '';
    await upstream.plan({ [refused]: [{ status, body: {} }] });
    const id = await importTicket(database.pool, serials);
    await waitUntilDone(database.pool, id, 199, soon);
    const failed = { serial: refused, reason: 'Source unavailable', details: `HTTP ${status}`, attempts: 3 };
    assert.deepEqual(await failedOf(id), [failed]);
    assert.equal(await stateOfSource(), 'up');
    const { calls } = await upstream.report();
    assert.deepEqual(
      serials.filter((serial) => serial !== refused && calls[serial] !== 1),
      [],
    );
  });
}

test('many refused serials use up attempts while other serials are answered, which are all done', async () => {
  const serials = makeSerials('MANY', 400);
  const refused = serials.filter((_, n) => n % 10 === 0);
  await upstream.plan(Object.fromEntries(refused.map((serial) => [serial, [{ status: 403, body: {} }, {}]])));
  const id = await importTicket(database.pool, serials);
  await waitUntilDone(database.pool, id, 400, soon);
  await waitUntilCompleted(database.pool, id);
});

test('a ticket whose only serial is refused fails, and its source stays up', async () => {
  await upstream.plan({ LONELY: [{ status: 401, body: {} }] });
  const lonely = await importTicket(database.pool, ['LONELY']);
  const failed = { serial: 'LONELY', reason: 'Source unavailable', details: 'HTTP 401', attempts: 3 };
  assert.deepEqual(await failedOf(lonely), [failed]);
  assert.equal(await stateOfSource(), 'up');
});

test('refused rows that close the source do not hold up the rows of another ticket', async () => {
  // With attempts for a slow machine: the rows are refused until the plan changes.
  await worker.drain();
  const patient = await prepareWorkers(database.url, [
    upstreamEntry(upstream, { attempts: 50, request: requestTo(upstream) }),
  ]);
  await patient.start();
  const refused = makeSerials('ODD', 3);
  await upstream.plan(Object.fromEntries(refused.map((serial) => [serial, [{ status: 401, body: {} }]])));
  const odd = await importTicket(database.pool, refused);
  await waitFor('a probe in vain', async () => {
    const { rows } = await database.pool.query('SELECT FROM sources WHERE probe_step > 0');
    return rows.length > 0;
  });
  const other = await importTicket(database.pool, makeSerials('OTHER', 50));
  // The waits between probes grow to minutes.
  const untilDone = (id: number, count: number) =>
    waitFor('the rows to be done', async () => {
      await database.pool.query('UPDATE sources SET probe_at = now() WHERE probe_at > now()');
      return (await readTicket(database.pool, id))?.done === count;
    });
  await untilDone(other, 50);
  await upstream.plan(Object.fromEntries(refused.map((serial) => [serial, [{}]])));
  await untilDone(odd, 3);
  await patient.close();
  worker = await workers.start();
});

test('the source stays blocked with the same backoff when a worker stops during a probe', async () => {
  const serials = makeSerials('HUNG', 20);
  await upstream.plan(
    Object.fromEntries(serials.map((serial) => [serial, [{ status: 401 }, { hang: true }]])),
  );
  await importTicket(database.pool, serials);
  await waitFor('the source to be blocked', async () => (await stateOfSource()) === 'auth');
  await database.pool.query('UPDATE sources SET probe_step = 3, probe_at = now()');
  await waitFor('a probe', async () => {
    const { calls } = await upstream.report();
    return serials.some((serial) => calls[serial] === 2);
  });
  await worker.drain();
  const { rows } = await database.pool.query('SELECT state, probe_step, probe_worker FROM sources');
  assert.deepEqual(rows, [{ state: 'auth', probe_step: 3, probe_worker: null }]);
});
