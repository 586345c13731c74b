import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import tls from 'node:tls';
import { findVault } from '#server/vault.ts';
import { createAuthority } from '#tests/support/certificates.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { type GsxStandIn, gsxAccount, startGsxStandIn } from '#tests/support/gsx-stand-in.ts';
import { openSource } from '#tests/support/open-source.ts';
import { waitFor } from '#tests/support/wait.ts';

const imei = '353901102345677';
const activationToken = 'c0ffee00-aaaa-4bbb-8ccc-000000000001';
const authority = createAuthority('Stand-in authority');
const env = { GSX_ACTIVATION_TOKEN: activationToken };

let folder: string;
let database: TestDatabase;
let gsx: GsxStandIn;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-gsx-'));
  const client = authority.issue('gsx client');
  await writeFile(join(folder, 'client.pem'), client.cert);
  await writeFile(join(folder, 'client.key'), client.key);
  await writeFile(join(folder, 'other.key'), authority.issue('gsx client').key);
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority.cert]);
  database = await createTestDatabase();
});
after(async () => {
  await gsx?.close();
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await gsx?.close();
  await database.pool.query('TRUNCATE gsx_sessions');
  gsx = await startGsxStandIn(authority, authority.issue('gsx'), activationToken);
  gsx.devices.set(imei, {
    body: {
      device: {
        productDescription: 'iPhone 15',
        warrantyInfo: {
          warrantyStatusDescription: 'Apple Limited Warranty',
          purchaseDate: '2026-01-10',
          coverageStartDate: '2026-01-10',
          coverageEndDate: '2027-01-09',
        },
        activationDetails: { firstActivationDate: '2026-01-11' },
      },
    },
  });
});

const entry = (more: object = {}) => ({
  name: 'gsx',
  kind: 'gsx',
  base_url: gsx.url,
  ...gsxAccount,
  client_cert: join(folder, 'client.pem'),
  client_key: join(folder, 'client.key'),
  activation_token: '${GSX_ACTIVATION_TOKEN}',
  ...more,
});
const open = (more?: object, secrets = env) => openSource(entry(more), database.db, secrets);
const found = {
  is: 'found',
  coverage: {
    type: 'iPhone 15',
    activation_status: 'activated',
    purchase_date: '2026-01-10',
    warranty_title: 'Apple Limited Warranty',
    coverage_start_date: '2026-01-10',
    coverage_end_date: '2027-01-09',
  },
};
const storedToken = async () => {
  const { rows } = await database.pool.query<{ token: string }>('SELECT token FROM gsx_sessions');
  assert.match(rows[0]?.token ?? '', /^sealed\./);
  return findVault().open('token', rows[0]?.token ?? '');
};
const tokenCalls = () => gsx.received.filter(({ path }) => path === '/api/authenticate/token');

test('spends the activation token once, keeps to the rules of every call, and goes on with its session', async () => {
  const source = await open();
  assert.deepEqual(await source.ask(imei), found);
  assert.deepEqual(await source.ask(imei), found);
  await source.close();
  assert.deepEqual(gsx.problems, []);
  assert.deepEqual(
    tokenCalls().map(({ body }) => JSON.parse(body)),
    [{ userAppleId: gsxAccount.operator_user_id, authToken: activationToken }],
  );
  const later = await open({ activation_token: undefined });
  assert.deepEqual(await later.ask(imei), found);
  await later.close();
  assert.equal(gsx.tokens().given, 1);
});

test('workers share one session and never replace its token at once', async () => {
  const workers = await Promise.all([open(), open(), open()]);
  const ask = () => Promise.all(workers.flatMap((worker) => [worker.ask(imei), worker.ask(imei)]));
  for (const outcome of await ask()) assert.deepEqual(outcome, found);
  assert.deepEqual(gsx.tokens(), { given: 1, atOnce: 1 });
  gsx.endSession();
  for (const outcome of await ask()) assert.deepEqual(outcome, found);
  assert.deepEqual(gsx.tokens(), { given: 2, atOnce: 1 });
  for (const worker of workers) await worker.close();
  assert.deepEqual(gsx.problems, []);
});

test('replaces a token that was idle for half an hour, or never used for twelve hours, before it is refused', async () => {
  const source = await open();
  await source.ask(imei);
  for (const [change, replaced] of [
    ["used_at = now() - interval '29 minutes'", false],
    ["used_at = now() - interval '31 minutes'", true],
    ["used_at = NULL, created_at = now() - interval '11 hours'", false],
    ["used_at = NULL, created_at = now() - interval '13 hours'", true],
  ] as const) {
    const last = await storedToken();
    const calls = tokenCalls().length;
    await database.pool.query(`UPDATE gsx_sessions SET ${change}`);
    assert.deepEqual(await source.ask(imei), found);
    const sent = tokenCalls().slice(calls);
    assert.deepEqual(
      sent.map(({ body }) => JSON.parse(body).authToken),
      replaced ? [last] : [],
      change,
    );
  }
  // Two calls for each question that came with a dead token would have been three more.
  assert.equal(gsx.received.length, 5 + 3);
  await source.close();
});

test('each question that is answered keeps its token alive, one that fails does not', async () => {
  const source = await open();
  await source.ask(imei);
  const unused = "used_at = now() - interval '29 minutes'";
  const isFresh = async () => {
    const { rows } = await database.pool.query(
      "SELECT used_at > now() - interval '28 minutes' AS fresh FROM gsx_sessions",
    );
    return rows[0]?.fresh;
  };
  await database.pool.query(`UPDATE gsx_sessions SET ${unused}`);
  gsx.devices.set('353901102345685', { status: 503, body: {} });
  assert.equal((await source.ask('353901102345685')).is, 'retry');
  assert.equal(await isFresh(), false);
  assert.deepEqual(await source.ask(imei), found);
  assert.equal(await isFresh(), true);
  await source.close();
});

test('without an accepted token it needs a person, asks no details, and a new activation token mends it', async () => {
  const source = await open();
  await source.ask(imei);
  gsx.lockOut('fresh-activation-token');
  const details = gsx.received.length;
  const outcome = await source.ask(imei);
  assert.equal(outcome.is, 'auth');
  assert.match((outcome as { error: string }).error, /a person must fetch a new activation token/);
  // One refused call for details, one refused token; the spent activation token was not tried again.
  assert.equal(gsx.received.length, details + 2);
  await source.close();
  const mended = await open({}, { GSX_ACTIVATION_TOKEN: 'fresh-activation-token' });
  assert.deepEqual(await mended.ask(imei), found);
  await mended.close();
});

test('those who wait while a token is refused are refused with it', async () => {
  const workers = await Promise.all([open(), open(), open()]);
  await workers[0]?.ask(imei);
  gsx.lockOut('unknown to us');
  const outcomes = await Promise.all(workers.map((worker) => worker.ask(imei)));
  assert.deepEqual(
    outcomes.map(({ is }) => is),
    ['auth', 'auth', 'auth'],
  );
  assert.equal(tokenCalls().length, 2);
  for (const worker of workers) await worker.close();
});

test('a token is kept even when the database breaks off between its coming and its keeping', async () => {
  const source = await open();
  const release = gsx.holdTokens();
  const asked = source.ask(imei);
  await waitFor('the token to be asked for', async () => tokenCalls().length > 0);
  await database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  // Only the one that asked, and the one that holds the session's transaction.
  await waitFor('the pool to let go of the others', async () => database.pool.totalCount === 2);
  release();
  assert.deepEqual(await asked, found);
  assert.deepEqual(await source.ask(imei), found);
  assert.equal(gsx.tokens().given, 1);
  await source.close();
});

test('tells the outcomes apart by status and the first error', async () => {
  const source = await open();
  const error = (code: string, message: string) => ({
    errors: [
      { code, message },
      { code: 'OTHER', message: 'x' },
    ],
  });
  const cases: [reply: Parameters<typeof gsx.devices.set>[1], outcome: object][] = [
    [{ status: 404, body: error('DEVICE_NOT_FOUND', 'No device.') }, { is: 'not_found' }],
    [{ status: 400, body: error('DEVICE_INFORMATION', 'Serial number not found.') }, { is: 'not_found' }],
    [
      { status: 400, body: error('INVALID_DEVICE_ID', 'Malformed.') },
      { is: 'invalid', error: 'HTTP 400: INVALID_DEVICE_ID Malformed.' },
    ],
    [
      { status: 403, body: error('FORBIDDEN', 'No privilege.') },
      { is: 'auth', error: 'HTTP 403: FORBIDDEN No privilege.' },
    ],
    [
      { status: 429, headers: { 'retry-after': '17' }, body: error('RATE', 'Slow down.') },
      { is: 'throttled', retryAfterMs: 17_000, error: 'HTTP 429: RATE Slow down.' },
    ],
    [
      { status: 503, body: '<h1>Down</h1>' },
      { is: 'retry', error: 'HTTP 503' },
    ],
    [
      { status: 500, body: error('SYSTEM', 'Record not found in cache.') },
      { is: 'retry', error: 'HTTP 500: SYSTEM Record not found in cache.' },
    ],
    [{ body: '<h1>Hello</h1>' }, { is: 'retry', error: 'the answer is not JSON' }],
    [{ body: error('UNKNOWN_DEVICE', '') }, { is: 'not_found' }],
    [
      { status: 302, headers: { location: '/elsewhere' }, body: {} },
      { is: 'retry', error: 'HTTP 302, a redirect' },
    ],
    ['hang up', { is: 'retry' }],
  ];
  for (const [reply, outcome] of cases) {
    gsx.devices.set(imei, reply);
    assert.partialDeepStrictEqual(await source.ask(imei), outcome);
  }
  assert.deepEqual(await source.ask('F17XK1ABCD12'), { is: 'not_found' });
  await source.close();
  assert.deepEqual(gsx.problems, []);
});

test('shows requests and answers without any token', async () => {
  const source = await open();
  await source.ask(imei);
  gsx.endSession();
  const first = await storedToken();
  await source.ask(imei);
  await source.close();
  const shown = JSON.stringify(source.shown);
  assert.equal(source.shown.length, 3);
  assert.ok(shown.includes(imei) && shown.includes('"x-apple-auth-token":"***"'));
  for (const secret of [activationToken, first, await storedToken()])
    assert.ok(secret && !shown.includes(secret));
});

test('a server that cannot be reached, or is not trusted, leaves rows waiting', async () => {
  const source = await open();
  await source.ask(imei);
  const url = gsx.url;
  await gsx.close();
  assert.equal((await source.ask(imei)).is, 'unreachable');
  await source.close();
  const stranger = createAuthority('Nobody');
  gsx = await startGsxStandIn(authority, stranger.issue('gsx'), activationToken);
  assert.notEqual(gsx.url, url);
  const distrustful = await open();
  assert.equal((await distrustful.ask(imei)).is, 'unreachable');
  assert.equal(gsx.received.length, 0);
  await distrustful.close();
});

test('says which file is missing, or that key and certificate do not belong together', async () => {
  await assert.rejects(
    open({ client_cert: join(folder, 'none.pem') }),
    /SOURCES_FILE gsx\.client_cert: .*ENOENT/,
  );
  await assert.rejects(open({ client_key: join(folder, 'other.key') }), /SOURCES_FILE gsx\.client_key: /);
});

test('never goes through proxies', async () => {
  await assert.rejects(open({ egress: 'proxies' }), /SOURCES_FILE sources\[0\]\.egress/);
});
