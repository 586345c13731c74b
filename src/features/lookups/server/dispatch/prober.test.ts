import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { openCircuit } from '#features/sources/server/states/circuit.queries.ts';
import { listSourceStates, syncSources } from '#features/sources/server/states/source-states.queries.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { holdLock, waitForWaiting } from '#tests/support/database/race.ts';
import { makeBatch, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import { createProber } from './prober.ts';

const worker = '11111111-1111-4111-8111-111111111111';

let database: TestDatabase;
let sourceQueue: SourceQueue;
let parked: LookupRow | undefined;
let fetched: LookupRow | undefined;
let asked: LookupRow[];

before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());
beforeEach(async () => {
  await database.pool.query('DELETE FROM sources');
  await syncSources(database.pool, [{ name: 'shop', key: 'shop' }]);
  sourceQueue = makeSourceQueue('shop');
  [parked, fetched, asked] = [undefined, undefined, []];
});

/** Creates a row that waits for the source. */
function makeRow(): LookupRow {
  const [row] = makeBatch(['imei']).rows;
  assert.ok(row);
  return row;
}

/** Opens the circuit with a probe due in `waitMs`, and starts the due probe, which ends with `outcome`. */
async function probe(outcome: Outcome | undefined, waitMs = 0) {
  const { pool } = database;
  await openCircuit(pool, 'shop', { cause: 'auth', error: 'HTTP 401', waitMs });
  await pool.query("UPDATE sources SET last_error_at = now() - interval '2 seconds'");
  await startDue(outcome);
}

/** Creates a prober whose probes end with `outcome`. */
const createTestProber = (outcome: Outcome | undefined) =>
  createProber({
    pool: database.pool,
    log: createLog('test', 'silent'),
    sourceQueues: [sourceQueue],
    batchTracker: { takeParked: () => parked },
    fetcher: { fetchProbeRow: async () => fetched },
    worker,
    dispatcher: {
      dispatch: () => undefined,
      stop: () => undefined,
      abort: () => undefined,
      inFlight: 0,
      async probe(_, row) {
        asked.push(row);
        return outcome;
      },
    },
  });

async function startDue(outcome: Outcome | undefined): Promise<void> {
  const prober = createTestProber(outcome);
  await startProbes(prober);
  await prober.waitForProbes();
}

async function startProbes(prober: ReturnType<typeof createProber>): Promise<void> {
  const states = await listSourceStates.all(database.pool);
  prober.startDue(new Map(states.map((state) => [state.name, state])));
}

/** Reads the shared state of the source; `seconds` from its last error to its next probe. */
async function readCircuit() {
  const { rows } = await database.pool.query(
    `SELECT state, probe_step AS step, probe_worker IS NULL AS free, last_error AS error,
       round(extract(epoch FROM probe_at - last_error_at))::int AS seconds FROM sources`,
  );
  return rows[0];
}

test('a source stays down when a probe does not reach it, and the next probe is due in 5 s', async () => {
  parked = makeRow();
  await probe({ is: 'unreachable', error: 'ECONNREFUSED' });
  assert.deepEqual(asked, [parked]);
  assert.deepEqual(await readCircuit(), {
    state: 'down',
    step: 0,
    free: true,
    error: 'ECONNREFUSED',
    seconds: 5,
  });
});

test('the wait for the next probe grows with each refused probe', async () => {
  parked = makeRow();
  await probe({ is: 'quota', error: 'HTTP 429' });
  const first = await readCircuit();
  assert.deepEqual([first.state, first.step, first.free, first.error], ['quota', 1, true, 'HTTP 429']);
  await database.pool.query('UPDATE sources SET probe_at = now()');
  await startDue({ is: 'auth', error: 'HTTP 401' });
  const second = await readCircuit();
  assert.deepEqual([second.state, second.step, second.free], ['auth', 2, true]);
  assert.ok(second.seconds > first.seconds, `${first.seconds} s, then ${second.seconds} s`);
});

test('a probe without a response says nothing about the account: its circuit stays open, and the wait is that of the step before', async () => {
  parked = makeRow();
  await probe({ is: 'quota', error: 'HTTP 429' });
  await database.pool.query(
    "UPDATE sources SET probe_at = now(), last_error_at = now() - interval '2 seconds'",
  );
  await startDue({ is: 'retry', error: 'the connection was closed', unanswered: true });
  const { state, step, free, seconds } = await readCircuit();
  assert.deepEqual([state, step, free, seconds], ['quota', 1, true, 10]);
});

test('an answer to a probe closes the circuit', async () => {
  fetched = makeRow();
  await probe({ is: 'not_found' });
  assert.deepEqual(asked, [fetched]);
  const { state, free, seconds } = await readCircuit();
  assert.deepEqual([state, free, seconds], ['up', true, null]);
});

test('a probe that finds no row is tried again soon', async () => {
  await probe({ is: 'not_found' });
  assert.deepEqual(asked, []);
  const { state, step, free, seconds } = await readCircuit();
  assert.deepEqual([state, step, free], ['auth', 0, true]);
  // It was due 2 s after the error.
  assert.ok(seconds >= 3, `${seconds} s after the error`);
});

test('no probe is sent before its time', async () => {
  parked = makeRow();
  await probe({ is: 'not_found' }, 60_000);
  assert.deepEqual(asked, []);
});

test('a stopped prober sends no probe', async () => {
  parked = makeRow();
  await openCircuit(database.pool, 'shop', { cause: 'auth', error: 'HTTP 401', waitMs: 0 });
  const prober = createTestProber({ is: 'not_found' });
  prober.stop();
  await startProbes(prober);
  await prober.waitForProbes();
  assert.deepEqual([asked, (await readCircuit()).free], [[], true]);
});

test('a probe whose lease is taken while the worker stops asks nothing, and releases the lease', async () => {
  const { pool } = database;
  parked = makeRow();
  await openCircuit(pool, 'shop', { cause: 'auth', error: 'HTTP 401', waitMs: 0 });
  const prober = createTestProber({ is: 'not_found' });
  await holdLock(pool, ['SELECT FROM sources FOR UPDATE', []], async (letGo) => {
    await startProbes(prober);
    await waitForWaiting(pool, 1);
    prober.stop();
    await letGo();
    await prober.waitForProbes();
  });
  assert.deepEqual([asked, (await readCircuit()).free], [[], true]);
});
