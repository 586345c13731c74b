// Roles that must have a second factor (SECOND_FACTOR_ROLES).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser } from '#tests/support/api/factories.ts';

let api: TestApi;

before(async () => {
  api = await createTestApi({ SECOND_FACTOR_ROLES: 'superadmin, company-admin' });
});
after(() => api.close());

test('a role that must have a second factor reaches nothing but setting it up', async () => {
  const admin = await createUser(api, { superadmin: true });
  const as = (token: string, call: string, body?: object) => api.send(call, { token, body });
  const refusal = async (token: string, call = 'GET /api/tickets/last') => {
    const { statusCode, body } = await as(token, call);
    return `${statusCode} ${JSON.parse(body).code ?? ''}`.trim();
  };
  assert.equal(decodeJwt(admin.token).second_factor_due, '1');
  assert.equal(await refusal(admin.token), '403 second_factor_required');
  assert.equal(await refusal(admin.token, 'POST /api/tokens'), '403 second_factor_required');
  assert.deepEqual((await as(admin.token, 'GET /api/auth/totp')).json(), {
    active: false,
    required: true,
    recovery_codes: 0,
  });
  const newPassword = 'nine brown kettles';
  const changed = await as(admin.token, 'POST /api/auth/change-password', {
    currentPassword: admin.password,
    newPassword,
  });
  const { token } = changed.json();
  assert.equal(decodeJwt(token).second_factor_due, '1');

  const { secret } = (await as(token, 'POST /api/auth/totp')).json();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await as(token, 'POST /api/auth/totp/confirm', { code });
  assert.equal(confirmed.statusCode, 200, confirmed.body);
  assert.equal(decodeJwt(confirmed.json().token).second_factor_due, undefined);
  const { token: fresh } = confirmed.json();
  assert.deepEqual([await refusal(token), await refusal(fresh)], ['401 session_ended', '200']);

  const program = (await as(fresh, 'POST /api/tokens', { name: 'Import', scope: 'read' })).json().token;
  assert.equal(await refusal(program), '200');
  const removed = await as(fresh, 'DELETE /api/auth/totp', { password: newPassword });
  assert.equal(removed.statusCode, 200);
  for (const session of [removed.json().token, program])
    assert.equal(await refusal(session), '403 second_factor_required');
  assert.equal(await refusal(program, 'POST /api/auth/totp'), '403 session_only');
});

test('other roles need none, and a first password is changed before', async () => {
  const user = await createUser(api);
  assert.equal((await api.send('GET /api/tickets/last', { token: user.token })).statusCode, 200);
  const newcomer = await createUser(api, { superadmin: true, newUser: true });
  const refused = await api.send('POST /api/auth/totp', { token: newcomer.token });
  assert.equal(refused.json().code, 'password_change_required');
});
