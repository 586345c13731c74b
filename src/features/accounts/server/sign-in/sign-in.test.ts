import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { hash } from '@node-rs/argon2';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, raceForLock, waitForWaiting } from '#tests/support/database/race.ts';

let api: TestApi;
let user: TestUser;
const start = new Date('2026-11-21T03:00:00.400Z');

before(async () => {
  api = await createTestApi({ LOGIN_ATTEMPTS: '3', SESSION_HOURS: '2', TRUST_PROXY: '127.0.0.1' });
});
after(() => api.close());
beforeEach(async () => {
  api.clock.set(start);
  user = await createUser(api, { name: 'Ayu' });
});

const signIn = (email: string, password: string, headers = {}) =>
  api.send('POST /api/auth/login', { body: { email, password }, headers });
const last = (token: string) => api.send('GET /api/tickets/last', { token });

test('the token names the user and has times in whole seconds', async () => {
  const answer = await signIn(user.email.toUpperCase(), user.password);
  assert.equal(answer.statusCode, 200);
  const { token } = answer.json<{ token: string }>();
  assert.equal(token.split('.').length, 3);
  const iat = Math.floor(start.getTime() / 1000);
  assert.deepEqual(decodeJwt(token), {
    sub: String(user.id),
    email: user.email,
    name: 'Ayu',
    superadmin: '0',
    new_user: '0',
    company_code: user.companyCode,
    iat,
    exp: iat + 7200,
  });
  assert.equal((await last(token)).statusCode, 200);
});

test("a session ends at once when its user's sessions end, or the user is deleted, in the database", async () => {
  const deleted = await createUser(api);
  for (const { token } of [user, deleted]) assert.equal((await last(token)).statusCode, 200);
  await api.context.db.query('UPDATE users SET sessions_valid_from = 9999999999 WHERE id = $1', [user.id]);
  await api.context.db.query('DELETE FROM users WHERE id = $1', [deleted.id]);
  for (const { token } of [user, deleted]) assert.equal((await last(token)).statusCode, 401);
});

test('a wrong password and an unknown account get the same answer', async () => {
  const wrong = await signIn(user.email, 'not it');
  const unknown = await signIn('nobody@example.test', 'not it');
  assert.equal(wrong.statusCode, 401);
  assert.equal(unknown.statusCode, 401);
  assert.deepEqual(wrong.json(), unknown.json());
  assert.equal(wrong.json().message, 'Invalid email or password');
  const indonesian = await signIn(user.email, 'not it', { 'accept-language': 'id' });
  assert.equal(indonesian.json().message, 'Email atau kata sandi salah');
});

test('one account, known or not, that signs in without pause keeps nobody else out', async () => {
  const other = await createUser(api);
  for (const email of [user.email, 'nobody@example.test']) {
    const many = Array.from({ length: 60 }, (_, n) =>
      signIn(email, user.password, { 'x-forwarded-for': `10.0.${n}.1` }),
    );
    assert.equal((await signIn(other.email, other.password)).statusCode, 200);
    const refused = (await Promise.all(many)).filter((answer) => answer.json().code === 'busy');
    assert.ok(refused.length > 0);
    assert.deepEqual([refused[0]?.statusCode, refused[0]?.headers['retry-after']], [429, '5']);
  }
});

test('too many failures lock the account out from that address for 15 minutes', async () => {
  for (let attempt = 0; attempt < 3; attempt++) {
    assert.equal((await signIn(user.email, 'not it')).statusCode, 401);
  }
  const shutOut = await signIn(user.email.toUpperCase(), user.password);
  assert.equal(shutOut.statusCode, 429);
  assert.equal(shutOut.headers['retry-after'], '900');
  assert.equal(shutOut.json().message, 'Too many failed sign-ins, please try again in 15 minutes');
  api.clock.set(new Date(start.getTime() + 850_000));
  const nearlyOver = await signIn(user.email, user.password);
  assert.equal(nearlyOver.json().message, 'Too many failed sign-ins, please try again in 1 minute');
  const indonesian = await signIn(user.email, user.password, { 'accept-language': 'id' });
  assert.match(indonesian.json().message, /silakan coba lagi dalam 1 menit$/);
  api.clock.set(new Date(start.getTime() + 900_000));
  assert.equal((await signIn(user.email, user.password)).statusCode, 200);
});

test('failures from before the clock was set back do not count, and are deleted', async () => {
  api.clock.set(new Date(start.getTime() + 86_400_000));
  for (let attempt = 0; attempt < 3; attempt++) await signIn(user.email, 'not it');
  assert.equal((await signIn(user.email, user.password)).statusCode, 429);
  api.clock.set(start);
  assert.equal((await signIn(user.email, user.password)).statusCode, 200);
  await signIn('other@example.test', 'not it');
  const ahead = 'SELECT FROM login_failures WHERE failed_at > $1';
  const { rowCount } = await api.context.db.query(ahead, [new Date(start.getTime() + 3_600_000)]);
  assert.equal(rowCount, 0);
});

test('failures from one address do not lock out other addresses', async () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });
  for (let attempt = 0; attempt < 3; attempt++) await signIn(user.email, 'not it', from('192.0.2.1'));
  assert.equal((await signIn(user.email, user.password, from('192.0.2.1'))).statusCode, 429);
  assert.equal((await signIn(user.email, user.password, from('192.0.2.2'))).statusCode, 200);
});

test('a successful sign-in resets the count of failures', async () => {
  for (let round = 0; round < 2; round++) {
    for (let attempt = 0; attempt < 2; attempt++) await signIn(user.email, 'not it');
    assert.equal((await signIn(user.email, user.password)).statusCode, 200);
  }
});

test('concurrent attempts are limited like consecutive ones', async () => {
  // Each one passes the first check before any of them is counted.
  const answers = await raceForLock(
    api.context.db,
    ['SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sign-in ${user.email} 127.0.0.1`]],
    Array.from({ length: 7 }, () => () => signIn(user.email, 'not it')),
  );
  assert.equal(answers.filter((answer) => answer.statusCode === 401).length, 3);
  assert.equal(answers.filter((answer) => answer.statusCode === 429).length, 4);
});

test('concurrent sign-ins with the right password all succeed', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(user.email, user.password)));
  assert.ok(answers.every((answer) => answer.statusCode === 200));
});

test('failures older than 15 minutes are deleted', async () => {
  await signIn('gone@example.test', 'not it');
  api.clock.set(new Date(start.getTime() + 3_600_000));
  await signIn(user.email, 'not it');
  const { rows } = await api.context.db.query('SELECT DISTINCT account FROM login_failures');
  assert.deepEqual(rows, [{ account: user.email }]);
});

test('an outdated password hash is renewed at the next sign-in, without ending sessions', async () => {
  const { db } = api.context;
  const hashOf = async () =>
    (await db.query('SELECT password_hash FROM users WHERE id = $1', [user.id])).rows[0].password_hash;
  const present = await hashOf();
  const cheap = await hash(user.password, { memoryCost: 4096, timeCost: 3, parallelism: 1 });
  await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, cheap]);
  assert.equal((await signIn(user.email, 'not it')).statusCode, 401);
  assert.equal(await hashOf(), cheap);
  assert.equal((await signIn(user.email, user.password)).statusCode, 200);
  const renewed = await hashOf();
  const costOf = (text: string) => text.split('$').slice(0, 4);
  assert.deepEqual(costOf(renewed), costOf(present));
  assert.equal((await last(user.token)).statusCode, 200);
  assert.equal((await signIn(user.email, user.password)).statusCode, 200);
  assert.equal(await hashOf(), renewed);
});

test('a sign-in is refused when the password changes before the sign-in settles', async () => {
  const { db } = api.context;
  const lock = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
  const answer = await holdLock(db, [lock, [`sign-in ${user.email} 127.0.0.1`]], async (letGo) => {
    // The old password is verified, and the sign-in waits to be counted.
    const signingIn = signIn(user.email, user.password);
    await waitForWaiting(db, 1);
    const body = { currentPassword: user.password, newPassword: 'another password' };
    const changed = await api.send('POST /api/auth/change-password', { token: user.token, body });
    assert.equal(changed.statusCode, 200);
    await letGo();
    return signingIn;
  });
  assert.equal(answer.statusCode, 401);
  assert.equal(answer.json().message, 'Invalid email or password');
  const { rows } = await db.query('SELECT account FROM login_failures WHERE account = $1', [user.email]);
  assert.equal(rows.length, 1);
});

test('the token is dated in the transaction that settles the sign-in', async () => {
  const { db } = api.context;
  const outdated = await hash(user.password, { memoryCost: 4096, timeCost: 3, parallelism: 1 });
  await db.query('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, outdated]);
  const lock = 'SELECT FROM users WHERE id = $1 FOR SHARE';
  const answer = await holdLock(db, [lock, [user.id]], async (letGo) => {
    // The sign-in is settled, and the new hash of the same password waits to be written.
    const signingIn = signIn(user.email, user.password);
    await waitForWaiting(db, 1);
    api.clock.set(new Date(start.getTime() + 5000));
    await letGo();
    return signingIn;
  });
  assert.equal(decodeJwt(answer.json<{ token: string }>().token).iat, Math.floor(start.getTime() / 1000));
});

test('a malformed, expired or wrongly signed token is refused', async () => {
  const sign = (key: string, exp: number, alg = 'HS256') =>
    new SignJWT({ sub: String(user.id), iat: exp - 60, exp })
      .setProtectedHeader({ alg })
      .sign(new TextEncoder().encode(key));
  const now = Math.floor(start.getTime() / 1000);
  const unsigned = new UnsecuredJWT({ sub: String(user.id), iat: now, exp: now + 60 }).encode();
  const cases = [
    [undefined, 'not_signed_in'],
    ['two.parts', 'token_invalid'],
    ['a.b.c', 'token_invalid'],
    [await sign('some other secret of the same length', now + 60), 'token_invalid'],
    [await sign(api.context.jwtSecret, now + 60, 'HS512'), 'token_invalid'],
    [unsigned, 'token_invalid'],
    [await sign(api.context.jwtSecret, now - 1), 'token_expired'],
  ] as const;
  for (const [token, code] of cases) {
    const answer = await api.send('GET /api/tickets/last', { token });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.json().code, code);
  }
});

test('an invalid body is refused with the names of its fields', async () => {
  const answer = await api.send('POST /api/auth/login', { body: { email: 'no address', password: '' } });
  assert.equal(answer.statusCode, 400);
  assert.deepEqual(answer.json(), {
    message: 'Please enter a valid email address',
    error: 'Please enter a valid email address',
    code: 'invalid',
    details: [
      { path: 'email', message: 'Please enter a valid email address' },
      { path: 'password', message: 'password is required' },
    ],
  });
});
