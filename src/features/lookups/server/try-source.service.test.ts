import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import { gsxAccount } from '#tests/support/sources/gsx-stand-in.ts';
import { type Proxies, type ProxySpec, startProxies, storeProxySet } from '#tests/support/sources/proxies.ts';
import {
  peakPerSecond,
  startUpstream,
  type Upstream,
  upstreamEntry,
} from '#tests/support/sources/upstream.ts';

const serial = '353901102345677';

let api: TestApi;
let upstream: Upstream;
let folder: string;
let token: string;
let proxies: Proxies | undefined;
beforeEach(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-try-'));
  const file = join(folder, 'sources.json');
  const limits = { per_proxy_per_second: 1 };
  const sources = [upstreamEntry(upstream, { egress: 'proxies', limits })];
  await writeFile(file, JSON.stringify({ sources }));
  api = await createTestApi({ SOURCES_FILE: file });
  token = (await createUser(api, { superadmin: true })).token;
});
afterEach(async () => {
  await api.close();
  await proxies?.close();
  proxies = undefined;
  await upstream.close();
  await rm(folder, { recursive: true });
});

async function uploadProxies(specs: ProxySpec[]): Promise<Proxies> {
  proxies = await startProxies(specs);
  await storeProxySet(api.context.db, 'set-20261122-01', proxies.urls);
  return proxies;
}

const trySerial = () => api.send('POST /api/sources/stand-in/try', { token, body: { serial } });

const readProxies = async () =>
  (await api.context.db.query('SELECT state, worker IS NOT NULL AS leased FROM proxy_states')).rows;

test('tries lease a single proxy in turn, and its limit applies to all of them', async () => {
  const { report } = await uploadProxies([{ kind: 'http' }]);
  const answers = await Promise.all([trySerial(), trySerial()]);
  for (const { statusCode, body } of answers) assert.equal(statusCode, 200, body);
  const [calls = []] = (await report()).calls;
  assert.deepEqual([calls.length, peakPerSecond(calls)], [2, 1]);
  assert.deepEqual(await readProxies(), [{ state: 'good', leased: true }]);
});

test('a proxy that fails a try rests, and the next try reports that no proxy is free', async () => {
  await uploadProxies([{ kind: 'http', fault: 'refuse' }]);
  const failed = await trySerial();
  assert.deepEqual([failed.statusCode, failed.json().outcome], [200, 'unreachable'], failed.body);
  assert.deepEqual(await readProxies(), [{ state: 'resting', leased: true }]);
  await api.context.db.query("UPDATE proxy_states SET rest_until = now() + interval '1 hour'");
  const refused = await trySerial();
  assert.equal(refused.statusCode, 409);
  assert.deepEqual(
    [refused.json().code, refused.json().message],
    [
      'no_free_proxy',
      'Every Active proxy is in use by the lookups, or rests after a failure. Try again in a moment.',
    ],
  );
});

test('a try without an Active proxy set is refused with the reason', async () => {
  const refused = await trySerial();
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'no_proxy']);
});

test('a failure of the own database is not blamed on the limits of the source', async () => {
  const { cert, key } = createAuthority('Stand-in authority').issue('gsx client');
  const [client_cert, client_key] = [join(folder, 'client.pem'), join(folder, 'client.key')];
  await writeFile(client_cert, cert);
  await writeFile(client_key, key);
  const account = { ...gsxAccount, client_cert, client_key, activation_token: 'unused' };
  const file = join(folder, 'gsx.json');
  await writeFile(
    file,
    JSON.stringify({ sources: [{ name: 'gsx', kind: 'gsx', base_url: 'https://localhost', ...account }] }),
  );
  const withGsx = await createTestApi({ SOURCES_FILE: file });
  try {
    const admin = await createUser(withGsx, { superadmin: true });
    await withGsx.context.db.query('DROP TABLE gsx_sessions');
    const answer = await withGsx.send('POST /api/sources/gsx/try', { token: admin.token, body: { serial } });
    assert.deepEqual([answer.statusCode, answer.json().code], [503, 'unavailable'], answer.body);
  } finally {
    await withGsx.close();
  }
});
