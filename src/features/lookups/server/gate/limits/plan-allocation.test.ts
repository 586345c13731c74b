import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { planAllocation } from './plan-allocation.ts';

type Worker = { published: number; use: number; inUse: number; wants: boolean };

/** Plans the allocation of one worker. `settled`: its former allocation is no longer in use. */
function ask(workers: Map<string, Worker>, me: string, limit: number, turn: number, settled: boolean): void {
  const mine = workers.get(me);
  assert.ok(mine);
  const others = [...workers].filter(([id]) => id !== me);
  const { use, publish } = planAllocation({
    limit,
    me,
    wants: mine.wants,
    published: mine.published,
    turn,
    inUse: settled ? 0 : Math.max(mine.use, mine.inUse),
    others: others.map(([worker, { wants, published }]) => ({ worker, wants, allocated: published })),
  });
  mine.inUse = settled ? use : Math.max(mine.use, mine.inUse, use);
  Object.assign(mine, { use, published: publish });
}

const sumOf = (workers: Map<string, Worker>, name: 'published' | 'inUse') =>
  [...workers.values()].reduce((sum, worker) => sum + worker[name], 0);

test('allocations in use never exceed the limit, in any order of requests', () => {
  const steps = fc.array(
    fc.record({ who: fc.nat(4), wants: fc.boolean(), turn: fc.nat(9), settled: fc.boolean() }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), steps, (limit, asked) => {
      const workers = new Map<string, Worker>();
      for (let n = 0; n < 5; n++) workers.set(`w${n}`, { published: 0, use: 0, inUse: 0, wants: false });
      for (const { who, wants, turn, settled } of asked) {
        Object.assign(workers.get(`w${who}`) ?? {}, { wants });
        ask(workers, `w${who}`, limit, turn, settled);
        assert.ok(sumOf(workers, 'published') <= limit);
        assert.ok(sumOf(workers, 'inUse') <= limit);
      }
    }),
  );
});

test('the limit is divided evenly among the workers that want some, within two rounds', () => {
  const workers = new Map<string, Worker>();
  for (const id of ['a', 'b', 'c']) workers.set(id, { published: 0, use: 0, inUse: 0, wants: true });
  ask(workers, 'a', 50, 0, true);
  for (let round = 0; round < 3; round++) for (const id of workers.keys()) ask(workers, id, 50, 0, true);
  assert.deepEqual(
    [...workers.values()].map(({ use }) => use),
    [17, 17, 16],
  );
  Object.assign(workers.get('b') ?? {}, { wants: false });
  for (let round = 0; round < 2; round++) for (const id of ['b', 'a', 'c']) ask(workers, id, 50, 0, true);
  assert.deepEqual(
    [...workers.values()].map(({ use }) => use),
    [25, 0, 25],
  );
});

test('workers take turns at a limit that is smaller than their number', () => {
  const workers = new Map<string, Worker>();
  for (const id of ['a', 'b', 'c']) workers.set(id, { published: 0, use: 0, inUse: 0, wants: true });
  const served = new Set<string>();
  for (let turn = 0; turn < 3; turn++) {
    for (let round = 0; round < 3; round++) for (const id of workers.keys()) ask(workers, id, 1, turn, true);
    for (const [id, { use }] of workers) if (use === 1) served.add(id);
  }
  assert.equal(served.size, 3);
});
