import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { UserEntry } from '#features/accounts/users.contract.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { waitForLink } from '#tests/support/api/outbox.ts';
import { raceForLock, waitForWaiting } from '#tests/support/database/race.ts';

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;
let user: TestUser;
let stranger: TestUser;

before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true, name: 'Root' });
  user = await createUser(api, { name: 'Ayu Sri Lestari' });
  admin = await createUser(api, { companyAdmin: true, companyCode: user.companyCode, name: 'Citra' });
  stranger = await createUser(api, { name: 'Zaki Nur' });
});
after(() => api.close());

const as = ({ token }: TestUser, call: string, send: Send = {}) => api.send(call, { token, ...send });
const patch = (who: TestUser, id: number, body: object) => as(who, `PATCH /api/users/${id}`, { body });
const list = async (who: TestUser, query = '') => {
  const answer = await as(who, `GET /api/users${query}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: UserEntry[]; pagination: { totalItems: number } }>();
};
const emails = async (who: TestUser, query = '') => (await list(who, query)).data.map(({ email }) => email);
const isSignedIn = async ({ token }: TestUser) =>
  (await api.send('GET /api/tickets/last', { token })).statusCode === 200;
const signIn = ({ email, password }: TestUser) =>
  api.send('POST /api/auth/login', { body: { email, password } });

test('an entry has the names, the role, the state and the latest sign-in of a user', async () => {
  const { data, pagination } = await list(superadmin, '?q=sri+LEST');
  assert.equal(pagination.totalItems, 1);
  const { created_at, last_login, ...entry } = data[0] ?? assert.fail();
  assert.deepEqual(entry, {
    _id: String(user.id),
    email: user.email,
    first_name: 'Ayu Sri',
    last_name: 'Lestari',
    company_code: user.companyCode,
    role: 'user',
    active: true,
    second_factor: false,
  });
  assert.ok(last_login && last_login >= created_at);
});

test('the list is by name, and narrowed by text, company, role and state', async () => {
  assert.deepEqual(await emails(superadmin), [user.email, admin.email, superadmin.email, stranger.email]);
  assert.deepEqual(await emails(superadmin, '?page=2&limit=3'), [stranger.email]);
  assert.deepEqual(await emails(superadmin, `?company_code=${user.companyCode}`), [user.email, admin.email]);
  assert.deepEqual(await emails(superadmin, '?role=company-admin'), [admin.email]);
  assert.deepEqual(await emails(superadmin, `?q=${stranger.email.toUpperCase()}&active=true`), [
    stranger.email,
  ]);
  assert.deepEqual(await emails(superadmin, '?active=false'), []);
  assert.equal((await as(superadmin, 'GET /api/users?role=boss')).statusCode, 400);
});

test('a lost second factor is removed by a superadmin, which signs the user out', async () => {
  const guarded = await createUser(api, { companyCode: user.companyCode });
  const { secret } = (await as(guarded, 'POST /api/auth/totp')).json();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const confirmed = await as(guarded, 'POST /api/auth/totp/confirm', { body: { code } });
  assert.equal(confirmed.statusCode, 200);
  guarded.token = confirmed.json().token;
  const withFactor = () => emails(admin, '?second_factor=true');
  assert.deepEqual(await withFactor(), [guarded.email]);
  assert.deepEqual(await emails(admin, '?second_factor=false'), [user.email, admin.email]);
  const call = `DELETE /api/users/${guarded.id}/second-factor`;
  assert.equal((await as(admin, call)).statusCode, 403);
  assert.equal((await as(guarded, call)).statusCode, 403);
  assert.deepEqual(await withFactor(), [guarded.email]);
  assert.equal((await signIn(guarded)).json().second_factor, true);
  assert.equal((await as(superadmin, call)).statusCode, 200);
  assert.deepEqual(await withFactor(), []);
  assert.equal(await isSignedIn(guarded), false);
  assert.ok((await signIn(guarded)).json().token);
  const { rows } = await api.context.db.query('SELECT FROM recovery_codes WHERE user_id = $1', [guarded.id]);
  assert.equal(rows.length, 0);
  const { data } = await readAuditLog(
    api,
    superadmin,
    `?object_id=${guarded.id}&action=user.second-factor-removed`,
  );
  assert.deepEqual(data[0]?.after, { second_factor: false, by: 'superadmin' });
  assert.equal(data[0]?.actor?.email, superadmin.email);
  assert.deepEqual([(await as(superadmin, call)).statusCode], [404]);
  const own = await as(superadmin, `DELETE /api/users/${superadmin.id}/second-factor`);
  assert.deepEqual([own.statusCode, own.json().code], [409, 'own_second_factor']);
  await api.context.db.query('DELETE FROM users WHERE id = $1', [guarded.id]);
});

test('a company administrator sees users and company administrators of the own company alone', async () => {
  await createUser(api, { superadmin: true, companyCode: user.companyCode });
  assert.deepEqual(await emails(admin), [user.email, admin.email]);
  assert.deepEqual(await emails(admin, `?company_code=${stranger.companyCode}`), []);
});

test('a change of names keeps the session, and is recorded with the values before and after', async () => {
  const answer = await patch(admin, user.id, { first_name: ' Dewi ', last_name: '' });
  assert.equal(answer.statusCode, 200);
  const { message, user: changed } = answer.json();
  assert.equal(message, 'User updated');
  assert.deepEqual([changed.first_name, changed.last_name], ['Dewi', '']);
  assert.ok(await isSignedIn(user));
  const { data } = await readAuditLog(api, superadmin, `?action=user.update&object_id=${user.id}`);
  assert.deepEqual(data[0]?.before, { first_name: 'Ayu Sri', last_name: 'Lestari' });
  assert.deepEqual(data[0]?.after, { first_name: 'Dewi', last_name: '' });
  assert.equal(data[0]?.actor?.email, admin.email);
  for (const body of [
    { first_name: '' },
    { first_name: 'x'.repeat(101) },
    { active: 'no' },
    { role: 'boss' },
  ]) {
    assert.equal((await patch(superadmin, user.id, body)).statusCode, 400);
  }
});

test('a deactivated user is signed out at once, and cannot sign in until reactivated', async () => {
  const leaver = await createUser(api, { companyCode: user.companyCode });
  const token = await linkFor(leaver);
  assert.equal((await patch(admin, leaver.id, { active: false })).json().user.active, false);
  assert.equal(await isSignedIn(leaver), false);
  const refused = await signIn(leaver);
  assert.equal(refused.statusCode, 401);
  assert.equal(refused.json().message, 'Invalid email or password');
  assert.deepEqual(await emails(admin, '?active=false'), [leaver.email]);
  assert.equal((await as(admin, `POST /api/users/${leaver.id}/reset`)).statusCode, 409);
  const reset = { token, newPassword: 'a brand new password' };
  assert.equal((await api.send('POST /api/auth/reset-password', { body: reset })).statusCode, 400);
  await patch(admin, leaver.id, { active: true });
  assert.equal(await isSignedIn(leaver), false);
  assert.equal((await signIn(leaver)).statusCode, 200);
});

test('another role or company ends the sessions and links; the same values do not', async () => {
  const company = await createCompany(api, 'Elsewhere');
  for (const change of [{ role: 'company-admin' }, { company_code: company }]) {
    const moved = await createUser(api);
    const token = await linkFor(moved);
    await patch(superadmin, moved.id, { role: 'user', company_code: moved.companyCode, active: true });
    assert.ok(await isSignedIn(moved));
    assert.equal((await patch(superadmin, moved.id, change)).statusCode, 200);
    assert.equal(await isSignedIn(moved), false);
    const link = await api.send(`GET /api/auth/verify-reset-token/${token}`);
    assert.deepEqual(link.json(), { valid: false });
    assert.equal((await signIn(moved)).statusCode, 200);
  }
});

test('a user cannot move to an unknown or Inactive company, or stay without one', async () => {
  const inactive = await createCompany(api, 'Gone');
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [inactive]);
  const roaming = await createUser(api, { superadmin: true });
  await api.context.db.query('UPDATE users SET company_code = NULL WHERE id = $1', [roaming.id]);
  for (const [id, body] of [
    [user.id, { company_code: inactive }],
    [user.id, { company_code: 'NON001' }],
    [roaming.id, { role: 'user' }],
  ] as const) {
    const answer = await patch(superadmin, id, body);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().details[0].path, 'company_code');
  }
});

test('nobody changes the own role, company or state', async () => {
  for (const [who, body] of [
    [superadmin, { role: 'user' }],
    [superadmin, { active: false }],
    [superadmin, { company_code: user.companyCode }],
    [admin, { role: 'user' }],
    [admin, { active: false }],
  ] as const) {
    const answer = await patch(who, who.id, body);
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.json().code, 'own_rights');
  }
  assert.equal((await patch(superadmin, superadmin.id, { last_name: 'Admin' })).statusCode, 200);
});

test('a company administrator cannot reach other companies or superadmins, or give more rights', async () => {
  for (const { id } of [stranger, superadmin]) {
    assert.equal((await patch(admin, id, { active: false })).statusCode, 404);
    for (const call of ['sign-out', 'reset']) {
      assert.equal((await as(admin, `POST /api/users/${id}/${call}`)).statusCode, 404);
    }
  }
  for (const body of [{ role: 'superadmin' }, { company_code: stranger.companyCode }]) {
    assert.equal((await patch(admin, user.id, body)).statusCode, 403);
  }
  assert.equal((await patch(admin, 999_999, {})).statusCode, 404);
});

test('two superadmins who remove each other at once leave one', async () => {
  const fresh = await createTestApi();
  try {
    const pair = [
      await createUser(fresh, { superadmin: true }),
      await createUser(fresh, { superadmin: true }),
    ];
    const [one = assert.fail(), other = assert.fail()] = pair;
    const remove = (who: TestUser, whom: TestUser, body: object) => () =>
      fresh.send(`PATCH /api/users/${whom.id}`, { token: who.token, body });
    const answers = await raceForLock(
      fresh.context.db,
      [`SELECT pg_advisory_xact_lock(hashtext('users'))`, []],
      [remove(one, other, { active: false }), remove(other, one, { role: 'user' })],
    );
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 409],
    );
    assert.equal(answers[1]?.json().code, 'last_superadmin');
  } finally {
    await fresh.close();
  }
});

test('signing out everywhere ends every session of a user', async () => {
  const lost = await createUser(api, { companyCode: user.companyCode });
  assert.equal((await as(admin, `POST /api/users/${lost.id}/sign-out`)).statusCode, 200);
  assert.equal(await isSignedIn(lost), false);
  assert.equal((await signIn(lost)).statusCode, 200);
});

test('a link sets a new password, and is mailed at most five times an hour', async () => {
  const forgetful = await createUser(api, { companyCode: user.companyCode });
  const token = await linkFor(forgetful);
  const reset = { token, newPassword: 'a brand new password' };
  assert.equal((await api.send('POST /api/auth/reset-password', { body: reset })).statusCode, 200);
  for (let more = 1; more < 5; more++) await as(admin, `POST /api/users/${forgetful.id}/reset`);
  const refused = await as(admin, `POST /api/users/${forgetful.id}/reset`);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '3600');
});

test('a company administrator reads the audit log of the own company alone', async () => {
  const read = async (query: string) => (await readAuditLog(api, admin, query)).data;
  const own = await read('?limit=1000');
  assert.ok(own.length > 3);
  assert.ok(own.every(({ company_code }) => company_code === user.companyCode));
  assert.deepEqual(await read(`?company_code=${stranger.companyCode}`), []);
  const file = await as(admin, 'GET /api/audit/download?format=json');
  const rows = file.json<{ company_code: string }[]>();
  assert.ok(rows.length > 3 && rows.every(({ company_code }) => company_code === user.companyCode));
});

/** Returns the token of a link that an administrator had mailed. */
async function linkFor({ id, email }: TestUser): Promise<string> {
  const answer = await as(superadmin, `POST /api/users/${id}/reset`);
  assert.equal(answer.statusCode, 202);
  return waitForLink(api, email);
}

test('a move into a company that is deleted does not deadlock with a change of its webhook by the same user', async () => {
  const { db } = api.context;
  const moved = await createUser(api, { superadmin: true });
  const companyCode = await createCompany(api);
  const { rows } = await db.query(
    `WITH made AS (INSERT INTO webhooks (company_code, url, events, secret, active, language)
       VALUES ($1, 'https://example.test/', '{ticket.completed}', '', true, 'en') RETURNING id)
     SELECT made.id AS webhook, c.id AS client FROM made, clients c WHERE c.company_code = $1`,
    [companyCode],
  );
  const [{ webhook, client } = assert.fail()] = rows;
  const change = await db.connect();
  try {
    // A change of a webhook locks it, and at the end the caller.
    await change.query('BEGIN');
    await change.query('SELECT FROM webhooks WHERE id = $1 FOR NO KEY UPDATE', [webhook]);
    const deletion = as(superadmin, `DELETE /api/clients/${client}`);
    await waitForWaiting(db, 1);
    const move = patch(superadmin, moved.id, { company_code: companyCode });
    await waitForWaiting(db, 2);
    await change.query('SELECT FROM users WHERE id = $1 FOR SHARE', [moved.id]);
    await change.query('COMMIT');
    const answers = await Promise.all([deletion, move]);
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 400],
    );
  } finally {
    await change.query('ROLLBACK').finally(() => change.release());
  }
});
