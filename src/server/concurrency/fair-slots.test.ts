import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairSlots, type SlotUser } from './fair-slots.ts';

const userOf = (id: number, companyCode: string | null, superadmin = false): SlotUser => ({
  id,
  companyCode,
  superadmin,
});
const [ayu, budi, citra] = [userOf(1, 'ACM001'), userOf(2, 'ACM001'), userOf(3, 'ACM001')];
const other = userOf(4, 'OTH001');
const stays = new AbortController().signal;
const busy = { status: 429, code: 'busy', retryAfterSeconds: 5 };
const makeSlots = (concurrency: number) => new FairSlots({ concurrency, maxWaitMs: 30 });

test('one user gets a quarter of the slots and one company half, and a caller who waits too long gets 429', async () => {
  const slots = makeSlots(4);
  const release = await slots.take(ayu, stays);
  await assert.rejects(slots.take(ayu, stays), busy);
  await slots.take(budi, stays);
  await assert.rejects(slots.take(citra, stays), busy);
  await slots.take(other, stays);
  release();
  await slots.take(citra, stays);
});

test('all superadmins count as one company', async () => {
  const slots = makeSlots(4);
  await slots.take(userOf(11, 'ACM001', true), stays);
  await slots.take(userOf(12, null, true), stays);
  await assert.rejects(slots.take(userOf(13, 'OTH001', true), stays), busy);
  await slots.take(ayu, stays);
});

test('a single slot serves one caller at a time', async () => {
  const slots = makeSlots(1);
  const release = await slots.take(ayu, stays);
  await assert.rejects(slots.take(other, stays), busy);
  const waiting = slots.take(budi, stays);
  release();
  (await waiting)();
  (await slots.take(other, stays))();
});

test('a caller who disconnects while waiting takes no slot', async () => {
  const slots = new FairSlots({ concurrency: 2, maxWaitMs: 60_000 });
  const release = await slots.take(ayu, stays);
  const gone = new AbortController();
  const waiting = slots.take(budi, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(waiting, { message: 'gone' });
  release();
  await slots.take(citra, stays);
});

test('a slot that is released in the moment in which the next caller leaves stays free', async () => {
  const slots = new FairSlots({ concurrency: 2, maxWaitMs: 30 });
  const release = await slots.take(ayu, stays);
  const gone = new AbortController();
  const leaving = slots.take(budi, gone.signal);
  gone.abort(new Error('gone'));
  release();
  await assert.rejects(leaving, { message: 'gone' });
  await slots.take(citra, stays);
});
