import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { findVault } from '#server/vault/vault.ts';
import { type Organisation, startOrganisation } from '#tests/support/sources/apple-organisation.ts';

let organisation: Organisation;
beforeEach(async () => {
  organisation = await startOrganisation();
});
afterEach(() => organisation.close());

test('reads every page of the agreements of a device', async () => {
  const source = await organisation.open();
  const [device] = organisation.apple.devices;
  const [warranty] = device?.coverage ?? [];
  device?.coverage.push(
    { ...warranty, description: 'AppleCare+', endDateTime: '2027-01-14T00:00:00Z' },
    { ...warranty, description: 'AppleCare+ renewed', endDateTime: '2028-01-14T00:00:00Z' },
  );
  assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), {
    coverage: { warranty_title: 'AppleCare+ renewed', coverage_end_date: '2028-01-14' },
  });
  assert.equal(organisation.apple.count('/D1/appleCareCoverage'), 2);
  await source.close();
});

test('maps statuses to outcomes', async () => {
  const source = await organisation.open();
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
    organisation.apple.interrupt('/appleCareCoverage', reply);
    assert.partialDeepStrictEqual(await source.ask('F17XK1ABC01'), outcome);
  }
  await source.close();
  assert.deepEqual(organisation.apple.problems, []);
});

test('shows its requests without tokens and assertions, and names an unusable key', async () => {
  const source = await organisation.open();
  await source.ask('F17XK1ABC01');
  await source.close();
  const { rows } = await organisation.database.pool.query<{ token: string }>(
    'SELECT token FROM apple_tokens',
  );
  assert.deepEqual(
    source.shown.map(({ request }) => request.headers.authorization),
    ['Bearer ***'],
  );
  const stored = rows[0]?.token ?? '';
  assert.match(stored, /^sealed\./);
  assert.ok(!JSON.stringify(source.shown).includes(findVault().open('token', stored)));
  await writeFile(join(organisation.folder, 'rsa.pem'), 'not a key');
  await assert.rejects(
    organisation.open({ private_key: join(organisation.folder, 'rsa.pem') }),
    /SOURCES_FILE apple\.private_key: /,
  );
});
