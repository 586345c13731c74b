import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStream, writeEvent } from './event-stream.ts';

test('an event stream: a comment at once and every 15 seconds, events as they come, then its end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const stream = new EventStream();
  stream.send(writeEvent('ticket', '{"a":1}'));
  t.mock.timers.tick(14_999);
  t.mock.timers.tick(1);
  stream.end();
  stream.end();
  stream.send('too late');
  const chunks = await stream.toArray();
  assert.equal(
    Buffer.concat(chunks).toString(),
    ': open\n\nevent: ticket\ndata: {"a":1}\n\n: still here\n\n',
  );
});

test('an event stream that nobody reads is destroyed before it holds much', () => {
  const stream = new EventStream();
  const event = writeEvent('ticket', 'x'.repeat(1000));
  for (let sent = 0; sent < 60; sent++) stream.send(event);
  assert.equal(stream.destroyed, false);
  for (let sent = 0; sent < 10; sent++) stream.send(event);
  assert.equal(stream.destroyed, true);
});
