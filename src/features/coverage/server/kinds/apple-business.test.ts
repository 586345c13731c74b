import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import tls from 'node:tls';
import {
  type AppleStandIn,
  appleAccount,
  startAppleStandIn,
} from '../../../../../tests/support/apple-stand-in.ts';
import { createAuthority } from '../../../../../tests/support/certificates.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../tests/support/database.ts';
import { openSource } from '../../../../../tests/support/open-source.ts';
import { waitFor } from '../../../../../tests/support/wait.ts';

const authority = createAuthority('Stand-in authority');
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();

let folder: string;
let database: TestDatabase;
let apple: AppleStandIn;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-apple-'));
  await writeFile(join(folder, 'key.pem'), keys.privateKey.export({ type: 'sec1', format: 'pem' }));
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.cert]);
  database = await createTestDatabase();
});
after(async () => {
  await apple?.close();
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await apple?.close();
  await database.pool.query('TRUNCATE apple_tokens, apple_indexes, apple_devices');
  apple = await startAppleStandIn(publicKey, authority.issue('apple'));
  // Three pages of three.
  for (let n = 1; n <= 7; n++) apple.devices.push(makeDevice(n));
});

function makeDevice(n: number) {
  return {
    id: `D${n}`,
    attributes: {
      serialNumber: `F17XK1ABC0${n}`,
      deviceModel: 'iPhone 15',
      orderDateTime: '2025-01-15T08:00:00Z',
      imei: n === 2 ? ['35 390110 234567 7', '354817664998779'] : [],
      meid: n === 3 ? ['a10000009296f2'] : [],
    },
    coverage: [
      {
        status: 'ACTIVE',
        paymentType: 'NONE',
        description: 'Limited Warranty',
        startDateTime: '2025-01-15T00:00:00Z',
        endDateTime: '2026-01-14T00:00:00Z',
        isCanceled: false,
        contractCancelDateTime: null,
      },
    ],
  };
}
const found = {
  is: 'found',
  coverage: {
    type: 'iPhone 15',
    activation_status: null,
    purchase_date: '2025-01-15',
    warranty_title: 'Limited Warranty',
    coverage_start_date: '2025-01-15',
    coverage_end_date: '2026-01-14',
  },
};
const open = (more: object = {}) =>
  openSource(
    {
      name: 'apple',
      kind: 'apple-business',
      base_url: apple.url,
      token_url: `${apple.url}/auth/oauth2/v2/token`,
      private_key: join(folder, 'key.pem'),
      ...appleAccount,
      ...more,
    },
    database.db,
  );
const indexPages = () => apple.count('/orgDevices');
const age = (interval: string) =>
  database.pool.query(`UPDATE apple_indexes SET completed_at = now() - interval '${interval}'`);

test('indexes the organisation once, then asks for the agreements of each device by IMEI, MEID or serial', async () => {
  const source = await open();
  for (const cell of ['F17XK1ABC01', '353901102345677', '354817664998779', 'A10000009296F2', 'F17XK1ABC07']) {
    assert.deepEqual(await source.ask(cell), found, cell);
  }
  assert.deepEqual(await source.ask('F17XK1ABC99'), { is: 'not_found' });
  await source.close();
  assert.equal(indexPages(), 3);
  assert.equal(apple.count('/D2/appleCareCoverage'), 2);
  assert.deepEqual(apple.problems, []);
  const again = await open();
  assert.deepEqual(await again.ask('F17XK1ABC05'), found);
  await again.close();
  assert.deepEqual([indexPages(), apple.count('/token')], [3, 1]);
});

test('reads every page of the agreements of a device', async () => {
  const source = await open();
  const [device] = apple.devices;
  const [warranty] = device?.coverage ?? [];
  device?.coverage.push(
    { ...warranty, description: 'AppleCare+', endDateTime: '2027-01-14T00:00:00Z' },
    { ...warranty, description: 'AppleCare+ renewed', endDateTime: '2028-01-14T00:00:00Z' },
  );
  assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), {
    coverage: { warranty_title: 'AppleCare+ renewed', coverage_end_date: '2028-01-14' },
  });
  assert.equal(apple.count('/D1/appleCareCoverage'), 2);
  await source.close();
});

test('workers share the token and build the index one at a time', async () => {
  const workers = await Promise.all([open(), open(), open()]);
  const outcomes = await Promise.all(workers.map((worker) => worker.ask('F17XK1ABC07')));
  for (const outcome of outcomes) assert.deepEqual(outcome, found);
  assert.deepEqual([apple.count('/token'), indexPages()], [1, 3]);
  for (const worker of workers) await worker.close();
  assert.deepEqual(apple.problems, []);
});

test('goes on at the page where a building was left, also when the worker died', async () => {
  const page = { status: 403, body: {} };
  const source = await open();
  // The second page is refused: the first stays, and the job is free at once.
  apple.interrupt('/orgDevices', { body: { data: [], links: { next: 'https://x/?cursor=3' } } }, page);
  assert.equal((await source.ask('F17XK1ABC07')).is, 'auth');
  assert.deepEqual(await source.ask('F17XK1ABC07'), found);
  const cursors = apple.received.filter(({ path }) => path.endsWith('/orgDevices'));
  assert.deepEqual(
    cursors.map(({ query }) => query.get('cursor')),
    [null, '3', '3', '6'],
  );
  // A worker that died holds the job until its time is over.
  await age('2 days');
  await database.pool.query(
    "UPDATE apple_indexes SET builder = gen_random_uuid(), builder_until = now() - interval '1 second', next_page = 'cursor=6'",
  );
  assert.deepEqual(await source.ask('F17XK1ABC98'), { is: 'not_found' });
  assert.equal(indexPages(), 5);
  await source.close();
});

test('begins anew when Apple does not know the place in the list any more', async () => {
  await database.pool.query(
    `INSERT INTO apple_indexes (account, next_page) VALUES ('${apple.url}/v1 ${appleAccount.client_id}', 'cursor=old')`,
  );
  apple.interrupt('/orgDevices', { status: 400, body: { errors: [{ code: 'PARAMETER_ERROR.INVALID' }] } });
  const source = await open();
  assert.deepEqual(await source.ask('F17XK1ABC01'), found);
  assert.equal(indexPages(), 4);
  await source.close();
});

test('a page that does not come at first is asked for again, as late as Apple says', async () => {
  apple.interrupt(
    '/orgDevices',
    { status: 429, headers: { 'retry-after': '0' }, body: {} },
    { status: 429, headers: { 'retry-after': '0' }, body: {} },
  );
  const source = await open();
  assert.deepEqual(await source.ask('F17XK1ABC07'), found);
  assert.equal(indexPages(), 5);
  await source.close();
});

test('an index of yesterday still finds its devices while it is renewed; what it lacks waits for the new one', async () => {
  const source = await open();
  await source.ask('F17XK1ABC01');
  await age('25 hours');
  apple.devices.push(makeDevice(8));
  apple.devices.splice(5, 1);
  assert.deepEqual(await source.ask('F17XK1ABC01'), found);
  await waitFor('the new index', async () => indexPages() === 6);
  assert.deepEqual(await source.ask('F17XK1ABC08'), found);
  assert.deepEqual(await source.ask('F17XK1ABC06'), { is: 'not_found' });
  await age('25 hours');
  apple.devices.push(makeDevice(9));
  assert.deepEqual(await source.ask('F17XK1ABC09'), found);
  await source.close();
});

test('fetches a new token when less than five minutes are left, and one more when the present one is refused', async () => {
  const source = await open();
  await source.ask('F17XK1ABC01');
  await database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '6 minutes'");
  await source.ask('F17XK1ABC01');
  assert.equal(apple.count('/token'), 1);
  await database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '4 minutes'");
  await source.ask('F17XK1ABC01');
  assert.equal(apple.count('/token'), 2);
  apple.revokeTokens();
  assert.deepEqual(await source.ask('F17XK1ABC01'), found);
  assert.equal(apple.count('/token'), 3);
  apple.interrupt('/appleCareCoverage', { status: 401, body: {} }, { status: 401, body: {} });
  assert.equal((await source.ask('F17XK1ABC01')).is, 'auth');
  assert.equal(apple.count('/token'), 4);
  await source.close();
});

test('when Apple hands out no token the old one serves on, and without one no row is to blame', async () => {
  const source = await open();
  await source.ask('F17XK1ABC01');
  await database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '4 minutes'");
  apple.interrupt('/token', { status: 400, body: { error: 'invalid_request' } });
  assert.deepEqual(await source.ask('F17XK1ABC01'), found);
  assert.deepEqual(await source.ask('F17XK1ABC01'), found);
  assert.equal(apple.count('/token'), 2, 'not asked again within the same minute');
  const cases = [
    [{ status: 400, body: { error: 'invalid_request' } }, { is: 'quota' }],
    [{ status: 400, body: '<h1>Bad Request</h1>' }, { is: 'quota' }],
    [{ status: 400, body: { error: 'invalid_client' } }, { is: 'auth' }],
    [{ status: 401, body: { error: 'invalid_client' } }, { is: 'auth' }],
    [
      { status: 429, headers: { 'retry-after': '7' }, body: {} },
      { is: 'throttled', retryAfterMs: 7000 },
    ],
    [{ status: 503, body: 'down' }, { is: 'retry' }],
    [{ body: { token: 'x' } }, { is: 'retry' }],
  ] as const;
  for (const [reply, outcome] of cases) {
    await database.pool.query('UPDATE apple_tokens SET expires_at = now(), refused_at = NULL');
    apple.interrupt('/token', reply);
    assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), outcome);
  }
  await source.close();
});

test('tells the outcomes apart by status', async () => {
  const source = await open();
  const errors = [{ status: '4xx', code: 'CODE', title: 'T', detail: 'Detail.' }];
  const cases = [
    [{ status: 404, body: { errors } }, { is: 'not_found' }],
    [
      { status: 403, body: { errors } },
      { is: 'auth', error: 'HTTP 403: CODE Detail.' },
    ],
    [
      { status: 429, headers: { 'retry-after': '30' }, body: { errors } },
      { is: 'throttled', retryAfterMs: 30_000, error: 'HTTP 429: CODE Detail.' },
    ],
    [
      { status: 500, body: { errors } },
      { is: 'retry', error: 'HTTP 500: CODE Detail.' },
    ],
    [{ body: 'no JSON' }, { is: 'retry', error: 'the answer is not of the documented shape' }],
    [
      { status: 400, body: { errors } },
      { is: 'invalid', error: 'HTTP 400: CODE Detail.' },
    ],
    ['hang up', { is: 'retry' }],
  ] as const;
  for (const [reply, outcome] of cases) {
    apple.interrupt('/appleCareCoverage', reply);
    assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), outcome);
  }
  await source.close();
  assert.deepEqual(apple.problems, []);
});

test('shows its requests without tokens and assertions, and says which key it cannot use', async () => {
  const source = await open();
  await source.ask('F17XK1ABC01');
  await source.close();
  const { rows } = await database.pool.query<{ token: string }>('SELECT token FROM apple_tokens');
  assert.deepEqual(
    source.shown.map(({ request }) => request.headers.authorization),
    ['Bearer ***'],
  );
  assert.ok(!JSON.stringify(source.shown).includes(rows[0]?.token ?? ''));
  await writeFile(join(folder, 'rsa.pem'), 'not a key');
  await assert.rejects(open({ private_key: join(folder, 'rsa.pem') }), /SOURCES_FILE apple\.private_key: /);
});

test('one who is told to stop does not wait for the index', async () => {
  const source = await open();
  apple.interrupt('/orgDevices', { status: 429, headers: { 'retry-after': '200' }, body: {} });
  const stop = new AbortController();
  const asked = source.ask('F17XK1ABC01', { signal: stop.signal });
  await waitFor('the first page to be asked for', async () => indexPages() === 1);
  stop.abort();
  assert.equal((await asked).is, 'retry');
  await source.close();
  const { rows } = await database.pool.query('SELECT builder FROM apple_indexes');
  assert.deepEqual(rows, [{ builder: null }]);
});
