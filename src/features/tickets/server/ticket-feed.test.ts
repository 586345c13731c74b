import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStream } from '#server/event-stream.ts';
import { TicketFeed } from './ticket-feed.ts';

test('the feed: a ticket is told at once, then at most once a second, the latest state always', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const feed = new TicketFeed();
  const stream = new EventStream();
  t.after(() => stream.destroy());
  stream.read();
  feed.follow('ACM001', stream);
  const read = () =>
    String(stream.read() ?? '')
      .matchAll(/^data: (.+)$/gm)
      .map(([, data]) => data)
      .toArray();
  const tell = (number: number, state: string) => feed.tell(`ACM001 ${number} {"state": "${state}"}`);
  for (const state of ['a', 'b', 'c']) tell(1, state);
  tell(2, 'x');
  feed.tell('OTH001 3 {"state": "theirs"}');
  assert.deepEqual(read(), ['{"state": "a"}', '{"state": "x"}']);
  t.mock.timers.tick(1000);
  assert.deepEqual(read(), []);
  t.mock.timers.tick(10);
  assert.deepEqual(read(), ['{"state": "c"}']);
  tell(1, 'd');
  tell(2, 'y');
  assert.deepEqual(read(), ['{"state": "y"}']);
  t.mock.timers.tick(1010);
  assert.deepEqual(read(), ['{"state": "d"}']);
  t.mock.timers.tick(1010);
  assert.deepEqual(read(), []);
  tell(1, 'e');
  assert.deepEqual(read(), ['{"state": "e"}']);
});
