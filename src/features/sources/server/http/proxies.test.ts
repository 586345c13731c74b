import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Proxies, startProxies } from '#tests/support/sources/proxies.ts';
import { type StandIn, startStandIn } from '#tests/support/sources/vendor-stand-in.ts';
import { createProxyConnections } from './connections.ts';
import { exchange } from './exchange.ts';
import { HttpFailure } from './http-failure.ts';

let standIn: StandIn;
let proxies: Proxies;
before(async () => {
  [standIn, proxies] = await Promise.all([
    startStandIn(({ path }) => ({ body: { path } })),
    startProxies([
      { kind: 'http' },
      { kind: 'socks5' },
      { kind: 'socks5', login: 'user:secret' },
      { kind: 'http', fault: 'refuse' },
      { kind: 'http', fault: '407' },
      { kind: 'http', fault: '502' },
      { kind: 'socks5', fault: '502' },
    ]),
  ]);
});
after(async () => {
  await proxies.close();
  await standIn.close();
});

/** Returns the status of an exchange through a proxy, or its fault. */
async function askThrough(proxy: string, origin = standIn.url): Promise<number | string> {
  const connections = createProxyConnections(proxy);
  try {
    const request = { method: 'GET', origin, path: '/x', headers: {}, body: null };
    return (await exchange(connections, request, 60_000)).status;
  } catch (error) {
    assert.ok(error instanceof HttpFailure, String(error));
    return error.fault;
  } finally {
    await connections.destroy();
  }
}

test('reaches a target through HTTP and SOCKS5 proxies, with and without a password', async () => {
  const [plain = '', socks = '', guarded = ''] = proxies.urls;
  for (const proxy of [plain, socks, guarded]) assert.equal(await askThrough(proxy), 200, proxy);
});

test('distinguishes a faulty proxy from a working proxy that cannot reach the target', async () => {
  const [plain = '', socks = '', guarded = '', refusing = '', asking = '', lost = '', lostSocks = ''] =
    proxies.urls;
  assert.equal(await askThrough(refusing), 'proxy');
  assert.equal(await askThrough(asking), 'proxy');
  assert.equal(await askThrough(guarded.replace('secret', 'wrong')), 'proxy');
  assert.equal(await askThrough(guarded.replace('user:secret@', '')), 'proxy');
  assert.equal(await askThrough(lost), 'target_unreachable');
  assert.equal(await askThrough(lostSocks), 'target_unreachable');
  for (const proxy of [plain, socks]) {
    assert.equal(await askThrough(proxy, 'http://127.0.0.1:1'), 'target_unreachable');
    // A target without TLS.
    assert.equal(await askThrough(proxy, standIn.url.replace('http:', 'https:')), 'target_unreachable');
  }
  // A server that is no proxy.
  assert.equal(await askThrough(standIn.url), 'proxy');
  assert.equal(await askThrough(standIn.url.replace('http:', 'socks5:')), 'proxy');
});
