import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareReadings } from './share-reading.ts';

/** Readings that end when they are told to; each answers which of all it was. */
function startReadings() {
  const share = shareReadings<number>();
  const begun: { name: string; end: PromiseWithResolvers<void> }[] = [];
  const ask = (name: string) =>
    share(name, async () => {
      const reading = { name, end: Promise.withResolvers<void>() };
      const place = begun.push(reading) - 1;
      await reading.end.promise;
      return place;
    });
  return { ask, begun, names: () => begun.map(({ name }) => name) };
}

/** Lets everything happen that waits for nothing but its turn. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('sharing a reading: one alone is read at once, and who comes meanwhile shares the one after it', async () => {
  const { ask, begun, names } = startReadings();
  const first = ask('a');
  const later = [ask('a'), ask('a')];
  const other = ask('b');
  assert.deepEqual(names(), ['a', 'b']);
  begun[0]?.end.resolve();
  assert.equal(await first, 0);
  await settle();
  assert.deepEqual(names(), ['a', 'b', 'a']);
  // It has begun: what it answers may be older than this question.
  const latest = ask('a');
  begun[2]?.end.resolve();
  assert.deepEqual(await Promise.all(later), [2, 2]);
  await settle();
  for (const { end } of begun) end.resolve();
  assert.deepEqual(await Promise.all([other, latest]), [1, 3]);
  await settle();
  void ask('a');
  assert.deepEqual(names(), ['a', 'b', 'a', 'a', 'a']);
});

test('sharing a reading: one that hangs holds up nobody but its own for long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, begun, names } = startReadings();
  const hung = ask('a');
  const later = [ask('a'), ask('a')];
  t.mock.timers.tick(49);
  await settle();
  assert.deepEqual(names(), ['a']);
  t.mock.timers.tick(1);
  await settle();
  assert.deepEqual(names(), ['a', 'a']);
  begun[1]?.end.resolve();
  assert.deepEqual(await Promise.all(later), [1, 1]);
  begun[0]?.end.resolve();
  assert.equal(await hung, 0);
});

test('sharing a reading: while two of a question are slow, all others of it wait for one of them', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, begun, names } = startReadings();
  const slow = [ask('a'), ask('a')];
  t.mock.timers.tick(50);
  const later = [ask('a'), ask('a'), ask('a')];
  for (let n = 0; n < 20; n++) t.mock.timers.tick(50);
  await settle();
  assert.deepEqual(names(), ['a', 'a']);
  for (const { end } of begun) end.resolve();
  assert.deepEqual(await Promise.all(slow), [0, 1]);
  await settle();
  begun[2]?.end.resolve();
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
  assert.deepEqual(names(), ['a', 'a', 'a']);
});

test('sharing a reading: one that fails fails its own alone, and the next is read', async () => {
  const { ask, begun } = startReadings();
  const [first, later] = [ask('a'), ask('a')];
  begun[0]?.end.reject(new Error('no database'));
  await assert.rejects(first, /no database/);
  await settle();
  begun[1]?.end.resolve();
  assert.equal(await later, 1);
});
