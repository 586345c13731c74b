import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIdentity } from './identity.ts';
import { mergeClaims } from './provider.ts';

const base = { iss: 'https://provider.example', sub: '1', aud: 'coverdesk', iat: 1, exp: 2 };
const verified = { ...base, email: 'ayu@acme.example', email_verified: true };

test('only a plain yes verifies an email address', () => {
  for (const email_verified of [true, 'true', 1, '1'])
    assert.ok(readIdentity({ ...verified, email_verified }, undefined));
  for (const email_verified of [[true], ['true'], { true: 1 }, false, 'yes', null, undefined])
    assert.equal(readIdentity({ ...verified, email_verified } as never, undefined), undefined);
});

test('a name is one line', () => {
  const identity = readIdentity(
    { ...verified, given_name: 'Ayu\r\nBcc: all', family_name: 'A\u2028\u202eB' },
    undefined,
  );
  assert.deepEqual([identity?.firstName, identity?.lastName], ['Ayu Bcc: all', 'A B']);
});

test('a name has no half characters', () => {
  const nameOf = (given_name: string) => readIdentity({ ...verified, given_name }, undefined)?.firstName;
  assert.equal(nameOf(`${'x'.repeat(99)}😀`), 'x'.repeat(99));
  assert.equal(nameOf('Ayu \ud83d'), 'Ayu \ufffd');
});

test('without a name, or with an address for a name, the email address names the person', () => {
  const nameOf = (claims: object) => readIdentity({ ...verified, ...claims }, undefined)?.firstName;
  const email = 'dewi.anggraini+it@acme.example';
  assert.equal(nameOf({ email }), 'dewi anggraini it');
  assert.equal(nameOf({ email, given_name: 'visit evil.com' }), 'dewi anggraini it');
  assert.equal(nameOf({ email, given_name: '\u200b' }), 'dewi anggraini it');
});

test('the signed token wins over the user info, and an address comes with its own verification', () => {
  const told = { ...base, email: 'boss@acme.example', email_verified: true, company: 'OTHER1', name: 'Boss' };
  assert.deepEqual(mergeClaims({ ...verified, company: 'ACM001' }, told), {
    ...verified,
    company: 'ACM001',
    name: 'Boss',
    xms_edov: undefined,
  });
  const unverified = mergeClaims(
    { ...base, email: 'ayu@acme.example' },
    { ...told, email_verified: undefined },
  );
  assert.equal(readIdentity(unverified, undefined), undefined);
});
