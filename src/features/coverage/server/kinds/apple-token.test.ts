import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { appleDeviceFound, type Organisation, startOrganisation } from '#tests/support/apple-organisation.ts';

let organisation: Organisation;
beforeEach(async () => {
  organisation = await startOrganisation();
});
afterEach(() => organisation.close());

test('fetches a new token when less than five minutes are left, and one more when the present one is refused', async () => {
  const source = await organisation.open();
  await source.ask('F17XK1ABC01');
  await organisation.database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '6 minutes'");
  await source.ask('F17XK1ABC01');
  assert.equal(organisation.apple.count('/token'), 1);
  await organisation.database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '4 minutes'");
  await source.ask('F17XK1ABC01');
  assert.equal(organisation.apple.count('/token'), 2);
  organisation.apple.revokeTokens();
  assert.deepEqual(await source.ask('F17XK1ABC01'), appleDeviceFound);
  assert.equal(organisation.apple.count('/token'), 3);
  organisation.apple.interrupt('/appleCareCoverage', { status: 401, body: {} }, { status: 401, body: {} });
  assert.equal((await source.ask('F17XK1ABC01')).is, 'auth');
  assert.equal(organisation.apple.count('/token'), 4);
  await source.close();
});

test('when Apple hands out no token the old one serves on, and without one no row is to blame', async () => {
  const source = await organisation.open();
  await source.ask('F17XK1ABC01');
  await organisation.database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '4 minutes'");
  organisation.apple.interrupt('/token', { status: 400, body: { error: 'invalid_request' } });
  assert.deepEqual(await source.ask('F17XK1ABC01'), appleDeviceFound);
  assert.deepEqual(await source.ask('F17XK1ABC01'), appleDeviceFound);
  assert.equal(organisation.apple.count('/token'), 2, 'not asked again within the same minute');
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
    await organisation.database.pool.query('UPDATE apple_tokens SET expires_at = now(), refused_at = NULL');
    organisation.apple.interrupt('/token', reply);
    assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), outcome);
  }
  await source.close();
});
