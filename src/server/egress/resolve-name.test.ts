import assert from 'node:assert/strict';
import os from 'node:os';
import { after, afterEach, before, mock, test } from 'node:test';
import { startNameServer } from '#tests/support/name-server.ts';
import { resolveCompanyName } from './resolve-name.ts';

const asked: string[] = [];
let names: Awaited<ReturnType<typeof startNameServer>>;
before(async () => {
  names = await startNameServer((name, type) => {
    asked.push(`${type} ${name}`);
    if (name.startsWith('silent')) return undefined;
    if (name === 'alias.example') return 'alias';
    return name === 'receiver.example' ? ['192.0.2.1', '192.0.2.2'] : [];
  });
});
after(() => names.close());
afterEach(() => {
  mock.restoreAll();
  asked.length = 0;
});

const resolve = (name: string) => resolveCompanyName(name, [names.address]);

test('names whose name server does not answer delay no other name', { timeout: 30_000 }, async () => {
  const ended: string[] = [];
  const silent = Array.from({ length: 20 }, (_, at) =>
    resolve(`silent${at}.example`).catch((error) => ended.push(error.code)),
  );
  assert.deepEqual(await resolve('receiver.example'), [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
  ]);
  assert.equal((await resolve('localhost')).length > 0, true);
  assert.deepEqual(ended, []);
  await Promise.all(silent);
  // The system is not asked for them afterwards, where they would hang.
  assert.deepEqual(ended, Array(20).fill('ETIMEOUT'));
});

test('a name that does not exist, and an alias of a name without addresses, fail', async () => {
  await assert.rejects(resolve('missing.invalid'), { code: 'ENOTFOUND', syscall: 'queryA' });
  await assert.rejects(resolve('alias.example'), { code: 'ENODATA', syscall: 'queryA' });
});

test('IPv6 addresses are asked for only where the machine has one', async () => {
  const loopback = { family: 'IPv6', internal: true };
  const interfaces = mock.method(os, 'networkInterfaces', () => ({ lo: [loopback] }) as never);
  await resolve('receiver.example');
  assert.deepEqual(asked, ['A receiver.example']);
  interfaces.mock.mockImplementation(() => ({ eth0: [{ family: 'IPv6', internal: false }] }) as never);
  await resolve('receiver.example');
  assert.equal(asked.includes('AAAA receiver.example'), true);
});

test('only the system is asked for its own names', async () => {
  for (const name of ['localhost', '127.1', '0x7f.0.0.1', '2130706433'])
    assert.equal(
      (await resolve(name)).every(({ address }) => /^(127\.0\.0\.1|::1)$/.test(address)),
      true,
      name,
    );
  assert.deepEqual(asked, []);
});
