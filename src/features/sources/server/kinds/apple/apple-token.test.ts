import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { countOpenTransactions } from '#tests/support/database/open-transactions.ts';
import {
  appleDeviceFound,
  type Organisation,
  startOrganisation,
} from '#tests/support/sources/apple-organisation.ts';
import { waitFor } from '#tests/support/wait.ts';

let organisation: Organisation;
beforeEach(async () => {
  organisation = await startOrganisation();
});
afterEach(() => organisation.close());

test('requests a new token when less than five minutes are left, and when the current one is refused', async () => {
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

test('the old token is used while Apple issues no new one, and without a token no row fails', async () => {
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

test('two workers request one token, without an open transaction, although Apple takes 6.5 s', async () => {
  const workers = await Promise.all([organisation.open(), organisation.open()]);
  const release = organisation.apple.holdTokens();
  const asked = workers.map((worker) => worker.ask('F17XK1ABC01'));
  await waitFor('the token request', async () => organisation.apple.count('/token') === 1);
  const openTransactions = await countOpenTransactions(organisation.database.pool);
  await delay(6500);
  release();
  assert.deepEqual(await Promise.all(asked), [appleDeviceFound, appleDeviceFound]);
  assert.equal(organisation.apple.count('/token'), 1);
  assert.equal(openTransactions, 0);
  for (const worker of workers) await worker.close();
});

test('a token is used until it expires while another worker requests the next one', async () => {
  const workers = await Promise.all([organisation.open(), organisation.open()]);
  await workers[0]?.ask('F17XK1ABC01');
  await organisation.database.pool.query("UPDATE apple_tokens SET expires_at = now() + interval '4 minutes'");
  const release = organisation.apple.holdTokens();
  const first = workers[0]?.ask('F17XK1ABC01');
  await waitFor('the token request', async () => organisation.apple.count('/token') === 2);
  assert.deepEqual(await workers[1]?.ask('F17XK1ABC01'), appleDeviceFound);
  release();
  assert.deepEqual(await first, appleDeviceFound);
  assert.equal(organisation.apple.count('/token'), 2);
  for (const worker of workers) await worker.close();
});
