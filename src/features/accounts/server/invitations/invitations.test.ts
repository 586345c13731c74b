import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type pg from 'pg';
import type { Invitation } from '#features/accounts/invitations.contract.ts';
import type { Queryable } from '#server/db/db.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { waitForLink, waitForMail } from '#tests/support/api/outbox.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { verifyInvitation } from './accept-invitation.service.ts';

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;
let stranger: TestUser;
let made = 0;
const weekMs = 7 * 24 * 3_600_000;
/** Eight days ago. */
const start = new Date(Date.now() - weekMs - 24 * 3_600_000);

before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true });
  admin = await createUser(api, { companyAdmin: true });
  stranger = await createUser(api, { companyAdmin: true });
});
after(() => api.close());

const as = ({ token }: TestUser, call: string, send: Send = {}) => api.send(call, { token, ...send });
const invite = (who: TestUser, more: object = {}) => {
  made += 1;
  const body = {
    email: `invited${made}@example.test`,
    first_name: 'Ayu',
    last_name: 'Lestari',
    role: 'user',
    company_code: who.companyCode,
    ...more,
  };
  return as(who, 'POST /api/invitations', { body });
};
const invited = async (who: TestUser, more: object = {}) =>
  (await invite(who, more)).json<{ invitation: Invitation }>().invitation;
const accept = (token: string, password = 'seven green bikes') =>
  api.send('POST /api/invitations/accept', { body: { token, password } });
const verify = async (token: string) => (await api.send(`GET /api/auth/verify-invitation/${token}`)).json();
const nameOf = async (companyCode: string) => {
  const values = [companyCode];
  const { rows } = await api.context.db.query(
    'SELECT company_name FROM clients WHERE company_code = $1',
    values,
  );
  return rows[0].company_name as string;
};
const listed = async (who: TestUser) =>
  (await as(who, 'GET /api/invitations?limit=1000')).json<{ data: Invitation[] }>().data;

test('an invited user chooses a password by the link, once, and signs in', async () => {
  const invitation = await invited(admin, { role: 'company-admin', email: 'New@example.test' });
  const { text, html, subject } = await waitForMail(api, 'New@example.test');
  assert.equal(subject, 'You are invited to Coverdesk / Undangan ke Coverdesk');
  for (const body of [text, html]) assert.match(body ?? '', /within 7 days[\s\S]*dalam 7 hari/);
  const token = await waitForLink(api, 'New@example.test');
  const { rows: people } = await api.context.db.query('SELECT name FROM users WHERE id = $1', [admin.id]);
  const inviter = `${people[0].name} (${admin.email})`;
  const names = { company_name: await nameOf(admin.companyCode), inviter };
  for (const body of [text, html])
    for (const name of Object.values(names)) assert.ok(body?.split(name).length === 3, body);
  assert.deepEqual(await verify(token), { valid: true, email: 'New@example.test', ...names });
  const answers = await Promise.all([accept(token), accept(token), accept(token)]);
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 400, 400]);
  const nobody = { email: null, company_name: null, inviter: null };
  assert.deepEqual(await verify(token), { valid: false, ...nobody });
  assert.ok(!(await listed(admin)).some(({ _id }) => _id === invitation._id));
  const login = { email: 'new@example.test', password: 'seven green bikes' };
  const { token: session } = (await api.send('POST /api/auth/login', { body: login })).json();
  const { data } = (await api.send('GET /api/users?role=company-admin&q=lestari', { token: session })).json();
  assert.equal(data[0].email, 'New@example.test');
  const { rows } = await api.context.db.query(`SELECT new_user FROM users WHERE email = 'New@example.test'`);
  assert.deepEqual(rows, [{ new_user: false }]);
});

test('an invitation says who invited whom, until when, and is seen by administrators of the company', async () => {
  api.clock.set(start);
  const { _id, email, ...rest } = await invited(admin);
  api.clock.set(undefined);
  assert.deepEqual(rest, {
    first_name: 'Ayu',
    last_name: 'Lestari',
    role: 'user',
    company_code: admin.companyCode,
    invited_by: { _id: String(admin.id), email: admin.email },
    created_at: start.toISOString(),
    expires_at: new Date(start.getTime() + weekMs).toISOString(),
  });
  for (const who of [admin, superadmin]) assert.equal((await listed(who))[0]?._id, _id);
  await invited(superadmin, { role: 'superadmin', company_code: admin.companyCode });
  assert.equal((await listed(admin))[0]?._id, _id);
  const { _id: fromAbove } = await invited(superadmin, { company_code: admin.companyCode });
  const inviterFor = async (who: TestUser) =>
    (await listed(who)).find((invitation) => invitation._id === fromAbove)?.invited_by;
  assert.deepEqual(await inviterFor(superadmin), { _id: String(superadmin.id), email: superadmin.email });
  assert.equal(await inviterFor(admin), null);
  assert.deepEqual(await listed(stranger), []);
  for (const call of [`DELETE /api/invitations/${_id}`, `POST /api/invitations/${_id}/send`]) {
    assert.equal((await as(stranger, call)).statusCode, 404);
  }
  const { data } = await readAuditLog(api, superadmin, `?object_name=${email}`);
  assert.deepEqual([data[0]?.action, data[0]?.object_id], ['user.invite', email]);
});

test('a company administrator invites no superadmin, and into no other company', async () => {
  for (const more of [{ role: 'superadmin' }, { company_code: stranger.companyCode }]) {
    assert.equal((await invite(admin, more)).statusCode, 403);
  }
});

test('a name adds no lines to the mail', async () => {
  for (const [path, name] of [
    ['first_name', 'Ayu,\n\nyour account is blocked: https://elsewhere.example'],
    ['last_name', 'Lestari\r\nBcc: all@example.test'],
    ['last_name', 'Lestari\u2028your account is blocked'],
  ]) {
    const refused = await invite(admin, { [path ?? '']: name });
    assert.deepEqual([refused.statusCode, refused.json().details[0].path], [400, path]);
  }
});

test('a name has no address of the web, and at most 100 characters', async () => {
  for (const name of ['You won https://elsewhere.example', 'x'.repeat(101)])
    assert.equal((await invite(admin, { first_name: name })).statusCode, 400);
});

test('each company invites an address for itself, and learns nothing of the users of others', async () => {
  const { email } = await invited(admin);
  // Before the other company's mail, which may come first.
  const token = await waitForLink(api, email);
  assert.equal((await invited(stranger, { email })).company_code, stranger.companyCode);
  assert.equal((await invite(stranger, { email: stranger.email })).json().code, 'email_taken');
  for (const person of [superadmin, admin]) {
    const { statusCode, body } = await invite(stranger, { email: person.email });
    assert.equal(statusCode, 201, body);
    const link = await waitForLink(api, person.email);
    assert.deepEqual([(await accept(link)).json().code, (await verify(link)).valid], ['email_taken', true]);
  }
  assert.equal((await accept(token)).statusCode, 201);
  assert.ok((await listed(stranger)).some((one) => one.email === email));
});

test('known and invited email addresses, and unknown companies are refused', async () => {
  assert.equal((await invite(superadmin, { email: stranger.email.toUpperCase() })).statusCode, 409);
  const { email } = await invited(admin);
  const again = await invite(superadmin, { email: email.toUpperCase(), company_code: admin.companyCode });
  assert.equal(again.json().code, 'already_invited');
  const unknown = await invite(superadmin, { company_code: 'NON001' });
  assert.deepEqual([unknown.statusCode, unknown.json().details[0].path], [400, 'company_code']);
});

test('a link ends after 7 days, and the address can then be invited again', async () => {
  api.clock.set(start);
  const { email } = await invited(admin);
  const token = await waitForLink(api, email);
  api.clock.set(new Date(start.getTime() + weekMs - 1));
  assert.equal((await verify(token)).valid, true);
  api.clock.set(new Date(start.getTime() + weekMs));
  assert.equal((await verify(token)).valid, false);
  assert.equal((await accept(token)).json().message, 'Invalid or expired invitation');
  api.clock.set(undefined);
  assert.equal((await invite(admin, { email })).statusCode, 201);
});

test('sending again replaces the link, and withdrawing ends it', async () => {
  const { _id, email } = await invited(admin);
  const first = await waitForLink(api, email);
  assert.equal((await as(admin, `POST /api/invitations/${_id}/send`)).statusCode, 202);
  assert.equal((await verify(first)).valid, false);
  const other = await invited(admin);
  const token = await waitForLink(api, other.email);
  assert.equal((await as(admin, `DELETE /api/invitations/${other._id}`)).statusCode, 200);
  assert.equal((await accept(token)).statusCode, 400);
  assert.equal((await as(admin, `DELETE /api/invitations/${other._id}`)).statusCode, 404);
});

test('a link whose invitation is withdrawn while it is checked is answered', async () => {
  const { _id, email } = await invited(admin);
  const token = await waitForLink(api, email);
  const { db, now } = api.context;
  const withdraw = () => db.query('DELETE FROM invitations WHERE id = $1', [_id]);
  const query = async (asked: pg.QueryConfig) => {
    const read = await db.query(asked);
    await withdraw();
    return read;
  };
  const readThenWithdrawn = { query: query as Queryable['query'] };
  assert.equal((await verifyInvitation({ db: readThenWithdrawn, now }, token)).email, email);
  assert.equal((await verify(token)).valid, false);
});

test('only the hash of a token is stored, and common passwords are refused', async () => {
  const { email } = await invited(admin);
  const token = await waitForLink(api, email);
  const { rows } = await api.context.db.query('SELECT i::text AS line FROM invitations i');
  assert.ok(rows.length > 0 && rows.every(({ line }) => !line.includes(token)));
  assert.equal((await accept(token, 'password123')).json().details[0].path, 'password');
  for (const bad of ['', 'unknown', 'x'.repeat(201)]) assert.equal((await accept(bad)).statusCode, 400);
  assert.equal((await accept(token)).statusCode, 201);
});

test('registering the invited user withdraws the invitation', async () => {
  const { email, _id } = await invited(superadmin, { company_code: admin.companyCode });
  const body = { name: 'Ayu Lestari', email, password: 'a first password', company_code: admin.companyCode };
  assert.equal((await as(superadmin, 'POST /api/auth/register', { body })).statusCode, 201);
  assert.ok(!(await listed(superadmin)).some((one) => one._id === _id));
});

test('deactivating the inviter withdraws the invitations that are open, and no others', async () => {
  const leaver = await createUser(api, { companyAdmin: true, companyCode: admin.companyCode });
  const [open, kept] = [await invited(leaver), await invited(admin)];
  const accepted = await invited(leaver);
  assert.equal((await accept(await waitForLink(api, accepted.email))).statusCode, 201);
  const token = await waitForLink(api, open.email);
  const deactivate = `PATCH /api/users/${leaver.id}`;
  assert.equal((await as(admin, deactivate, { body: { last_name: 'Leaver' } })).statusCode, 200);
  assert.equal((await verify(token)).valid, true);
  assert.equal((await as(admin, deactivate, { body: { active: false } })).statusCode, 200);
  assert.equal((await accept(token)).json().message, 'Invalid or expired invitation');
  const left = (await listed(admin)).map(({ _id }) => _id);
  assert.deepEqual([left.includes(open._id), left.includes(kept._id)], [false, true]);
  const { data } = await readAuditLog(api, superadmin, `?object_name=${open.email}`);
  assert.deepEqual([data[0]?.action, data[0]?.actor?._id], ['user.invite-withdrawn', String(admin.id)]);
  assert.equal((await invite(admin, { email: open.email })).statusCode, 201);
});

test('another role or company of the inviter withdraws open invitations, unless that role is superadmin', async () => {
  const changes = [{ role: 'user' }, { company_code: stranger.companyCode }, { role: 'superadmin' }];
  const states = [];
  for (const change of changes) {
    const inviter = await createUser(api, { companyAdmin: true });
    const { email } = await invited(inviter, { role: 'company-admin' });
    const token = await waitForLink(api, email);
    const answer = await as(superadmin, `PATCH /api/users/${inviter.id}`, { body: change });
    assert.equal(answer.statusCode, 200, answer.body);
    states.push((await verify(token)).valid);
  }
  assert.deepEqual(states, [false, false, true]);
});

test('an invitation into a client that is Inactive works once the client is Active again', async () => {
  const owner = await createUser(api, { companyAdmin: true });
  const { _id, email } = await invited(owner);
  const token = await waitForLink(api, email);
  const setActive = (active: boolean) =>
    api.context.db.query('UPDATE clients SET active = $2 WHERE company_code = $1', [
      owner.companyCode,
      active,
    ]);
  await setActive(false);
  const nobody = { email: null, company_name: null, inviter: null };
  assert.deepEqual(await verify(token), { valid: false, ...nobody });
  const refused = (await accept(token)).json();
  assert.deepEqual([refused.code, refused.details?.[0].path], ['invitation_invalid', 'token']);
  const again = await as(owner, `POST /api/invitations/${_id}/send`);
  assert.deepEqual([again.statusCode, again.json().details[0].path], [400, 'company_code']);
  await setActive(true);
  assert.equal((await accept(token)).statusCode, 201);
});

test('somebody who accepts an invitation while they are registered becomes a user once', async () => {
  const { email } = await invited(admin);
  const token = await waitForLink(api, email);
  const body = { name: 'Ayu Lestari', email, password: 'a first password', company_code: admin.companyCode };
  const answers = await raceForLock(
    api.context.db,
    ['SELECT FROM invitations WHERE email = $1 FOR UPDATE', [email]],
    [() => accept(token), () => as(superadmin, 'POST /api/auth/register', { body })],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 409],
  );
});

test('a superadmin who registers a person they invited while being deactivated keeps nobody waiting', async () => {
  const leaver = await createUser(api, { superadmin: true });
  const { email } = await invited(leaver, { company_code: admin.companyCode });
  const body = { name: 'Ayu Lestari', email, password: 'a first password', company_code: admin.companyCode };
  const answers = await raceForLock(
    api.context.db,
    ['SELECT FROM invitations WHERE email = $1 FOR UPDATE', [email]],
    [
      () => as(leaver, 'POST /api/auth/register', { body }),
      () => as(superadmin, `PATCH /api/users/${leaver.id}`, { body: { active: false } }),
    ],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 200],
  );
});

test('somebody who accepts while the client is deleted keeps nobody waiting', async () => {
  const company = await createCompany(api);
  const { rows } = await api.context.db.query('SELECT id FROM clients WHERE company_code = $1', [company]);
  const { email } = await invited(superadmin, { company_code: company });
  const token = await waitForLink(api, email);
  const answers = await raceForLock(
    api.context.db,
    ['SELECT FROM invitations WHERE email = $1 FOR UPDATE', [email]],
    [() => accept(token), () => as(superadmin, `DELETE /api/clients/${rows[0].id}`)],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 409],
  );
});

test('an administrator who sends again or withdraws while being deactivated keeps nobody waiting', async () => {
  for (const call of ['DELETE /api/invitations/ID', 'POST /api/invitations/ID/send']) {
    const leaver = await createUser(api, { companyAdmin: true, companyCode: admin.companyCode });
    const { _id } = await invited(leaver);
    const answers = await raceForLock(
      api.context.db,
      ['SELECT FROM invitations WHERE id = $1 FOR UPDATE', [_id]],
      [
        () => as(leaver, call.replace('ID', _id)),
        () => as(admin, `PATCH /api/users/${leaver.id}`, { body: { active: false } }),
      ],
    );
    assert.ok(answers.every(({ statusCode }) => [200, 202].includes(statusCode)));
    assert.ok(!(await listed(admin)).some((one) => one._id === _id));
  }
});

test('at most 100 invitations are mailed for a company within an hour', async () => {
  const inviter = await createUser(api, { companyAdmin: true });
  await api.context.db.query(
    `INSERT INTO audit_log (action, object_type, company_code) SELECT 'user.invite', 'user', $1 FROM generate_series(1, 99)`,
    [inviter.companyCode],
  );
  const answers = await raceForLock(
    api.context.db,
    ['LOCK TABLE audit_log IN SHARE MODE', []],
    [() => invite(inviter), () => invite(inviter)],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 429],
  );
  const refused = await invite(inviter);
  assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '3600']);
});
