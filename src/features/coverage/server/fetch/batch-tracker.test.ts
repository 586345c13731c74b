import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { Batch, Follow, LookupRow, RowResult } from '../rows/batch.ts';
import { untouched } from '../rows/lookup-state.ts';
import { createHealth } from '../source-figures/call-counts.ts';
import { createFairQueue } from '../source-queues/fair-queue.ts';
import { createGate } from '../source-queues/rate-limiter.ts';
import { directEgress, type Lane } from '../source-queues/source-queue.ts';
import type { ConfiguredSource } from '../sources/sources-file.ts';
import type { Writer } from '../write/result-writer.ts';
import { createLedger, type Ledger } from './batch-tracker.ts';

const start = 1_000_000;

let lanes: Lane[];
let ledger: Ledger;
let ends: { batch: Batch; follow: Follow | null }[];
let results: RowResult[];

beforeEach(() => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: start });
  lanes = [makeLane('first', ['imei', 'serial']), makeLane('second', ['imei'])];
  ends = [];
  results = [];
  const writer: Writer = {
    addResult: (_, result) => void results.push(result),
    addProgress: () => undefined,
    addStart: () => undefined,
    end: (batch, follow) => void ends.push({ batch, follow }),
    flush: async () => undefined,
    backlog: 0,
  };
  ledger = createLedger(lanes, writer, () => undefined);
});
afterEach(() => mock.timers.reset());

function makeLane(name: string, accepts: ConfiguredSource['accepts']): Lane {
  const gate = createGate(undefined);
  gate.setShare({ perSecond: null, concurrency: null });
  const entry: ConfiguredSource = {
    ...{ name, label: name, kind: 'http', key: name, enabled: true, accepts, egress: 'direct', limits: {} },
    ...{ attempts: 5, remote: true, simulated: false, ownList: undefined },
    open: () => Promise.reject(new Error('never opened')),
  };
  const source = { ask: () => Promise.reject(new Error('never asked')), close: async () => undefined };
  return { entry, source, queue: createFairQueue(), gate, egress: directEgress, health: createHealth() };
}

function makeBatch(kinds: LookupRow['kind'][]): { batch: Batch; rows: LookupRow[] } {
  const batch: Batch = {
    ...{ job: { id: 'job', retryCount: 0 }, ticketId: 1, lo: 0, hi: 199, busy: 0, over: false },
    ...{ waiting: new Set(), parked: new Map() },
  };
  const rows = kinds.map((kind, n) => ({
    batch,
    position: n,
    serial: `S${n}`,
    kind,
    progress: untouched,
    cached: null,
  }));
  return { batch, rows };
}

const done = (row: LookupRow | undefined): RowResult => ({
  ...{
    position: row?.position ?? -1,
    serial: row?.serial ?? '',
    state: 'done',
    reason: null,
    details: null,
    coverage: null,
    fetchedAt: null,
  },
  ...{ source: 'first', attempts: 1, egress: 'direct', cached: false },
});

const take = (lane: Lane | undefined): LookupRow => {
  const row = lane?.queue.shift();
  assert.ok(row);
  return row;
};

test('a batch ends with its last outcome', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  ledger.admit(batch, rows);
  assert.equal(ledger.ready, 2);
  ledger.finish(take(lanes[0]), done(rows[0]));
  assert.deepEqual(ends, []);
  ledger.finish(take(lanes[0]), done(rows[1]));
  assert.deepEqual(ends, [{ batch, follow: null }]);
  assert.equal(ledger.batches.size, 0);
});

test('rows go to the source that takes them, and fail where none does', () => {
  const { batch, rows } = makeBatch(['imei', 'meid']);
  ledger.admit(batch, rows);
  assert.deepEqual(
    results.map(({ position, reason, details }) => [position, reason, details]),
    [[1, 'Not found', 'No source takes this kind of serial number']],
  );
  const row = take(lanes[0]);
  ledger.proceed(row, { ...untouched, answered: ['first'] });
  assert.equal(take(lanes[1]), row);
});

test('rows that wait for long give their batch back, due with the first of them', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  ledger.admit(batch, rows);
  ledger.proceed(take(lanes[0]), { ...untouched, source: 'first', due: start + 60_000 });
  assert.deepEqual(ends, []);
  ledger.proceed(take(lanes[0]), { ...untouched, source: 'first', due: start + 30_000 });
  assert.deepEqual(ends, [{ batch, follow: { at: start + 30_000, waits: 'later:first' } }]);
});

test('a short wait is waited for', () => {
  const { batch, rows } = makeBatch(['imei']);
  ledger.admit(batch, rows);
  ledger.proceed(take(lanes[0]), { ...untouched, source: 'first', due: start + 500 });
  assert.equal(ledger.ready, 0);
  mock.timers.tick(500);
  assert.equal(ledger.ready, 1);
  assert.deepEqual(ends, []);
});

test('rows of a lane that is shut wait for its source, and go on when it opens', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  ledger.admit(batch, rows);
  const busy = take(lanes[0]);
  lanes[0]?.gate.shut('down');
  ledger.reviewLanes();
  assert.deepEqual([ledger.ready, batch.parked.size], [0, 1]);
  lanes[0]?.gate.shut(null);
  ledger.reviewLanes();
  assert.deepEqual([ledger.ready, batch.parked.size], [1, 0]);
  lanes[0]?.gate.shut('auth');
  ledger.reviewLanes();
  ledger.park(busy);
  assert.deepEqual(
    ends.map(({ follow }) => follow?.waits),
    ['source:first'],
  );
});

test('a batch that waits for a source and for a time is looked at again soon, and may be probed with', () => {
  const { batch, rows } = makeBatch(['imei', 'serial']);
  ledger.admit(batch, rows);
  ledger.proceed(take(lanes[0]), { ...untouched, source: 'first', due: start + 60_000 });
  lanes[0]?.gate.shut('down');
  ledger.reviewLanes();
  assert.deepEqual(ends, [{ batch, follow: { at: start + 5000, waits: 'source:first' } }]);
});

test('a lost batch is asked about no more; what was under way is written, and the job is left alone', () => {
  const { batch, rows } = makeBatch(['imei', 'imei', 'imei']);
  ledger.admit(batch, rows);
  const [finishing, waiting] = [take(lanes[0]), take(lanes[0])];
  ledger.drop((held) => held === batch);
  assert.equal(ledger.ready, 0);
  ledger.finish(finishing, done(finishing));
  ledger.proceed(waiting, { ...untouched, answered: ['first'] });
  assert.equal(ledger.ready, 0);
  assert.deepEqual([results.length, ends.length], [1, 0]);
});

test('draining gives back at once what is not under way', () => {
  const idle = makeBatch(['imei']);
  const busy = makeBatch(['imei', 'imei']);
  ledger.admit(busy.batch, busy.rows);
  const row = take(lanes[0]);
  ledger.admit(idle.batch, idle.rows);
  ledger.drain();
  assert.deepEqual(ends, [{ batch: idle.batch, follow: { at: start, waits: null } }]);
  ledger.finish(row, done(row));
  assert.deepEqual(ends[1], { batch: busy.batch, follow: { at: start, waits: null } });
});

test('draining ends also when a source is shut or opens meanwhile', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  ledger.admit(batch, rows);
  const row = take(lanes[0]);
  ledger.drain();
  ledger.reviewLanes();
  assert.equal(ledger.takeParked(lanes[0] as Lane), undefined);
  ledger.finish(row, done(row));
  assert.deepEqual(ends, [{ batch, follow: { at: start, waits: null } }]);
});

test('a row that waits beside busy ones can be taken for a probe', () => {
  const { batch, rows } = makeBatch(['imei', 'imei']);
  ledger.admit(batch, rows);
  const [asked, waiting] = [take(lanes[0]), take(lanes[0])];
  lanes[0]?.gate.shut('down');
  ledger.park(waiting);
  assert.equal(ledger.takeParked(lanes[1] as Lane), undefined);
  assert.equal(ledger.takeParked(lanes[0] as Lane), waiting);
  assert.equal(ledger.takeParked(lanes[0] as Lane), undefined);
  ledger.finish(waiting, done(waiting));
  assert.deepEqual(ends, []);
  ledger.finish(asked, done(asked));
  assert.deepEqual(ends, [{ batch, follow: null }]);
});

test('what a source has answered lately is used, but not before a list of the company’s own that comes first', () => {
  const own = lanes[0];
  assert.ok(own);
  own.entry = { ...own.entry, remote: false };
  const { batch, rows } = makeBatch(['imei', 'imei']);
  const cached = { ...done(rows[0]), source: 'second', cached: true };
  ledger.admit(
    batch,
    rows.map((row) => ({ ...row, cached })),
  );
  assert.deepEqual(results, []);
  ledger.finish(take(own), done(rows[0]));
  ledger.proceed(take(own), { ...untouched, answered: ['first'] });
  assert.deepEqual(results[1], cached);
  assert.equal(ledger.ready, 0);
});
