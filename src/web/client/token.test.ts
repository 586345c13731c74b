import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readToken } from './token.ts';

const now = Date.UTC(2026, 10, 21);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const tokenOf = (payload: unknown) => `${part({ alg: 'HS256' })}.${part(payload)}.signature`;

test('a valid token gives its user', () => {
  const payload = {
    exp: now / 1000 + 1,
    email: 'budi@example.com',
    name: 'Budi Šantoso',
    superadmin: '1',
    new_user: '0',
    company_code: 'ACM001',
  };
  assert.deepEqual(readToken(tokenOf(payload), now), {
    email: 'budi@example.com',
    name: 'Budi Šantoso',
    superadmin: true,
    companyAdmin: false,
    newUser: false,
    secondFactorDue: false,
    companyCode: 'ACM001',
    expiresAt: now + 1000,
  });
});

test('anything but three readable parts is a wrong format', () => {
  const [head, payload, signature] = tokenOf({ exp: now / 1000 + 1 }).split('.');
  for (const token of [
    '',
    'word',
    `${head}.${payload}`,
    `${head}.${payload}.${signature}.more`,
    `${head}.***.${signature}`,
    `${head}.${part('text')}.${signature}`,
    `${head}.${part(null)}.${signature}`,
    tokenOf({ email: 'no end' }),
  ]) {
    assert.equal(readToken(token, now), 'format', token);
  }
});

test('a token is expired from its second on', () => {
  const token = tokenOf({ exp: now / 1000 });
  assert.equal(readToken(token, now), 'expired');
  assert.equal(typeof readToken(token, now - 1), 'object');
});
