import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stop, StopRequested } from './stop.ts';

test('the first request counts, and the last registered function is called first', async () => {
  const stop = new Stop();
  const closed: string[] = [];
  stop.onStop(async (reason) => void closed.push(`database ${reason}`));
  stop.onStop(async () => {
    throw new Error('does not close');
  });
  stop.onStop(async (reason) => void closed.push(`api ${reason}`));
  stop.check();
  stop.request('quickly');
  stop.request('gently');
  assert.equal(await stop.requested, 'quickly');
  assert.throws(() => stop.check(), StopRequested);
  const failures: unknown[] = [];
  await stop.closeAll((error) => failures.push((error as Error).message));
  assert.deepEqual(closed, ['api quickly', 'database quickly']);
  assert.deepEqual(failures, ['does not close']);
});

test('a fatal error stops the product gently, unless a stop was requested before', async () => {
  const failure = new Error('a newer database');
  const failed = new Stop();
  failed.fail(failure);
  failed.request('quickly');
  await assert.rejects(failed.requested, failure);
  assert.throws(() => failed.check(), failure);
  failed.onStop(async (reason) => assert.equal(reason, 'gently'));
  await failed.closeAll((error) => assert.fail(error as Error));

  const stopped = new Stop();
  stopped.request('quickly');
  stopped.fail(failure);
  assert.equal(await stopped.requested, 'quickly');
  assert.throws(() => stopped.check(), StopRequested);
});
