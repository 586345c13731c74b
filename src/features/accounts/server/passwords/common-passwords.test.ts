import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { parseConfig } from '#server/runtime/config.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';
import { createFirstSuperadmin } from '../accounts.service.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

test('common passwords are refused wherever a password is set, with a text', async () => {
  const admin = await createUser(api, { superadmin: true });
  const user = await createUser(api);
  const forgetful = await createUser(api);
  const resetToken = randomBytes(32).toString('base64url');
  await api.context.db.query(
    `INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
    [createHash('sha256').update(resetToken).digest(), forgetful.id],
  );
  const register = {
    name: 'Somebody',
    email: 'somebody@example.test',
    superadmin: '0',
    company_code: user.companyCode,
  };
  const ways = [
    ['register', 'password', admin.token, (password: string) => ({ ...register, password })],
    [
      'change-password',
      'newPassword',
      user.token,
      (newPassword: string) => ({ currentPassword: user.password, newPassword }),
    ],
    [
      'reset-password',
      'newPassword',
      undefined,
      (newPassword: string) => ({ token: resetToken, newPassword }),
    ],
  ] as const;
  for (const [call, path, token, bodyOf] of ways) {
    for (const password of ['12345678', 'Password123', 'qwertyuiop']) {
      const answer = await api.send(`POST /api/auth/${call}`, { token, body: bodyOf(password) });
      assert.equal(answer.statusCode, 400, `${call} ${password}`);
      const message = 'This password is too common. Please choose another one.';
      assert.deepEqual(answer.json().details, [{ path, message }]);
    }
    const indonesian = await api.send(`POST /api/auth/${call}`, {
      token,
      body: bodyOf('password1'),
      headers: { 'accept-language': 'id' },
    });
    assert.match(indonesian.json().message, /paling umum/);
    const taken = await api.send(`POST /api/auth/${call}`, { token, body: bodyOf('nobody guesses this') });
    assert.equal(taken.statusCode, call === 'register' ? 201 : 200, call);
  }
});

test('the first superadmin cannot have a common password either', async () => {
  const { ADMIN_EMAIL, ADMIN_PASSWORD } = parseConfig({ ADMIN_PASSWORD: 'administrator' });
  await api.context.db.query('DELETE FROM users WHERE superadmin');
  await assert.rejects(
    createFirstSuperadmin(api.context.db, { email: ADMIN_EMAIL, password: ADMIN_PASSWORD }),
    { message: 'ADMIN_PASSWORD takes a password that is not a common one' },
  );
});
