import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Coverage } from '#features/sources/sources.contract.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { makeBatch, makeSourceQueue, makeWriter } from '#tests/support/lookups/source-queue.ts';
import { type BatchTracker, createBatchTracker } from '../fetch/batch-tracker.ts';
import { directEgress, type Egress } from '../gate/egress.ts';
import { createSourceGate } from '../gate/source-gate.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { RowResult } from '../rows/row-result.ts';
import { createOutcomeHandler, type HandleOutcome, type OutcomeHandlerParts } from './handle-outcome.ts';

const start = 1_000_000;
const refused = { is: 'auth', error: 'HTTP 401' } as const;
const unreachable = { is: 'unreachable', error: 'ECONNREFUSED' } as const;
const faultyProxy = { is: 'proxy', error: 'HTTP 502', targetUnreachable: false } as const;

type Ended = Parameters<HandleOutcome>[0];
type Failure = Parameters<OutcomeHandlerParts['onSourceFailure']>[1];

let sourceQueue: SourceQueue;
let batchTracker: BatchTracker;
let results: RowResult[];
let failures: Failure[];
let handleOutcome: HandleOutcome;

function begin(queue = makeSourceQueue('first')): void {
  sourceQueue = queue;
  results = [];
  failures = [];
  const writer = makeWriter({ addResult: (_, result) => void results.push(result) });
  batchTracker = createBatchTracker([sourceQueue], [], writer, createWakeup());
  handleOutcome = createOutcomeHandler({
    batchTracker,
    onSourceFailure: (_, failure) => void failures.push(failure),
  });
}

/** Returns the numbers of counted calls by outcome. */
const counted = () => sourceQueue.callCounter.take()?.outcomes ?? {};

/** Creates the queue of a source that is asked through proxies. */
function throughProxies(more: Partial<Egress> = {}): SourceQueue {
  const queue = makeSourceQueue('first', { egress: 'proxies' });
  const gate = createSourceGate(queue.entry, { ...directEgress, ...more });
  gate.limiter.setAllocation({ perSecond: null, concurrency: null });
  return { ...queue, gate };
}

beforeEach(() => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: start });
  // The steady clock follows the mocked clock.
  mock.method(performance, 'now', () => Date.now() - performance.timeOrigin);
  // A batch whose row is due soon is kept.
  mock.method(Math, 'random', () => 0.1);
  begin();
});
afterEach(() => mock.reset());

/** Takes rows of one ticket out of the source's queue, as a call does. */
function takeRows(count: number): LookupRow[] {
  const { batch, rows } = makeBatch(Array.from({ length: count }, () => 'imei' as const));
  batchTracker.add(batch);
  return rows.map(() => sourceQueue.rows.shift() as LookupRow);
}

/** Makes one call about a row. */
function end(row: LookupRow, outcome: Ended['outcome'], askedAt = start): void {
  const gateCall = sourceQueue.gate.start(performance.now());
  gateCall.end(outcome);
  handleOutcome({ sourceQueue, row, gateCall, outcome, askedAt, ms: 1 });
}

test('results have the name of their source, and those of a simulated one always sandbox', () => {
  const coverage = { type: 'Phone' } as Coverage;
  for (const simulated of [false, true]) {
    begin(makeSourceQueue('demo', { simulated }));
    const [row] = takeRows(1);
    end(row as LookupRow, { is: 'found', coverage });
    assert.deepEqual(
      results.map(({ source }) => source),
      [simulated ? 'sandbox' : 'demo'],
    );
  }
});

test('the third row that is refused without an answer in between closes the source and uses up no attempt', () => {
  const rows = takeRows(3);
  for (const row of rows) end(row, refused);
  assert.deepEqual(failures, [{ cause: 'auth', error: 'HTTP 401' }]);
  assert.deepEqual(
    rows.map(({ lookupState }) => lookupState.tries),
    [1, 1, 0],
  );
});

test('a lone refusal uses up an attempt, and the last one fails the row', () => {
  begin(makeSourceQueue('first', { attempts: 2 }));
  const [row] = takeRows(1);
  assert.ok(row);
  end(row, refused);
  assert.deepEqual([row.lookupState.tries, results], [1, []]);
  mock.timers.tick((row.lookupState.due ?? 0) - Date.now());
  batchTracker.resumeDue();
  end(row, refused, start - 5);
  assert.deepEqual(failures, []);
  const { reason, details, fetchedAt, attempts } = results[0] ?? {};
  assert.deepEqual([reason, details, fetchedAt, attempts], ['Source unavailable', 'HTTP 401', start - 5, 2]);
});

test('a refused probe uses up no attempt', () => {
  const [row] = takeRows(1);
  assert.ok(row);
  sourceQueue.gate.follow('auth');
  end(row, refused);
  assert.deepEqual([row.lookupState.tries, row.awaits], [0, 'first']);
});

test('a call that reaches the source ends the failure streak, also if its row is retried later', () => {
  const [first, second, third, fourth] = takeRows(4);
  assert.ok(first && second && third && fourth);
  end(first, unreachable);
  end(second, unreachable);
  end(third, { is: 'retry', error: 'HTTP 503' });
  end(fourth, unreachable);
  assert.deepEqual(failures, []);
});

test('the fifth proxy failure of a row in a sequence counts as an attempt', () => {
  const [row] = takeRows(1);
  assert.ok(row);
  for (const tries of [1, 2]) {
    for (let n = 1; n <= 4; n++) {
      end(row, faultyProxy);
      assert.equal(sourceQueue.rows.shift(), row, 'asked about again at once');
    }
    end(row, { ...faultyProxy, targetUnreachable: true });
    assert.equal(row.lookupState.tries, tries);
    mock.timers.tick((row.lookupState.due ?? 0) - Date.now());
    batchTracker.resumeDue();
    assert.equal(sourceQueue.rows.shift(), row);
  }
  assert.deepEqual([counted(), failures], [{ retry: 2 }, []]);
});

test('a source is unreachable when five working proxies cannot reach it', () => {
  begin(throughProxies());
  const [row] = takeRows(1);
  assert.ok(row);
  for (let n = 1; n <= 5; n++) end(row, { ...faultyProxy, targetUnreachable: true });
  assert.deepEqual([counted(), failures.map(({ cause }) => cause)], [{ unreachable: 1 }, ['down']]);
});

test('without another proxy, one working proxy that cannot reach the source shows that it is unreachable, but a faulty proxy does not', () => {
  for (const [targetUnreachable, expected] of [
    [true, { unreachable: 1 }],
    [false, {}],
  ] as const) {
    begin(throughProxies({ isEmpty: () => true }));
    const [row] = takeRows(1);
    assert.ok(row);
    end(row, { ...faultyProxy, targetUnreachable });
    assert.deepEqual(counted(), expected);
  }
});

test('a row is not retried through another proxy when its source is blocked or its batch lost', () => {
  const [row, lost] = takeRows(2);
  assert.ok(row && lost);
  sourceQueue.gate.follow('down');
  end(row, faultyProxy);
  assert.equal(row.awaits, 'first');
  sourceQueue.gate.follow(null);
  batchTracker.drop(() => true);
  end(lost, faultyProxy);
  assert.equal(sourceQueue.rows.size, 0);
});
