import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import {
  activationToken,
  gsxDeviceFound as found,
  type GsxProvider,
  gsxImei as imei,
  startGsxProvider,
} from '#tests/support/sources/gsx-provider.ts';
import { gsxAccount } from '#tests/support/sources/gsx-stand-in.ts';

let provider: GsxProvider;
before(async () => {
  provider = await startGsxProvider();
});
after(() => provider.close());
beforeEach(() => provider.restart());

test('uses the activation token once, sends the required headers, and continues its session', async () => {
  const source = await provider.open();
  assert.deepEqual(await source.ask(imei), found);
  assert.deepEqual(await source.ask(imei), found);
  await source.close();
  assert.deepEqual(provider.gsx.problems, []);
  assert.deepEqual(
    provider.tokenCalls().map(({ body }) => JSON.parse(body)),
    [{ userAppleId: gsxAccount.operator_user_id, authToken: activationToken }],
  );
  const later = await provider.open({ activation_token: undefined });
  assert.deepEqual(await later.ask(imei), found);
  await later.close();
  assert.equal(provider.gsx.tokens().given, 1);
});

test('workers share one session and never replace its token concurrently', async () => {
  const workers = await Promise.all([provider.open(), provider.open(), provider.open()]);
  const ask = () => Promise.all(workers.flatMap((worker) => [worker.ask(imei), worker.ask(imei)]));
  for (const outcome of await ask()) assert.deepEqual(outcome, found);
  assert.deepEqual(provider.gsx.tokens(), { given: 1, concurrency: 1 });
  provider.gsx.endSession();
  for (const outcome of await ask()) assert.deepEqual(outcome, found);
  assert.deepEqual(provider.gsx.tokens(), { given: 2, concurrency: 1 });
  for (const worker of workers) await worker.close();
  assert.deepEqual(provider.gsx.problems, []);
});

test('no trace shows a token that another worker has fetched', async () => {
  const workers = await Promise.all([provider.open(), provider.open()]);
  for (const worker of workers) await worker.ask(imei);
  provider.gsx.endSession();
  await Promise.all(workers.map((worker) => worker.ask(imei)));
  const traces = workers.flatMap(({ shown }) => shown);
  assert.equal(traces.length, 6);
  assert.ok(!JSON.stringify(traces).includes(await provider.storedToken()));
  for (const worker of workers) await worker.close();
});

test('replaces a token that was idle for half an hour, or unused for twelve hours, before it is refused', async () => {
  const source = await provider.open();
  await source.ask(imei);
  for (const [change, replaced] of [
    ["used_at = now() - interval '29 minutes'", false],
    ["used_at = now() - interval '31 minutes'", true],
    ["used_at = NULL, created_at = now() - interval '11 hours'", false],
    ["used_at = NULL, created_at = now() - interval '13 hours'", true],
  ] as const) {
    const last = await provider.storedToken();
    const calls = provider.tokenCalls().length;
    await provider.database.pool.query(`UPDATE gsx_sessions SET ${change}`);
    assert.deepEqual(await source.ask(imei), found);
    const sent = provider.tokenCalls().slice(calls);
    assert.deepEqual(
      sent.map(({ body }) => JSON.parse(body).authToken),
      replaced ? [last] : [],
      change,
    );
  }
  // With two calls for each question with a dead token there would have been three more.
  assert.equal(provider.gsx.received.length, 5 + 3);
  await source.close();
});

test('an answered call keeps its token alive, a failed call does not', async () => {
  const source = await provider.open();
  await source.ask(imei);
  const unused = "used_at = now() - interval '29 minutes'";
  const isFresh = async () => {
    const { rows } = await provider.database.pool.query(
      "SELECT used_at > now() - interval '28 minutes' AS fresh FROM gsx_sessions",
    );
    return rows[0]?.fresh;
  };
  await provider.database.pool.query(`UPDATE gsx_sessions SET ${unused}`);
  provider.gsx.devices.set('353901102345685', { status: 503, body: {} });
  assert.equal((await source.ask('353901102345685')).is, 'retry');
  assert.equal(await isFresh(), false);
  assert.deepEqual(await source.ask(imei), found);
  assert.equal(await isFresh(), true);
  await source.close();
});

test('without an accepted token the source sends no calls until it has a new activation token', async () => {
  const source = await provider.open();
  await source.ask(imei);
  provider.gsx.lockOut('fresh-activation-token');
  const details = provider.gsx.received.length;
  const outcome = await source.ask(imei);
  assert.equal(outcome.is, 'auth');
  assert.match((outcome as { error: string }).error, /a person must fetch a new activation token/);
  // One refused call for details, one refused token. The used activation token was not tried again.
  assert.equal(provider.gsx.received.length, details + 2);
  await source.close();
  const mended = await provider.open({}, { GSX_ACTIVATION_TOKEN: 'fresh-activation-token' });
  assert.deepEqual(await mended.ask(imei), found);
  await mended.close();
});

test('calls that wait during a refusal of the token get the refusal, too', async () => {
  const workers = await Promise.all([provider.open(), provider.open(), provider.open()]);
  await workers[0]?.ask(imei);
  provider.gsx.lockOut('unknown to us');
  const outcomes = await Promise.all(workers.map((worker) => worker.ask(imei)));
  assert.deepEqual(
    outcomes.map(({ is }) => is),
    ['auth', 'auth', 'auth'],
  );
  assert.equal(provider.tokenCalls().length, 2);
  for (const worker of workers) await worker.close();
});

test('maps statuses and the first error to outcomes', async () => {
  const source = await provider.open();
  const error = (code: string, message: string) => ({
    errors: [
      { code, message },
      { code: 'OTHER', message: 'x' },
    ],
  });
  const cases: [reply: Parameters<typeof provider.gsx.devices.set>[1], outcome: object][] = [
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
    [{ body: '<h1>Hello</h1>' }, { is: 'retry', error: 'HTTP 200, not the expected JSON' }],
    [{ body: { product: {} } }, { is: 'retry', error: 'HTTP 200, not the expected JSON' }],
    [{ body: error('UNKNOWN_DEVICE', '') }, { is: 'not_found' }],
    [
      { status: 400, body: error('UNKNOWN_ERROR', 'An unknown error occurred') },
      { is: 'invalid', error: 'HTTP 400: UNKNOWN_ERROR An unknown error occurred' },
    ],
    [
      { status: 302, headers: { location: '/elsewhere' }, body: {} },
      { is: 'retry', error: 'HTTP 302, a redirect' },
    ],
    ['hang up', { is: 'retry' }],
  ];
  for (const [reply, outcome] of cases) {
    provider.gsx.devices.set(imei, reply);
    assert.partialDeepStrictEqual(await source.ask(imei), outcome);
  }
  assert.deepEqual(await source.ask('F17XK1ABCD12'), { is: 'not_found' });
  await source.close();
  assert.deepEqual(provider.gsx.problems, []);
});

test('shows requests and answers without any token', async () => {
  const source = await provider.open();
  await source.ask(imei);
  provider.gsx.endSession();
  const first = await provider.storedToken();
  await source.ask(imei);
  await source.close();
  const shown = JSON.stringify(source.shown);
  assert.equal(source.shown.length, 3);
  assert.ok(shown.includes(imei) && shown.includes('"x-apple-auth-token":"***"'));
  for (const secret of [activationToken, first, await provider.storedToken()])
    assert.ok(secret && !shown.includes(secret));
});

test('rows wait while the server is unreachable or not trusted', async () => {
  const source = await provider.open();
  await source.ask(imei);
  const url = provider.gsx.url;
  await provider.gsx.close();
  assert.equal((await source.ask(imei)).is, 'unreachable');
  await source.close();
  const stranger = createAuthority('Nobody');
  await provider.restart(stranger);
  assert.notEqual(provider.gsx.url, url);
  const distrustful = await provider.open();
  assert.equal((await distrustful.ask(imei)).is, 'unreachable');
  assert.equal(provider.gsx.received.length, 0);
  await distrustful.close();
});

test('names a missing file, and reports a key that does not match its certificate', async () => {
  await assert.rejects(
    provider.open({ client_cert: join(provider.folder, 'none.pem') }),
    /SOURCES_FILE gsx\.client_cert: .*ENOENT/,
  );
  await assert.rejects(
    provider.open({ client_key: join(provider.folder, 'other.key') }),
    /SOURCES_FILE gsx\.client_key: /,
  );
});

test('never goes through proxies', async () => {
  await assert.rejects(provider.open({ egress: 'proxies' }), /SOURCES_FILE sources\[0\]\.egress/);
});

test('an answer counts although its token could not be marked as used', async () => {
  const { pool } = provider.database;
  const source = await provider.open();
  await pool.query('ALTER TABLE gsx_sessions ADD CONSTRAINT unused CHECK (used_at IS NULL)');
  try {
    assert.deepEqual(await source.ask(imei), found);
  } finally {
    await pool.query('ALTER TABLE gsx_sessions DROP CONSTRAINT unused');
  }
  await source.close();
});

test('a failure of the product’s database uses up no attempt, and its text reaches no user', async () => {
  const { pool } = provider.database;
  const source = await provider.open();
  await pool.query('ALTER TABLE gsx_sessions RENAME TO hidden_sessions');
  try {
    assert.deepEqual(await source.ask(imei), {
      is: 'unsent',
      error: 'the database of Coverdesk did not answer',
    });
  } finally {
    await pool.query('ALTER TABLE hidden_sessions RENAME TO gsx_sessions');
  }
  await source.close();
});
