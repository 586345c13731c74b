import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { head, plain, ScriptedService, turn } from '#tests/support/sources/scripted-service.ts';
import { createDirectConnections } from './connections.ts';
import { exchange } from './exchange.ts';

const service = new ScriptedService();
const { scripts, received } = service;
const ours = () => createDirectConnections();
before(() => service.start());
after(() => service.close());

for (const [when, pieces] of Object.entries({
  'with the answer before': (answer: string, wrong: string) => [answer + wrong],
  'right after it': (answer: string, wrong: string) => [answer, wrong],
  'right after it, in part': (answer: string, wrong: string) => [answer, wrong.slice(0, 20)],
})) {
  test(`unsolicited bytes are not taken as the response to the next request: ${when}`, async () => {
    const [answer = ''] = plain.pieces;
    scripts.set('poison', { pieces: pieces(answer, answer.replace('plain', 'wrong')), closes: false });
    const client = ours();
    service.opened = 0;
    const answers = await service.askInTurn(client, [service.get('/poison'), service.get('/')]);
    assert.deepEqual(
      answers.map((one) => typeof one !== 'string' && one.body),
      ['plain', 'plain'],
    );
    assert.equal(service.opened, 2);
    await client.destroy();
  });
}

test('a request uses a new connection if the old one is closed before it is written', async () => {
  scripts.set('ends', { ...plain, closes: true });
  const client = ours();
  for (let n = 0; n < 5; n++) {
    assert.equal((await exchange(client, service.get('/ends'), 60_000)).body, 'plain', `request ${n}`);
    // The close is read only after the next request was passed to the connection.
    await turn();
  }
  await client.destroy();
});

test('a request uses a new connection after the service has closed an idle one', async () => {
  scripts.set('closes', { ...plain, closes: true });
  const client = ours();
  service.opened = 0;
  const answers = await service.askInTurn(client, [
    service.get('/closes'),
    service.get('/closes'),
    service.get('/'),
  ]);
  assert.deepEqual(
    answers.map((answer) => typeof answer !== 'string' && answer.status),
    [200, 200, 200],
  );
  assert.equal(service.opened, 3);
  await client.destroy();
});

test('an idle connection is closed before the service closes it', async () => {
  const answerFor = (seconds: number) => ({
    pieces: [`${head('Content-Length: 2', `Keep-Alive: timeout=${seconds}`)}ab`],
    closes: false,
  });
  scripts.set('short', answerFor(2)).set('longer', answerFor(3));
  let client = ours();
  service.opened = 0;
  await service.askInTurn(client, [service.get('/short'), service.get('/short')]);
  assert.equal(service.opened, 2);
  // Repeated, because on a machine that freezes for a second the connection is too old as well.
  for (let took = 1000; took >= 1000; ) {
    await client.destroy();
    client = ours();
    service.opened = 0;
    const began = performance.now();
    await service.askInTurn(client, [service.get('/longer'), service.get('/longer')]);
    took = performance.now() - began;
  }
  assert.equal(service.opened, 1);
  // Blocks the process until the connection is too old, as after a suspended machine.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1100);
  await service.askInTurn(client, [service.get('/longer')]);
  assert.equal(service.opened, 2);
  // A second later it is closed.
  while (service.open.size > 0) await once([...service.open][0] as Socket, 'close');
  await client.destroy();
});

test('closing a client waits for its request, destroying it does not', async () => {
  scripts.set('slow', { pieces: [head('Content-Length: 3'), 'a', '', '', 'bc'], closes: false });
  scripts.set('never', { pieces: [`${head('Content-Length: 3')}a`], closes: false });
  const closed = ours();
  const slow = service.askInTurn(closed, [service.get('/slow')]);
  await closed.close();
  assert.equal(((await slow)[0] as { body: string }).body, 'abc');
  const destroyed = ours();
  const never = service.askInTurn(destroyed, [service.get('/never')]);
  while (received.at(-1)?.startsWith('GET /never') !== true) await turn();
  await destroyed.destroy();
  assert.deepEqual(await never, ['interrupted']);
});
