import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { createLog } from '#server/runtime/log.ts';
import { makeBatch, makeSourceQueue, makeWriter } from '#tests/support/lookups/source-queue.ts';
import { createBatchTracker } from '../fetch/batch-tracker.ts';
import { createSourceGate } from '../gate/source-gate.ts';
import { createProxyPool } from '../proxies/proxy-pool.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { createDispatcher, type DispatcherParts } from './dispatcher.ts';
import { createFailedCalls } from './failed-calls.ts';

/** The calls in flight, oldest first. */
let asked: { source: string; serial: string; answer(outcome: Outcome): void }[];
let handled: Parameters<DispatcherParts['handleOutcome']>[0][];
/** The tickets of the batches that the writer was told about. */
let noted: number[];
beforeEach(() => {
  asked = [];
  handled = [];
  noted = [];
});

function makeQueue(name: string, accepts: ('imei' | 'serial')[]): SourceQueue {
  const queue = makeSourceQueue(name, { accepts });
  const ask = ({ serial }: { serial: string }) =>
    new Promise<Outcome>((answer) => asked.push({ source: name, serial, answer }));
  return { ...queue, source: { ...queue.source, ask } };
}

/** Creates a dispatcher with one source queue for each list of row kinds. */
function make(
  sourceQueues: SourceQueue[],
  kinds: ('imei' | 'serial')[],
  { concurrency = 10, room = 1 }: { concurrency?: number; room?: number } = {},
) {
  const wakeup = createWakeup();
  const writer = makeWriter({ room, addCall: ({ ticketId }) => noted.push(ticketId) });
  const batchTracker = createBatchTracker(sourceQueues, [], writer, wakeup);
  const log = createLog('test', 'silent');
  const dispatcher = createDispatcher({
    log,
    failedCalls: createFailedCalls(log),
    sourceQueues,
    concurrency,
    batchTracker,
    writer,
    wakeup,
    handleOutcome: (call) => void handled.push(call),
  });
  const { batch } = makeBatch(kinds);
  batchTracker.add(batch);
  wakeup.listen(() => dispatcher.dispatch());
  return { dispatcher, batchTracker };
}

/** Answers a call, and waits until its outcome is handled. */
async function answer(n: number, outcome: Outcome): Promise<void> {
  asked[n]?.answer(outcome);
  await new Promise((resolve) => setImmediate(resolve));
}

test('calls start up to the concurrency of the worker, and the next one starts when a call ends', async () => {
  const { dispatcher } = make([makeQueue('first', ['imei'])], ['imei', 'imei', 'imei'], { concurrency: 2 });
  assert.deepEqual(noted, []);
  dispatcher.dispatch();
  assert.deepEqual([asked.length, dispatcher.inFlight], [2, 2]);
  assert.deepEqual(noted, [1, 1]);
  await answer(0, { is: 'not_found' });
  assert.deepEqual([asked.length, dispatcher.inFlight], [3, 2]);
  assert.deepEqual(
    handled.map(({ row, outcome }) => [row.serial, outcome.is]),
    [['S0', 'not_found']],
  );
});

test('no call starts while the writer has no room for its result', () => {
  const { dispatcher } = make([makeQueue('first', ['imei'])], ['imei'], { room: 0 });
  dispatcher.dispatch();
  assert.equal(asked.length, 0);
});

test('the source with the fewest calls in flight is asked first', () => {
  const sourceQueues = [makeQueue('first', ['imei']), makeQueue('second', ['serial'])];
  const { dispatcher } = make(sourceQueues, ['imei', 'imei', 'serial', 'serial'], { concurrency: 3 });
  dispatcher.dispatch();
  assert.deepEqual(
    asked.map(({ source }) => source),
    ['first', 'second', 'first'],
  );
});

test('a source that hangs leaves places to every other source', () => {
  const sourceQueues = [makeQueue('hangs', ['imei']), makeQueue('fast', ['serial'])];
  const kinds = Array.from({ length: 64 }, () => 'imei' as const);
  const { dispatcher, batchTracker } = make(sourceQueues, kinds, { concurrency: 64 });
  dispatcher.dispatch();
  assert.equal(asked.length, 60);
  batchTracker.add(makeBatch(['serial', 'serial', 'serial', 'serial', 'serial']).batch);
  dispatcher.dispatch();
  assert.equal(asked.filter(({ source }) => source === 'fast').length, 4);
});

test('a blocked source is only asked by a probe', async () => {
  const sourceQueue = makeQueue('first', ['imei']);
  const { dispatcher, batchTracker } = make([sourceQueue], ['imei', 'imei'], { concurrency: 1 });
  dispatcher.dispatch();
  sourceQueue.gate.follow('down');
  await answer(0, { is: 'not_found' });
  assert.equal(asked.length, 1);
  batchTracker.followSources();
  const parked = batchTracker.takeParked(sourceQueue);
  assert.ok(parked);
  const probed = dispatcher.probe(sourceQueue, parked);
  await answer(1, { is: 'not_found' });
  assert.deepEqual(await probed, { is: 'not_found' });
  assert.deepEqual([asked.length, handled.length], [2, 2]);
});

test('a probe asks nothing while no proxy is free, and its row waits on', async () => {
  const proxies = createProxyPool(() => undefined);
  const sourceQueue = {
    ...makeQueue('first', ['imei']),
    gate: createSourceGate({ limits: {}, remote: true }, proxies.createEgress({})),
  };
  sourceQueue.gate.follow('down');
  const { dispatcher, batchTracker } = make([sourceQueue], []);
  const { batch, rows } = makeBatch(['imei', 'imei']);
  const [row] = rows;
  assert.ok(row);
  batchTracker.add(batch, row);
  assert.equal(await dispatcher.probe(sourceQueue, row), undefined);
  assert.deepEqual([asked.length, row.state], [0, 'parked']);
});

test('a row whose request got no permit returns to its queue and is asked about again', async () => {
  const { dispatcher } = make([makeQueue('first', ['imei'])], ['imei']);
  dispatcher.dispatch();
  await answer(0, { is: 'unsent', error: 'no permit' });
  assert.deepEqual([handled.length, asked.length, dispatcher.inFlight], [0, 2, 1]);
});

test('a row is retried later when its source throws an error', async () => {
  const queue = makeQueue('first', ['imei']);
  const { dispatcher } = make(
    [{ ...queue, source: { ...queue.source, ask: () => Promise.reject(new Error('a fault')) } }],
    ['imei'],
  );
  dispatcher.dispatch();
  await answer(0, { is: 'not_found' });
  assert.deepEqual(
    handled.map(({ outcome }) => outcome),
    [{ is: 'retry', error: 'unexpected failure' }],
  );
});

test('a stopped dispatcher starts no call, and an aborted one ignores outcomes', async () => {
  const { dispatcher } = make([makeQueue('first', ['imei'])], ['imei', 'imei'], { concurrency: 1 });
  dispatcher.dispatch();
  dispatcher.stop();
  await answer(0, { is: 'not_found' });
  assert.deepEqual([asked.length, handled.length], [1, 1]);
  const other = make([makeQueue('first', ['imei'])], ['imei']);
  other.dispatcher.dispatch();
  other.dispatcher.abort();
  await answer(1, { is: 'not_found' });
  assert.deepEqual([asked.length, handled.length, other.dispatcher.inFlight], [2, 1, 0]);
});
