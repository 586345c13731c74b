import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Outcome } from '#features/sources/server/configuration/source.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { makeBatch, makeSourceQueue, makeWriter } from '#tests/support/lookups/source-queue.ts';
import { type BatchTracker, createBatchTracker } from '../fetch/batch-tracker.ts';
import type { EgressCall } from '../queues/egress.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { LookupRow } from '../rows/batch.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import { createOutcomeHandler, type HandleOutcome, type OutcomeHandlerParts } from './handle-outcome.ts';

const start = 1_000_000;
const refused = { is: 'auth', error: 'HTTP 401' } as const;
const unreachable = { is: 'unreachable', error: 'ECONNREFUSED' } as const;
const faultyProxy = { is: 'proxy', error: 'HTTP 502', targetUnreachable: false } as const;

type EgressEnd = Parameters<EgressCall['end']>[0];
type Ended = Parameters<HandleOutcome>[0];
type Failure = Parameters<OutcomeHandlerParts['onSourceFailure']>[1];

let sourceQueue: SourceQueue;
let batchTracker: BatchTracker;
let results: RowResult[];
let failures: Failure[];
let counted: Outcome['is'][];
let handleOutcome: HandleOutcome;

function begin(queue = makeSourceQueue('first')): void {
  sourceQueue = queue;
  results = [];
  failures = [];
  counted = [];
  const writer = makeWriter({ addResult: (_, result) => void results.push(result) });
  batchTracker = createBatchTracker([sourceQueue], [], writer, createWakeup());
  handleOutcome = createOutcomeHandler({
    batchTracker,
    onSourceFailure: (_, failure) => void failures.push(failure),
    onCall: (_, { is }) => void counted.push(is),
  });
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
function takeRows(count: number, refusedAt: number | null = null): LookupRow[] {
  const { batch, rows } = makeBatch(Array.from({ length: count }, () => 'imei' as const));
  for (const row of rows) row.lookupState = { ...initialLookupState, source: 'first', refusedAt };
  batchTracker.add(batch, rows);
  return rows.map(() => sourceQueue.rows.shift() as LookupRow);
}

/** Makes one call about a row. @returns how the call ended for its egress */
function end(row: LookupRow, outcome: Ended['outcome'], askedAt = start): EgressEnd | undefined {
  let told: EgressEnd | undefined;
  const streakCall = sourceQueue.failureStreak.start();
  streakCall.end();
  const egressCall = {
    via: undefined,
    sent: () => undefined,
    end: (how: EgressEnd) => {
      told = how;
    },
  };
  handleOutcome({ sourceQueue, row, egressCall, streakCall, outcome, askedAt, ms: 1 });
  return told;
}

test('three refused rows without an answered call in between fill the failure streak', () => {
  for (const row of takeRows(3)) end(row, refused);
  assert.ok(sourceQueue.failureStreak.isFull);
  assert.deepEqual(
    failures.map(({ cause, certain, mayBeAlone }) => [cause, certain, mayBeAlone]),
    Array(3).fill(['auth', false, false]),
  );
});

test('a row that is refused again after other calls were answered no longer counts in the failure streak', () => {
  sourceQueue.failureStreak.setAnsweredAt(start);
  const rows = takeRows(3, start);
  for (const row of rows) end(row, refused);
  assert.ok(!sourceQueue.failureStreak.isFull);
  assert.deepEqual(failures, []);
  assert.deepEqual(
    rows.map(({ lookupState }) => lookupState.tries),
    [1, 1, 1],
  );
});

test('the last attempt at a row that is refused alone fails the row and does not count in the failure streak', () => {
  begin(makeSourceQueue('first', { attempts: 1 }));
  sourceQueue.failureStreak.setAnsweredAt(start);
  for (const row of takeRows(3, start)) end(row, refused, start - 5);
  assert.ok(!sourceQueue.failureStreak.isFull);
  assert.deepEqual(
    results.map(({ reason, details, fetchedAt, attempts }) => [reason, details, fetchedAt, attempts]),
    Array(3).fill(['Source unavailable', 'HTTP 401', start - 5, 1]),
  );
});

test('a row that is first refused at the time of an answer may be refused alone', () => {
  sourceQueue.failureStreak.setAnsweredAt(start);
  const [before, after] = takeRows(2);
  assert.ok(before && after);
  end(before, refused, start);
  end(after, refused, start + 1);
  assert.deepEqual(
    failures.map(({ mayBeAlone }) => mayBeAlone),
    [true, false],
  );
});

test('a refused row is delayed, or parked if it filled the failure streak and its source is blocked', () => {
  const [row] = takeRows(1);
  assert.ok(row);
  end(row, refused);
  assert.ok((row.lookupState.due ?? 0) > start);
  begin();
  const [parked] = takeRows(1);
  assert.ok(parked);
  sourceQueue.blockedBy = 'auth';
  end(parked, refused);
  assert.equal(parked.lookupState.due, null);
});

test('a call that reaches the source ends the failure streak, also if its row is retried later', () => {
  const [first, second, third, fourth] = takeRows(4);
  assert.ok(first && second && third && fourth);
  end(first, unreachable);
  end(second, unreachable);
  end(third, { is: 'retry', error: 'HTTP 503' });
  end(fourth, unreachable);
  assert.ok(!sourceQueue.failureStreak.isFull);
});

test('a single unreachable outcome proves that the source is down only through proxies', () => {
  for (const egress of ['direct', 'proxies'] as const) {
    begin(makeSourceQueue('first', { egress }));
    const [row] = takeRows(1);
    assert.ok(row);
    end(row, unreachable);
    assert.deepEqual(
      failures.map(({ cause, certain, mayBeAlone }) => [cause, certain, mayBeAlone]),
      [['down', egress === 'proxies', false]],
    );
  }
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
    assert.equal(sourceQueue.rows.shift(), row);
  }
  assert.deepEqual([counted, failures], [['retry', 'retry'], []]);
});

test('a source is unreachable when five working proxies cannot reach it', () => {
  const [row] = takeRows(1);
  assert.ok(row);
  for (let n = 1; n <= 5; n++) end(row, { ...faultyProxy, targetUnreachable: true });
  assert.deepEqual([counted, failures.map(({ cause }) => cause)], [['unreachable'], ['down']]);
});

test('without another proxy, one working proxy that cannot reach the source shows that it is unreachable, but a faulty proxy does not', () => {
  for (const [targetUnreachable, expected] of [
    [true, ['unreachable']],
    [false, []],
  ] as const) {
    const queue = makeSourceQueue('first');
    begin({ ...queue, egress: { ...queue.egress, isEmpty: () => true } });
    const [row] = takeRows(1);
    assert.ok(row);
    end(row, { ...faultyProxy, targetUnreachable });
    assert.deepEqual(counted, expected);
  }
});

test('a row is not retried through another proxy when its source is blocked or its batch lost', () => {
  const [row, lost] = takeRows(2);
  assert.ok(row && lost);
  sourceQueue.blockedBy = 'down';
  end(row, faultyProxy);
  assert.equal(row.batch.parked.get(row), 'first');
  sourceQueue.blockedBy = null;
  batchTracker.drop(() => true);
  end(lost, faultyProxy);
  assert.equal(sourceQueue.rows.size, 0);
});

test('the egress learns from each outcome whether its proxy works', () => {
  const outcomes: [Ended['outcome'], EgressEnd][] = [
    [{ is: 'not_found' }, 'answered'],
    [{ is: 'retry', error: 'HTTP 503' }, 'answered'],
    [{ is: 'retry', error: 'no answer', unanswered: true }, 'unknown'],
    [unreachable, 'unknown'],
    [faultyProxy, 'faulty'],
    [{ ...faultyProxy, targetUnreachable: true }, 'target_unreachable'],
  ];
  const rows = takeRows(outcomes.length);
  const told = outcomes.map(([outcome], n) => end(rows[n] as LookupRow, outcome));
  assert.deepEqual(
    told,
    outcomes.map(([, how]) => how),
  );
});
