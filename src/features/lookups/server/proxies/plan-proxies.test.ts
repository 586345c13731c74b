import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planProxies, restMs } from './plan-proxies.ts';

const active = new Set(Array.from({ length: 40 }, (_, n) => `http://10.0.0.${n}:80`));
const random = () => 0.5;

test('workers come to hold an even part of the proxies that can be used', () => {
  const resting = new Set([...active].slice(0, 8));
  const workers = new Map(['a', 'b', 'c'].map((name) => [name, new Set<string>()]));
  for (let round = 0; round < 2; round++) {
    for (const [name, held] of workers) {
      const taken = new Set(
        [...workers].filter(([other]) => other !== name).flatMap(([, theirs]) => [...theirs]),
      );
      const plan = planProxies({ active, resting, taken, held, wanting: 3, wants: true, most: 1000, random });
      for (const proxy of plan.take) held.add(proxy);
      for (const proxy of plan.giveBack) held.delete(proxy);
    }
  }
  const sizes = [...workers.values()].map(({ size }) => size);
  assert.deepEqual(sizes, [11, 11, 10]);
  assert.equal(new Set([...workers.values()].flatMap((held) => [...held])).size, 32);
});

test('what is above the even part is given back, all of it when nothing is wanted', () => {
  const view = {
    active,
    resting: new Set<string>(),
    taken: new Set<string>(),
    held: active,
    most: 1000,
    random,
  };
  assert.equal(planProxies({ ...view, wanting: 2, wants: true }).giveBack.length, 20);
  assert.equal(planProxies({ ...view, wanting: 1, wants: false }).giveBack.length, 40);
  assert.equal(planProxies({ ...view, held: new Set(), wanting: 1, wants: true, most: 7 }).take.length, 7);
});

test('rests double from 30 seconds to 30 minutes, by chance within that', () => {
  const longest = [0, 1, 2, 6, 20].map((step) => restMs(step, () => 1));
  assert.deepEqual(longest, [30_000, 60_000, 120_000, 1_800_000, 1_800_000]);
  assert.equal(
    restMs(3, () => 0),
    1100,
  );
});
