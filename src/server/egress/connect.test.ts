import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { startNameServer } from '#tests/support/name-server.ts';
import { openTcp, type Reach } from './connect.ts';
import { type Resolve, resolveCompanyName } from './resolve-name.ts';

const target = createServer((socket) => socket.end());
let port: number;
before(async () => {
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  port = (target.address() as AddressInfo).port;
});
after(() => target.close());

/** Returns the connected address, or the error. */
async function reach(host: string, within: Reach, resolve?: Resolve): Promise<string | undefined> {
  try {
    const socket = await openTcp(host, port, within, resolve);
    const { remoteAddress } = socket;
    socket.destroy();
    return remoteAddress;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Starts a name server that gives each resolution the next addresses, and repeats the last ones. */
async function startChanging(answers: string[][]) {
  let resolved = 0;
  const server = await startNameServer(() => answers[Math.min(resolved, answers.length) - 1]);
  const resolve: Resolve = (name) => {
    resolved += 1;
    return resolveCompanyName(name, [server.address]);
  };
  return { resolve, countResolved: () => resolved, close: server.close };
}

test('a name is resolved once, and the connection uses the checked address', async () => {
  const names = await startChanging([['127.0.0.1'], ['169.254.169.254']]);
  try {
    assert.equal(await reach('changing.test', 'private', names.resolve), '127.0.0.1');
    assert.equal(names.countResolved(), 1);
    const again = await reach('changing.test', 'private', names.resolve);
    assert.equal(again, 'the address 169.254.169.254 is not allowed');
  } finally {
    names.close();
  }
});

test('a name is refused if any of its addresses is not allowed', async () => {
  for (const other of ['169.254.169.254', '0.0.0.0', '100.100.100.200', '224.0.0.1']) {
    const names = await startChanging([['127.0.0.1', other]]);
    assert.equal(await reach('mixed.test', 'private', names.resolve), `the address ${other} is not allowed`);
    names.close();
  }
  const names = await startChanging([['10.0.0.1']]);
  assert.equal(await reach('inside.test', 'public', names.resolve), 'the address 10.0.0.1 is private');
  assert.equal(await reach('inside.test', 'loopback', names.resolve), 'http: is only allowed on loopback');
  names.close();
});

test('a number that the system reads as an address is checked like that address', async () => {
  for (const host of ['2130706433', '0x7f000001', '127.1', '0177.0.0.1', 'localhost', '127.0.0.1']) {
    assert.equal(await reach(host, 'loopback'), '127.0.0.1', host);
    assert.match((await reach(host, 'public')) ?? '', /^the address (127\.0\.0\.1|::1) is private$/, host);
  }
  for (const host of ['2852039166', '0xa9fea9fe', '169.254.43518']) {
    assert.equal(await reach(host, 'private'), 'the address 169.254.169.254 is not allowed', host);
  }
});

test('an IPv4 address within an IPv6 address is checked as IPv4', async () => {
  assert.match((await reach('::ffff:127.0.0.1', 'loopback')) ?? '', /127\.0\.0\.1$/);
  for (const host of [
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ]) {
    assert.equal(await reach(host, 'private'), `the address ${host} is not allowed`);
  }
  for (const host of ['::ffff:10.0.0.1', '64:ff9b::7f00:1', '::1', 'fd00::1']) {
    assert.equal(await reach(host, 'public'), `the address ${host} is private`);
  }
});
