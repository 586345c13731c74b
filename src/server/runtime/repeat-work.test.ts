import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { waitFor } from '#tests/support/wait.ts';
import type { Log } from './log.ts';
import { repeatWork } from './repeat-work.ts';

const failure = 'the work failed';

test('work starts with the API, and continues after a failed round, which is logged', async () => {
  const app = Fastify();
  const logged: unknown[] = [];
  const log = { warn: (context: unknown, text: string) => logged.push([context, text]) } as unknown as Log;
  let rounds = 0;
  repeatWork(app, log, { everyMs: 1, failure }, async () => {
    rounds += 1;
    if (rounds === 1) throw new Error('broken');
  });
  assert.equal(rounds, 0);
  await app.ready();
  assert.equal(rounds, 1);
  await waitFor('another round', async () => (rounds > 1 ? rounds : undefined));
  assert.deepEqual(logged, [[{ err: new Error('broken') }, failure]]);
  await app.close();
});

test('closing the API ends the running round and waits for it, and no other follows', async () => {
  const app = Fastify();
  const events: string[] = [];
  app.addHook('onClose', async () => void events.push('closed'));
  const loop = repeatWork(app, {} as Log, { everyMs: 3_600_000, failure }, async (signal) => {
    events.push('begun');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    events.push('ended');
    return true;
  });
  await app.ready();
  await app.close();
  loop.wake();
  assert.deepEqual(events, ['begun', 'ended', 'closed']);
});
