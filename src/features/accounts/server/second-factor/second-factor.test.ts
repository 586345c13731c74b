import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { removeSecondFactorByOperator } from '#features/accounts/server/second-factor/operator-removal.service.ts';
import { secondFactorSecrets } from '#features/accounts/server/second-factor/second-factor-secrets.queries.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
/** The product's clock: the beginning of a 30-second step. */
let now = Date.parse('2026-11-21T03:00:00Z');
const stepMs = 30_000;

before(async () => {
  api = await createTestApi({ LOGIN_ATTEMPTS: '7', TRUST_PROXY: '127.0.0.1' });
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());
beforeEach(async () => {
  setClock(now + 3_600_000);
  user = await createUser(api);
});

function setClock(ms: number): void {
  now = ms;
  api.clock.set(new Date(ms));
}
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * stepMs });
const as = ({ token }: { token: string }, call: string, body?: object) => api.send(call, { token, body });

/** Sets up a second factor; its code of the present step is used up. The owner goes on with the fresh token. */
async function setUp(owner = user) {
  const { secret, uri } = (await as(owner, 'POST /api/auth/totp')).json<{ secret: string; uri: string }>();
  const confirmed = await as(owner, 'POST /api/auth/totp/confirm', { code: codeOf(secret) });
  assert.equal(confirmed.statusCode, 200, confirmed.body);
  const answered = confirmed.json<{ recovery_codes: string[]; token: string }>();
  owner.token = answered.token;
  return { secret, uri, ...answered };
}

const signIn = async (owner = user) =>
  (await api.send('POST /api/auth/login', { body: { email: owner.email, password: owner.password } })).json<{
    token?: string;
    second_factor?: true;
    challenge: string;
  }>();
const answer = (challenge: string, code: string, address = '127.0.0.1') =>
  api.send('POST /api/auth/second-factor', {
    body: { challenge, code },
    headers: { 'x-forwarded-for': address },
  });
const told = ({ statusCode, body }: { statusCode: number; body: string }) =>
  `${statusCode} ${JSON.parse(body).code ?? ''}`.trim();
const wrong = '000000';

test('setting up answers a secret once, and its code activates it and gives ten recovery codes', async () => {
  const before = await as(user, 'GET /api/auth/totp');
  assert.deepEqual(before.json(), { active: false, required: false, recovery_codes: 0 });
  const refused = await as(user, 'POST /api/auth/totp/confirm', { code: wrong });
  assert.deepEqual([told(refused), refused.json().details[0].path], ['400 invalid', 'code']);
  const { secret, uri, recovery_codes } = await setUp();
  assert.match(secret, /^[A-Z2-7]{32}$/);
  const { protocol, searchParams } = new URL(uri);
  assert.deepEqual([protocol, searchParams.get('secret')], ['otpauth:', secret]);
  assert.equal(searchParams.get('issuer'), 'Coverdesk');
  assert.equal(new Set(recovery_codes).size, 10);
  const after = await as(user, 'GET /api/auth/totp');
  assert.deepEqual(after.json(), { active: true, required: false, recovery_codes: 10 });
  for (const [call, body] of [
    ['POST /api/auth/totp', undefined],
    ['POST /api/auth/totp/confirm', { code: codeOf(secret, 1) }],
  ] as const) {
    assert.equal(told(await as(user, call, body)), '409 second_factor_active');
  }
  const list = (await as(admin, `GET /api/users?q=${user.email}`)).json().data;
  assert.deepEqual([list[0].email, list[0].second_factor], [user.email, true]);
  const { rows } = await api.context.db.query('SELECT secret FROM second_factors WHERE user_id = $1', [
    user.id,
  ]);
  assert.match(rows[0].secret, /^sealed\./);
});

test('signing in then asks for a code, which counts once', async () => {
  const { secret } = await setUp();
  const first = await signIn();
  assert.deepEqual(Object.keys(first).sort(), ['challenge', 'second_factor']);
  // The code that confirmed is used up.
  assert.equal(told(await answer(first.challenge, codeOf(secret))), '401 code_wrong');
  setClock(now + stepMs);
  const code = codeOf(secret);
  const signedIn = await answer(first.challenge, ` ${code.slice(0, 3)} ${code.slice(3)} `);
  assert.equal(signedIn.statusCode, 200, signedIn.body);
  const { token } = signedIn.json();
  assert.equal(decodeJwt(token).sub, String(user.id));
  assert.equal((await as({ token }, 'GET /api/tickets/last')).statusCode, 200);
  assert.equal(told(await answer(first.challenge, codeOf(secret, 1))), '401 challenge_ended');
  const again = await signIn();
  for (const used of [code, codeOf(secret, -1)]) {
    assert.equal(told(await answer(again.challenge, used)), '401 code_wrong');
  }
  const { data } = await readAuditLog(api, admin, `?object_id=${user.id}&limit=3`);
  assert.deepEqual(
    data.map(({ action, after }) => [action, after]),
    [
      ['user.sign-in-refused', { email: user.email, reason: 'wrong code' }],
      ['user.sign-in-refused', { email: user.email, reason: 'wrong code' }],
      ['user.sign-in', { by: 'code' }],
    ],
  );
});

test('of two sign-ins at once with one code, one succeeds', async () => {
  const { secret } = await setUp();
  setClock(now + stepMs);
  const code = codeOf(secret);
  const challenges = [(await signIn()).challenge, (await signIn()).challenge];
  const lock = 'SELECT FROM second_factors WHERE user_id = $1 FOR UPDATE';
  const answers = await raceForLock(
    api.context.db,
    [lock, [user.id]],
    challenges.map((challenge, index) => () => answer(challenge, code, `192.0.2.${index}`)),
  );
  assert.deepEqual(answers.map(told).sort(), ['200', '401 code_wrong']);
});

test('a recovery code replaces a code once', async () => {
  const { recovery_codes } = await setUp();
  const [code = ''] = recovery_codes;
  assert.equal((await answer((await signIn()).challenge, code.toLowerCase())).statusCode, 200);
  assert.equal(told(await answer((await signIn()).challenge, code)), '401 code_wrong');
  assert.equal((await as(user, 'GET /api/auth/totp')).json().recovery_codes, 9);
  const { rows } = await api.context.db.query('SELECT * FROM recovery_codes WHERE user_id = $1', [user.id]);
  for (const spelled of [code, code.replaceAll('-', '')]) assert.ok(!JSON.stringify(rows).includes(spelled));
});

test('five wrong codes end a challenge, and new challenges do not give endless guesses', async () => {
  const { secret } = await setUp();
  const first = await signIn();
  const guesses: string[] = [];
  for (let guess = 0; guess < 5; guess++) guesses.push(told(await answer(first.challenge, wrong)));
  assert.deepEqual(guesses, [...Array(4).fill('401 code_wrong'), '401 challenge_ended']);
  setClock(now + stepMs);
  assert.equal(told(await answer(first.challenge, codeOf(secret))), '401 challenge_ended');
  const second = await signIn();
  // A stranger's guesses at other addresses count for the account, but not at the owner's.
  for (let guess = 0; guess < 2; guess++) {
    assert.equal(told(await answer(second.challenge, wrong, `198.51.100.${guess}`)), '401 code_wrong');
  }
  const limited = await answer(second.challenge, codeOf(secret), '198.51.100.9');
  assert.equal(told(limited), '429 too_many_attempts');
  assert.match(String(limited.headers['retry-after']), /^\d+$/);
  assert.equal((await answer(second.challenge, codeOf(secret))).statusCode, 200);
});

test('a challenge ends after ten minutes, with a new password, and when its user is deactivated', async () => {
  const { secret } = await setUp();
  const expired = await signIn();
  setClock(now + 10 * 60_000);
  assert.equal(told(await answer(expired.challenge, codeOf(secret))), '401 challenge_ended');
  const outdated = await signIn();
  const change = { currentPassword: user.password, newPassword: 'nine brown kettles' };
  assert.equal((await as(user, 'POST /api/auth/change-password', change)).statusCode, 200);
  assert.equal(told(await answer(outdated.challenge, codeOf(secret))), '401 challenge_ended');
  const deactivated = await signIn({ ...user, password: change.newPassword });
  assert.equal(deactivated.second_factor, true, 'a new password does not remove the second factor');
  await api.context.db.query('UPDATE users SET active = false WHERE id = $1', [user.id]);
  assert.equal(told(await answer(deactivated.challenge, codeOf(secret))), '401 challenge_ended');
  assert.equal(told(await answer('unknown', wrong)), '401 challenge_ended');
});

test('the password removes a second factor', async () => {
  await setUp();
  const refused = await as(user, 'DELETE /api/auth/totp', { password: 'not it' });
  assert.deepEqual([told(refused), refused.json().details[0].path], ['400 wrong_password', 'password']);
  const removed = await as(user, 'DELETE /api/auth/totp', { password: user.password });
  assert.equal(removed.statusCode, 200);
  assert.equal(told(await as(user, 'GET /api/auth/totp')), '401 session_ended', 'every older session ends');
  user.token = removed.json().token;
  assert.equal((await as(user, 'GET /api/auth/totp')).statusCode, 200);
  assert.ok((await signIn()).token);
  const gone = await as(user, 'DELETE /api/auth/totp', { password: user.password });
  assert.equal(told(gone), '404 no_second_factor');
  assert.equal((await setUp()).recovery_codes.length, 10);
});

test('an operator removes a lost second factor, which ends the sessions', async () => {
  await setUp();
  const { db } = api.context;
  assert.deepEqual(await removeSecondFactorByOperator(db, user.email.toUpperCase()), {
    email: user.email,
    removed: true,
  });
  assert.ok((await signIn()).token);
  assert.equal((await removeSecondFactorByOperator(db, user.email))?.removed, false);
  assert.equal(await removeSecondFactorByOperator(db, 'nobody@example.test'), undefined);
  const { data } = await readAuditLog(api, admin, `?object_id=${user.id}&action=user.second-factor-removed`);
  assert.deepEqual(data[0]?.after, { second_factor: false, by: 'operator' });
});

test('a new key seals the secrets anew', async (context) => {
  const { secret } = await setUp();
  const { SECRETS_KEY } = process.env;
  context.after(() => {
    process.env.SECRETS_KEY = SECRETS_KEY;
    delete process.env.SECRETS_KEY_OLD;
  });
  process.env.SECRETS_KEY = 'another key of this test, long enough';
  await assert.rejects(secondFactorSecrets.requireOpenable(api.context.db), /SECRETS_KEY lacks the key/);
  process.env.SECRETS_KEY_OLD = SECRETS_KEY;
  assert.ok((await secondFactorSecrets.reseal(api.context.db)) > 0);
  delete process.env.SECRETS_KEY_OLD;
  await secondFactorSecrets.requireOpenable(api.context.db);
  setClock(now + stepMs);
  assert.equal((await answer((await signIn()).challenge, codeOf(secret))).statusCode, 200);
});

test("setting up a second factor ends the user's other sessions", async () => {
  const other = await signIn();
  const { token: former } = user;
  const isSignedIn = async (token: string | undefined) =>
    (await as({ token: token ?? '' }, 'GET /api/tickets/last')).statusCode === 200;
  assert.ok(await isSignedIn(other.token));
  const { token } = await setUp();
  assert.deepEqual(
    [await isSignedIn(other.token), await isSignedIn(former), await isSignedIn(token)],
    [false, false, true],
  );
});
