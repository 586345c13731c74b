// Limits on guesses from many addresses or for many accounts, which never lock users out of known addresses.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';

let api: TestApi;
let user: TestUser;

before(async () => {
  api = await createTestApi({ LOGIN_ATTEMPTS: '2', TRUST_PROXY: '127.0.0.1' });
});
after(() => api.close());
beforeEach(async () => {
  await api.context.db.query('DELETE FROM login_failures');
  user = await createUser(api);
});

const signIn = (email: string, password: string, address: string) =>
  api.send('POST /api/auth/login', { body: { email, password }, headers: { 'x-forwarded-for': address } });

/** Returns the statuses of consecutive wrong sign-ins. */
async function guess(count: number, of: (index: number) => { email: string; address: string }) {
  const statuses: number[] = [];
  for (let index = 0; index < count; index++) {
    const { email, address } = of(index);
    statuses.push((await signIn(email, 'not it', address)).statusCode);
  }
  return statuses;
}

test('guesses for one account from many addresses are limited, and its owner can sign in from known addresses', async () => {
  assert.equal((await signIn(user.email, user.password, '203.0.113.9')).statusCode, 200);
  const statuses = await guess(12, (index) => ({ email: user.email, address: `198.51.100.${index}` }));
  assert.deepEqual(statuses, [...Array(6).fill(401), ...Array(6).fill(429)]);
  const stranger = await signIn(user.email, user.password, '198.51.100.99');
  assert.equal(stranger.statusCode, 429);
  assert.match(String(stranger.headers['retry-after']), /^(8[89]\d|900)$/);
  assert.equal(stranger.json().code, 'too_many_attempts');
  assert.equal((await signIn(user.email, user.password, '203.0.113.9')).statusCode, 200);
});

test('guesses for many accounts from one address are limited, and its known users can sign in', async () => {
  const address = '203.0.113.20';
  assert.equal((await signIn(user.email, user.password, address)).statusCode, 200);
  const statuses = await guess(16, (index) => ({ email: `nobody${index}@example.test`, address }));
  assert.deepEqual(statuses, [...Array(12).fill(401), ...Array(4).fill(429)]);
  const other = await createUser(api);
  assert.equal((await signIn(other.email, other.password, address)).statusCode, 429);
  assert.equal((await signIn(other.email, other.password, '203.0.113.21')).statusCode, 200);
  assert.equal((await signIn(user.email, user.password, address)).statusCode, 200);
});

test('all addresses of one /64 count as one', async () => {
  const statuses = await guess(14, (index) => ({
    email: `nobody${index}@example.test`,
    address: `2001:db8:7:7:${index + 1}::${index + 1}`,
  }));
  assert.deepEqual(statuses, [...Array(12).fill(401), 429, 429]);
  assert.equal((await signIn(user.email, 'not it', '2001:db8:7:8::1')).statusCode, 401);
});

test('guesses of the current password are limited, and end no session', async () => {
  const change = (currentPassword: string) =>
    api.send('POST /api/auth/change-password', {
      token: user.token,
      body: { currentPassword, newPassword: 'quite another one' },
    });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) statuses.push((await change('not it at all')).statusCode);
  assert.deepEqual(statuses, [400, 400, 429, 429]);
  const refused = await change(user.password);
  assert.equal(refused.statusCode, 429);
  assert.match(String(refused.headers['retry-after']), /^\d+$/);
  assert.equal(refused.json().message, 'Too many wrong passwords, please try again in 15 minutes');
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 200);
  assert.equal((await signIn(user.email, user.password, '127.0.0.1')).statusCode, 200);
});
