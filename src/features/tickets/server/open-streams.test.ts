import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Caller } from '#server/caller.ts';
import type { EventStream } from '#server/event-stream.ts';
import { OpenStreams } from './open-streams.ts';

const callerOf = (id: number): Caller => ({
  ...{ id, email: 'a@example.test', name: 'A', superadmin: false, newUser: false, companyCode: 'ACM001' },
  issuedAt: 0,
  expiresAt: Date.now() / 1000 + 3600,
});

test('streams: one user and all together have a bound, and what closes makes room', async (t) => {
  const streams = new OpenStreams();
  const opened: EventStream[] = [];
  t.after(() => {
    for (const stream of opened) stream.destroy();
  });
  const open = (id: number) => {
    const stream = streams.open(callerOf(id), new Date());
    opened.push(stream);
    return stream;
  };
  const first = open(1);
  for (let made = 1; made < 500; made++) open(1);
  const refusal = { status: 429, code: 'too_many_streams', retryAfterSeconds: 15 };
  assert.throws(() => open(1), refusal);
  for (let made = 0; made < 1500; made++) open(2 + (made % 15));
  assert.throws(() => open(99), refusal);
  first.destroy();
  await once(first, 'close');
  open(1);
  assert.throws(() => open(1), refusal);
});
