import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiToken } from '#features/accounts/tokens.contract.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { takeMails, waitForLink, waitForMail } from '#tests/support/api/outbox.ts';

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;
let stranger: TestUser;

before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true });
  admin = await createUser(api, { companyAdmin: true });
  stranger = await createUser(api, { companyAdmin: true });
});
after(() => api.close());

const as = ({ token }: { token: string }, call: string, send: Send = {}) =>
  api.send(call, { token, ...send });
const createOwner = () => createUser(api, { companyCode: admin.companyCode });
const create = async (owner: TestUser, more: object = {}) => {
  const body = { name: 'Nightly import', scope: 'write', expires_at: null, ...more };
  return (await as(owner, 'POST /api/tokens', { body })).json<ApiToken & { token: string }>();
};
const takeNotice = async ({ email }: TestUser) => {
  const mail = await waitForMail(api, email);
  await takeMails(api);
  return mail;
};
const statusOf = async (token: { token: string }) =>
  (await as(token, 'GET /api/tickets/activity')).statusCode;
const listed = async (reader: TestUser, owner: TestUser) =>
  (await as(reader, `GET /api/users/${owner.id}/tokens`)).json<{ data: ApiToken[] }>().data;

test('signing a user out everywhere and a reset by link end the API tokens', async () => {
  const owner = await createOwner();
  const first = await create(owner);
  await takeNotice(owner);
  assert.equal(await statusOf(first), 200);
  assert.equal((await as(admin, `POST /api/users/${owner.id}/sign-out`)).statusCode, 200);
  assert.equal(await statusOf(first), 401);
  const { email, password } = owner;
  const signedIn = await api.send('POST /api/auth/login', { body: { email, password } });
  const second = await create({ ...owner, ...signedIn.json<{ token: string }>() });
  await takeNotice(owner);
  assert.equal(await statusOf(second), 200);
  assert.equal((await as(admin, `POST /api/users/${owner.id}/reset`)).statusCode, 202);
  const body = { token: await waitForLink(api, owner.email), newPassword: 'seven green bikes' };
  assert.equal(await statusOf(second), 200);
  assert.equal((await api.send('POST /api/auth/reset-password', { body })).statusCode, 200);
  assert.equal(await statusOf(second), 401);
});

test('administrators see and revoke the tokens of the users whom they manage, and no others', async () => {
  const owner = await createOwner();
  const { token, ...entry } = await create(owner);
  await create(owner, { name: 'Report' });
  assert.deepEqual(
    (await listed(admin, owner)).map(({ name }) => name),
    ['Report', 'Nightly import'],
  );
  assert.deepEqual((await listed(superadmin, owner))[1], entry);
  const path = `/api/users/${owner.id}/tokens`;
  for (const call of [`GET ${path}`, `DELETE ${path}/${entry._id}`]) {
    const refused = await as(stranger, call);
    assert.deepEqual([refused.statusCode, refused.json().code], [404, 'user_not_found']);
    assert.equal((await as(owner, call)).statusCode, 403);
  }
  const elsewhere = await as(admin, `DELETE /api/users/${admin.id}/tokens/${entry._id}`);
  assert.deepEqual([elsewhere.statusCode, elsewhere.json().code], [404, 'token_not_found']);
  assert.equal(await statusOf({ token }), 200);
  assert.equal((await as(admin, `DELETE ${path}/${entry._id}`)).statusCode, 200);
  assert.equal(await statusOf({ token }), 401);
  assert.equal((await as(admin, `DELETE ${path}/${entry._id}`)).statusCode, 404);
  const [recorded] = (await readAuditLog(api, superadmin, '?action=token.delete')).data;
  assert.deepEqual(
    [recorded?.actor?._id, recorded?.object_id, recorded?.company_code, recorded?.before],
    [
      String(admin.id),
      entry._id,
      owner.companyCode,
      { name: 'Nightly import', scope: 'write', email: owner.email },
    ],
  );
});

test("a superadmin's tokens are closed to company administrators", async () => {
  const { _id } = await create(superadmin);
  const path = `/api/users/${superadmin.id}/tokens`;
  assert.equal((await as(admin, `GET ${path}`)).statusCode, 404);
  assert.equal((await as(admin, `DELETE ${path}/${_id}`)).statusCode, 404);
});

test('a new token is mailed to its owner in both languages, without the secret', async () => {
  const owner = await createOwner();
  const { token } = await create(owner, { name: 'Report <b>' });
  const { subject, text, html } = await takeNotice(owner);
  assert.equal(subject, 'New Coverdesk API token / Token API Coverdesk baru');
  assert.match(text ?? '', /: Report <b>\n[\s\S]*\/dashboard\/tokens\n[\s\S]*: Report <b>\n/);
  assert.ok(!html?.includes('<b>'));
  assert.ok(!`${text}${html}`.includes(token));
});

test('an audit entry names the API token by which the change was made', async () => {
  const owner = await createOwner();
  const token = await create(owner);
  const body = { name: 'By program', query: '' };
  assert.equal((await as(token, 'POST /api/views', { body })).statusCode, 201);
  assert.equal((await as(owner, 'POST /api/views', { body })).statusCode, 201);
  const entries = async (reader: TestUser) =>
    (await readAuditLog(api, reader, `?action=view.create&actor=${owner.id}`)).data;
  const named = { _id: token._id, name: 'Nightly import' };
  assert.deepEqual(
    (await entries(admin)).map((entry) => entry.token),
    [null, named],
  );
  assert.equal((await as(owner, `DELETE /api/tokens/${token._id}`)).statusCode, 200);
  assert.deepEqual((await entries(superadmin))[1]?.token, named);
  const download = await as(
    admin,
    `GET /api/audit/download?format=json&action=view.create&actor=${owner.id}`,
  );
  assert.deepEqual(
    download.json<{ token: unknown }[]>().map((entry) => entry.token),
    [null, named],
  );
});
