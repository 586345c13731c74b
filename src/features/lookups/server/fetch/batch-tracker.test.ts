import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { SourceBlock } from '#features/sources/server/states/source-states.queries.ts';
import { createWakeup } from '#server/concurrency/wakeup.ts';
import { makeBatch, makeResult, makeSourceQueue, makeWriter } from '#tests/support/lookups/source-queue.ts';
import type { FollowUp } from '../jobs/end-jobs.queries.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import type { Batch, LookupRow } from '../rows/batch.ts';
import { initialLookupState } from '../rows/lookup-state.ts';
import type { RowResult } from '../rows/row-result.ts';
import type { ResultWriter } from '../write/result-writer.ts';
import { type BatchTracker, createBatchTracker } from './batch-tracker.ts';

const start = 1_000_000;

let sourceQueues: SourceQueue[];
let batchTracker: BatchTracker;
let ends: { batch: Batch; followUp: FollowUp | null }[];
let results: RowResult[];
/** The rows whose lookup states were written. */
let continued: LookupRow[];
let writer: ResultWriter;

beforeEach(() => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: start });
  // The steady clock follows the mocked clock.
  mock.method(performance, 'now', () => Date.now() - performance.timeOrigin);
  sourceQueues = [
    makeSourceQueue('first', { accepts: ['imei', 'serial'] }),
    makeSourceQueue('second', { accepts: ['imei'] }),
  ];
  ends = [];
  results = [];
  continued = [];
  writer = makeWriter({
    addResult: (_, result) => void results.push(result),
    addLookupState: (row) => void continued.push(row),
    endBatch: (batch, followUp) => void ends.push({ batch, followUp }),
  });
  batchTracker = createBatchTracker(sourceQueues, [], writer, createWakeup());
});
afterEach(() => mock.reset());

const countQueued = () => sourceQueues.reduce((sum, { rows }) => sum + rows.size, 0);

/** Sets the reason why the first source is blocked. */
function block(why: SourceBlock | null): void {
  sourceQueues[0]?.gate.follow(why);
}

const done = (row: LookupRow | undefined): RowResult => {
  assert.ok(row);
  return makeResult(row);
};

const take = (sourceQueue: SourceQueue | undefined): LookupRow => {
  const row = sourceQueue?.rows.shift();
  assert.ok(row);
  return row;
};

test('a batch ends with its last result', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  assert.equal(countQueued(), 2);
  batchTracker.finish(take(sourceQueues[0]), done(rows[0]));
  assert.deepEqual(ends, []);
  batchTracker.finish(take(sourceQueues[0]), done(rows[1]));
  assert.deepEqual(ends, [{ batch, followUp: null }]);
  assert.equal(batchTracker.batches.size, 0);
});

test('rows of several tickets take turns at their source', () => {
  for (const ticketId of [1, 2]) {
    const { batch } = makeBatch(['imei', 'imei'], ticketId);
    batchTracker.add(batch);
  }
  const turns = [1, 2, 3, 4].map(() => take(sourceQueues[0]).batch.ticketId);
  assert.deepEqual(turns, [1, 2, 1, 2]);
});

test('rows are queued at the source that accepts them, and fail without one', () => {
  const { batch } = makeBatch(['imei', 'meid']);
  batchTracker.add(batch);
  assert.deepEqual(
    results.map(({ position, reason, details }) => [position, reason, details]),
    [[1, 'Not found', 'No source takes this kind of serial number']],
  );
  const row = take(sourceQueues[0]);
  batchTracker.proceed(row, { ...initialLookupState, answered: ['first'] });
  assert.equal(take(sourceQueues[1]), row);
});

test('a batch whose rows are delayed for long returns to the queue, due with its first row', () => {
  const { batch } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  batchTracker.proceed(take(sourceQueues[0]), {
    ...initialLookupState,
    source: 'first',
    due: start + 60_000,
  });
  assert.deepEqual(ends, []);
  batchTracker.proceed(take(sourceQueues[0]), {
    ...initialLookupState,
    source: 'first',
    due: start + 30_000,
  });
  assert.deepEqual(ends, [{ batch, followUp: { dueAt: start + 30_000, delayedBy: 'first', sources: [] } }]);
});

test('a batch whose first row is due soon is kept', () => {
  const { batch } = makeBatch(['imei']);
  batchTracker.add(batch);
  batchTracker.proceed(take(sourceQueues[0]), { ...initialLookupState, source: 'first', due: start + 500 });
  assert.equal(countQueued(), 0);
  mock.timers.tick(499);
  batchTracker.resumeDue();
  assert.equal(countQueued(), 0);
  mock.timers.tick(1);
  batchTracker.resumeDue();
  assert.equal(countQueued(), 1);
  assert.deepEqual(ends, []);
});

test('rows of a blocked source are parked, and are queued again when it is unblocked', () => {
  const { batch } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  const active = take(sourceQueues[0]);
  block('down');
  batchTracker.followSources();
  assert.deepEqual([countQueued(), batch.rows.parked.size], [0, 1]);
  block(null);
  batchTracker.followSources();
  assert.deepEqual([countQueued(), batch.rows.parked.size], [1, 0]);
  block('auth');
  batchTracker.followSources();
  batchTracker.putBack(active);
  assert.deepEqual(
    ends.map(({ followUp }) => followUp),
    [{ dueAt: null, delayedBy: null, sources: ['first'] }],
  );
});

test('a batch that waits for a source and for a time is due at either, and its rows can be used for probes', () => {
  const { batch } = makeBatch(['imei', 'serial']);
  batchTracker.add(batch);
  batchTracker.proceed(take(sourceQueues[0]), {
    ...initialLookupState,
    source: 'first',
    due: start + 60_000,
  });
  block('down');
  batchTracker.followSources();
  assert.deepEqual(ends, [
    { batch, followUp: { dueAt: start + 60_000, delayedBy: 'first', sources: ['first'] } },
  ]);
});

test('a batch whose rows wait for several sources waits until one of them is back', () => {
  sourceQueues[1] = makeSourceQueue('second', { accepts: ['meid'] });
  const { batch } = makeBatch(['imei', 'meid']);
  for (const sourceQueue of sourceQueues) sourceQueue.gate.follow('down');
  batchTracker = createBatchTracker(sourceQueues, [], writer, createWakeup());
  batchTracker.add(batch);
  const [end] = ends;
  assert.deepEqual(end?.followUp, { dueAt: null, delayedBy: null, sources: ['first', 'second'] });
});

test('rows are parked while other workers use all of a source’s limits, and queued again when this worker has an allocation', () => {
  sourceQueues[1] = makeSourceQueue('second', { accepts: ['meid'] });
  batchTracker = createBatchTracker(sourceQueues, [], writer, createWakeup());
  const [first] = sourceQueues;
  assert.ok(first);
  const shutOut = () => {
    first.gate.limiter.setAllocation({ perSecond: null, concurrency: 0 }, undefined, true);
    batchTracker.followSources();
  };
  const mixed = makeBatch(['imei', 'meid']);
  batchTracker.add(mixed.batch);
  shutOut();
  assert.deepEqual([first.rows.size, mixed.batch.rows.parked.size], [0, 1]);
  first.gate.limiter.setAllocation({ perSecond: null, concurrency: null }, undefined, false);
  batchTracker.followSources();
  assert.deepEqual([first.rows.size, mixed.batch.rows.parked.size], [1, 0]);
  const alone = makeBatch(['imei'], 2);
  batchTracker.add(alone.batch);
  shutOut();
  const followUp = { dueAt: null, delayedBy: null, sources: ['first'] };
  assert.deepEqual(ends, [{ batch: alone.batch, followUp }]);
});

test('of a dropped batch, no rows are asked about, late results are written but no lookup states, and its job is not ended', () => {
  const { batch } = makeBatch(['imei', 'imei', 'imei']);
  batchTracker.add(batch);
  const [finishing, waiting] = [take(sourceQueues[0]), take(sourceQueues[0])];
  batchTracker.drop((held) => held === batch);
  assert.equal(countQueued(), 0);
  batchTracker.finish(finishing, done(finishing));
  batchTracker.proceed(waiting, { ...initialLookupState, answered: ['first'] });
  assert.equal(countQueued(), 0);
  assert.deepEqual([results.length, continued.length, ends.length], [1, 0, 0]);
});

test('draining returns batches without a call in flight at once', () => {
  const idle = makeBatch(['imei']);
  const active = makeBatch(['imei', 'imei']);
  batchTracker.add(active.batch);
  const row = take(sourceQueues[0]);
  batchTracker.add(idle.batch);
  batchTracker.drain();
  assert.deepEqual(ends, [{ batch: idle.batch, followUp: { dueAt: start, delayedBy: null, sources: [] } }]);
  batchTracker.finish(row, done(row));
  assert.deepEqual(ends[1], {
    batch: active.batch,
    followUp: { dueAt: start, delayedBy: null, sources: [] },
  });
});

test('draining ends even if a source is blocked or unblocked in the meantime', () => {
  const { batch } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  const row = take(sourceQueues[0]);
  batchTracker.drain();
  batchTracker.followSources();
  assert.equal(batchTracker.takeParked(sourceQueues[0] as SourceQueue), undefined);
  batchTracker.finish(row, done(row));
  assert.deepEqual(ends, [{ batch, followUp: { dueAt: start, delayedBy: null, sources: [] } }]);
});

test('a parked row can be taken for a probe while other rows of its batch are active', () => {
  const { batch } = makeBatch(['imei', 'imei']);
  batchTracker.add(batch);
  const [asked, waiting] = [take(sourceQueues[0]), take(sourceQueues[0])];
  block('down');
  batchTracker.putBack(waiting);
  assert.equal(batchTracker.takeParked(sourceQueues[1] as SourceQueue), undefined);
  assert.equal(batchTracker.takeParked(sourceQueues[0] as SourceQueue), waiting);
  assert.equal(batchTracker.takeParked(sourceQueues[0] as SourceQueue), undefined);
  batchTracker.finish(waiting, done(waiting));
  assert.deepEqual(ends, []);
  batchTracker.finish(asked, done(asked));
  assert.deepEqual(ends, [{ batch, followUp: null }]);
});

test('a cached answer is used only after the registries that come first', () => {
  const own = sourceQueues[0];
  assert.ok(own);
  own.entry = { ...own.entry, remote: false };
  const { batch, rows } = makeBatch(['imei', 'imei']);
  const cached = { ...done(rows[0]), source: 'second', cached: true };
  for (const row of rows) row.cached = cached;
  batchTracker.add(batch);
  assert.deepEqual(results, []);
  batchTracker.finish(take(own), done(rows[0]));
  batchTracker.proceed(take(own), { ...initialLookupState, answered: ['first'] });
  assert.deepEqual(results[1], cached);
  assert.equal(countQueued(), 0);
});

test('a row waits for a disabled source that alone accepts its kind, and fails if no source does', () => {
  sourceQueues = [makeSourceQueue('first', { accepts: ['imei'] })];
  const disabled = [makeSourceQueue('off', { accepts: ['serial', 'imei'] }).entry];
  batchTracker = createBatchTracker(sourceQueues, disabled, writer, createWakeup());
  const { batch } = makeBatch(['serial', 'meid']);
  batchTracker.add(batch);
  assert.deepEqual(
    results.map(({ position, reason }) => [position, reason]),
    [[1, 'Not found']],
  );
  assert.deepEqual(ends, [{ batch, followUp: { dueAt: null, delayedBy: null, sources: ['off'] } }]);
  const imeis = makeBatch(['imei']);
  batchTracker.add(imeis.batch);
  assert.equal(countQueued(), 1);
});
