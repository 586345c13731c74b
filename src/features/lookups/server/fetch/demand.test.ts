import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { makeBatch, makeSourceQueue } from '#tests/support/lookups/source-queue.ts';
import type { SourceQueue } from '../queues/source-queue.ts';
import { createDemand } from './demand.ts';

let now = 100_000;
before(() => void mock.method(performance, 'now', () => now));
after(() => mock.restoreAll());

function fill(sourceQueue: SourceQueue, count: number): void {
  const { rows } = makeBatch(Array.from({ length: count }, () => 'imei' as const));
  for (const row of rows) sourceQueue.rows.push(row.batch, row);
}

test('rows are fetched for the allowed calls in flight', () => {
  const only = makeSourceQueue('only');
  const demand = createDemand([only], 64);
  assert.deepEqual([demand.target(), demand.missing()], [400, 400]);
  fill(only, 200);
  assert.equal(demand.missing(), 0);
  only.rows.shift();
  assert.equal(demand.missing(), 201);
});

test('rows are fetched for two seconds at a source with a small limit', () => {
  const slow = makeSourceQueue('slow', { limits: { per_second: 0.2 } });
  const demand = createDemand([slow], 64);
  slow.gate.limiter.setAllocation({ perSecond: 5, concurrency: null });
  assert.equal(demand.target(), 2);
  slow.gate.limiter.setAllocation({ perSecond: null, concurrency: 2 });
  assert.equal(demand.target(), 13);
  slow.gate.limiter.setAllocation({ perSecond: 0, concurrency: 0 });
  assert.equal(demand.missing(), 1);
});

test('the slowest source with rows sets how many rows of a company are fetched', () => {
  const [fast, slow] = [makeSourceQueue('fast'), makeSourceQueue('slow')];
  const demand = createDemand([fast, slow], 64);
  slow.gate.limiter.setAllocation({ perSecond: 5, concurrency: null });
  assert.equal(demand.target(), 400);
  fill(fast, 1);
  assert.equal(demand.target(), 400);
  fill(slow, 1);
  assert.equal(demand.target(), 10);
});

test('one whole block is fetched at a time while no source may be asked', () => {
  const away = makeSourceQueue('away');
  const demand = createDemand([away], 64);
  away.gate.follow('down');
  assert.deepEqual([demand.target(), demand.missing()], [200, 200]);
});

test('a fetch searches rows of other sources for rows of a source that lacks them, further if that source is in use', () => {
  const [full, other] = [makeSourceQueue('full'), makeSourceQueue('other')];
  const demand = createDemand([full, other], 64);
  fill(full, 400);
  assert.equal(demand.missing(), 400);
  // A fetch found no rows for it, so the next one is later.
  demand.fetched();
  assert.equal(demand.missing(), 0);
  now += 500;
  assert.equal(demand.missing(), 400);
  fill(full, 400);
  assert.equal(demand.missing(), 0);
  fill(other, 1);
  assert.equal(demand.missing(), 399);
  other.rows.shift();
  assert.equal(demand.missing(), 400);
  now += 2000;
  assert.equal(demand.missing(), 0);
});

test('waiting jobs are fetched for the sources that this worker may ask, first for those that are short of rows', () => {
  const names = ['short', 'full', 'paused', 'elsewhere'];
  const sourceQueues = names.map((name) => makeSourceQueue(name));
  const [, full, paused, elsewhere] = sourceQueues;
  assert.ok(full && paused && elsewhere);
  fill(full, 200);
  paused.gate.follow('paused');
  elsewhere.gate.limiter.setAllocation({ perSecond: null, concurrency: 0 }, undefined, true);
  const expected = { mayAsk: ['short', 'full'], short: ['short'] };
  assert.deepEqual(createDemand(sourceQueues, 64).findSources(), expected);
});

test('nothing is fetched for a source while other workers use all of its limits', () => {
  const remote = makeSourceQueue('remote');
  const demand = createDemand([remote], 64);
  remote.gate.limiter.setAllocation({ perSecond: 0, concurrency: null });
  assert.ok(demand.missing() > 0);
  remote.gate.limiter.setAllocation({ perSecond: 0, concurrency: null }, undefined, true);
  assert.equal(demand.missing(), 0);
});
