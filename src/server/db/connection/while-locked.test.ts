import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { startRelay } from '#tests/support/database/relay.ts';
import { whileLocked } from './while-locked.ts';

const number = 4321;

test('work under a lock is told within 10 s that its connection has gone silent', async (t) => {
  const database = await createTestDatabase();
  const relay = await startRelay(database.url);
  t.after(async () => {
    await relay.close();
    await database.close();
  });
  const noticed = await whileLocked(relay.url, number, async (signal) => {
    relay.silence();
    await once(signal, 'abort', { signal: AbortSignal.timeout(10_000) });
    return String(signal.reason);
  });
  assert.match(noticed ?? '', /the connection that held the lock was lost/);
});

test('the lock is free as soon as the work has ended, also on a connection that has gone silent', async (t) => {
  const database = await createTestDatabase();
  const relay = await startRelay(database.url);
  t.after(async () => {
    await relay.close();
    await database.close();
  });
  const work = async () => 'done';
  for (const _ of [1, 2, 3]) assert.equal(await whileLocked(relay.url, number, work), 'done');
  const before = performance.now();
  await whileLocked(relay.url, number, async () => relay.silence());
  assert.ok(performance.now() - before < 10_000);
});
