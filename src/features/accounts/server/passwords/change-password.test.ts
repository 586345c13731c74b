import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { decodeJwt } from 'jose';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { holdLock, raceForLock, waitForWaiting } from '#tests/support/database/race.ts';

let api: TestApi;
let user: TestUser;

before(async () => {
  api = await createTestApi();
});
after(() => api.close());
beforeEach(async () => {
  // With a fixed clock, everything happens within one second.
  api.clock.set(new Date('2026-11-21T03:00:00.900Z'));
  user = await createUser(api, { newUser: true });
});

const change = (currentPassword: string, newPassword: string, token = user.token) =>
  api.send('POST /api/auth/change-password', { token, body: { currentPassword, newPassword } });
const statusOf = async (token: string) => (await api.send('GET /api/tickets/last', { token })).statusCode;

test('a change ends every older session at once, also one of the same second', async () => {
  const first = await change(user.password, 'second password');
  assert.equal(first.statusCode, 200);
  assert.equal(first.json().message, 'Password changed successfully');
  const second = first.json<{ token: string }>().token;
  assert.equal(decodeJwt(second).new_user, '0');
  assert.equal(await statusOf(user.token), 401);
  assert.equal(await statusOf(second), 200);

  const third = (await change('second password', 'third password', second)).json<{ token: string }>().token;
  assert.equal(await statusOf(second), 401);
  assert.equal(await statusOf(third), 200);

  const body = { email: user.email, password: 'third password' };
  const login = await api.send('POST /api/auth/login', { body });
  assert.equal(await statusOf(login.json<{ token: string }>().token), 200);
});

test('a refused password change has a reason', async () => {
  const wrong = await change('not it', 'second password');
  assert.equal(wrong.statusCode, 400);
  assert.equal(wrong.json().code, 'wrong_password');
  assert.equal(wrong.json().message, 'Current password is incorrect');
  const same = await change(user.password, user.password);
  assert.equal(same.statusCode, 400);
  assert.equal(same.json().message, 'New password must be different from current password');
  const short = await change(user.password, '1234567');
  assert.equal(short.statusCode, 400);
  assert.equal(short.json().message, 'New password must be at least 8 characters long');
  assert.equal(await statusOf(user.token), 403);
});

test('of two concurrent password changes one succeeds', async () => {
  // Both have read the user when they meet at the lock: one that came later would have no session any more.
  const lock = 'SELECT FROM users WHERE id = $1 FOR SHARE';
  const answers = await raceForLock(
    api.context.db,
    [lock, [user.id]],
    [() => change(user.password, 'one password'), () => change(user.password, 'other password')],
  );
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [200, 400]);
});

test('a change ends a session that was opened while the change waited for the user', async () => {
  const { db } = api.context;
  const lock = 'SELECT FROM users WHERE id = $1 FOR SHARE';
  const [changed, signedIn] = await holdLock(db, [lock, [user.id]], async (letGo) => {
    const changing = change(user.password, 'second password');
    await waitForWaiting(db, 1);
    api.clock.set(new Date('2026-11-21T03:00:05.900Z'));
    const body = { email: user.email, password: user.password };
    const login = await api.send('POST /api/auth/login', { body });
    await letGo();
    return [await changing, login];
  });
  assert.equal(changed.statusCode, 200);
  assert.equal(signedIn.statusCode, 200);
  assert.equal(await statusOf(signedIn.json<{ token: string }>().token), 401);
  assert.equal(await statusOf(changed.json<{ token: string }>().token), 200);
});
