import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiToken } from '#features/accounts/tokens.contract.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let user: TestUser;
let superadmin: TestUser;
const minuteMs = 60_000;

before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const as = ({ token }: { token: string }, call: string, send: Send = {}) =>
  api.send(call, { token, ...send });
const order = { name: 'Nightly import', scope: 'write', expires_at: null };
const create = async (more: object = {}, owner = user) =>
  (await as(owner, 'POST /api/tokens', { body: { ...order, ...more } })).json<ApiToken & { token: string }>();
const listed = async (owner = user) =>
  (await as(owner, 'GET /api/tokens?limit=1000')).json<{ data: ApiToken[] }>().data;
const refusalOf = async (token: { token: string }, call = 'GET /api/tickets/activity') => {
  const { statusCode, body } = await as(token, call);
  return `${statusCode} ${JSON.parse(body).code}`;
};

test('a token is shown once, stored as a hash, and acts as its owner in the own company', async () => {
  const { token, ...entry } = await create({ name: '  Nightly import ' });
  assert.match(token, /^cvd_[\w-]{43}$/);
  assert.deepEqual(
    { ...entry, _id: '', created_at: '' },
    { ...order, _id: '', created_at: '', last_used: null },
  );
  assert.ok(!JSON.stringify(await listed()).includes(token));
  const { rows } = await api.context.db.query('SELECT * FROM api_tokens');
  assert.ok(!JSON.stringify(rows).includes(token.slice(4)));
  const uploaded = await as({ token }, 'POST /api/data/serials', { body: { serials: ['353901102345677'] } });
  assert.equal(uploaded.statusCode, 201, uploaded.body);
  const { ticket_number } = uploaded.json().ticket;
  assert.equal((await as({ token }, `GET /api/imei?ticket_number=${ticket_number}`)).statusCode, 200);
  const foreign = await create({}, await createUser(api));
  assert.equal(
    await refusalOf(foreign, `GET /api/imei?ticket_number=${ticket_number}`),
    '404 ticket_not_found',
  );
});

test('the latest use is noted to the minute', async () => {
  const token = await create();
  const use = async (at: Date) => {
    api.clock.set(at);
    assert.equal((await as(token, 'GET /api/tickets/activity')).statusCode, 200);
    return (await listed()).find(({ _id }) => _id === token._id)?.last_used;
  };
  const start = new Date();
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  assert.equal(await use(at(1)), at(1).toISOString());
  assert.equal(await use(at(30)), at(1).toISOString());
  assert.equal(await use(at(62)), at(62).toISOString());
  api.clock.set(undefined);
});

test('unknown, revoked and expired tokens get 401', async () => {
  assert.equal(await refusalOf({ token: 'cvd_unknown' }), '401 api_token_invalid');
  const revoked = await create();
  assert.equal((await as(user, `DELETE /api/tokens/${revoked._id}`)).statusCode, 200);
  assert.equal(await refusalOf(revoked), '401 api_token_invalid');
  const end = new Date(Date.now() + minuteMs);
  const expiring = await create({ expires_at: end.toISOString() });
  assert.equal(expiring.expires_at, end.toISOString());
  assert.equal((await as(expiring, 'GET /api/tickets/activity')).statusCode, 200);
  api.clock.set(end);
  assert.equal(await refusalOf(expiring), '401 api_token_invalid');
  api.clock.set(undefined);
});

test('deactivation and another role end tokens, a new password does not', async () => {
  const owner = await createUser(api);
  const token = await create({}, owner);
  const change = { currentPassword: owner.password, newPassword: 'seven green bikes' };
  assert.equal((await as(owner, 'POST /api/auth/change-password', { body: change })).statusCode, 200);
  assert.equal((await as(token, 'GET /api/tickets/activity')).statusCode, 200);
  const patch = (body: object) => as(superadmin, `PATCH /api/users/${owner.id}`, { body });
  assert.equal((await patch({ first_name: 'Ayu' })).statusCode, 200);
  assert.equal((await as(token, 'GET /api/tickets/activity')).statusCode, 200);
  assert.equal((await patch({ active: false })).statusCode, 200);
  assert.equal((await patch({ active: true })).statusCode, 200);
  assert.equal(await refusalOf(token), '401 api_token_invalid');
});

test('a token that is revoked while its call runs changes nothing', async () => {
  const token = await create({}, superadmin);
  // Its next use within the minute writes nothing, and so does not wait for the token.
  await as(token, 'GET /api/tickets/activity');
  const file = { field: 'file', name: 'p.txt', content: '203.0.113.7:8080:me:hush-hush\n' };
  const [revoked, upload] = await raceForLock(
    api.context.db,
    ['SELECT FROM users WHERE id = $1 FOR UPDATE', [superadmin.id]],
    [
      () => as(superadmin, `DELETE /api/tokens/${token._id}`),
      () => as(token, 'POST /api/proxies/upload', { file }),
    ],
  );
  assert.equal(revoked?.statusCode, 200);
  assert.deepEqual([upload?.statusCode, upload?.json().code], [401, 'session_ended']);
  assert.deepEqual((await as(superadmin, 'GET /api/proxies/sets')).json().data, []);
});

test('a user who revokes a token while being deactivated keeps nobody waiting', async () => {
  const leaver = await createUser(api);
  const { _id } = await create({}, leaver);
  const answers = await raceForLock(
    api.context.db,
    ['SELECT FROM api_tokens WHERE id = $1 FOR UPDATE', [_id]],
    [
      () => as(leaver, `DELETE /api/tokens/${_id}`),
      () => as(superadmin, `PATCH /api/users/${leaver.id}`, { body: { active: false } }),
    ],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200],
  );
});

test('a token of another user cannot be revoked, and wrong orders are refused', async () => {
  const token = await create();
  const stranger = await createUser(api);
  assert.equal((await as(stranger, `DELETE /api/tokens/${token._id}`)).statusCode, 404);
  assert.equal((await as(user, 'DELETE /api/tokens/none')).statusCode, 404);
  for (const [path, body] of [
    ['name', { ...order, name: ' ' }],
    ['name', { ...order, name: '\u200b' }],
    ['scope', { ...order, scope: 'all' }],
    ['expires_at', { ...order, expires_at: 'tomorrow' }],
    ['expires_at', { ...order, expires_at: '2020-01-01T00:00:00Z' }],
  ] as const) {
    const refused = await as(user, 'POST /api/tokens', { body });
    assert.deepEqual([refused.statusCode, refused.json().details[0].path], [400, path]);
  }
});

test('a user has at most 50 tokens, also when many are created at once', async () => {
  const owner = await createUser(api);
  const answers = await Promise.all(
    Array.from({ length: 55 }, () => as(owner, 'POST /api/tokens', { body: order })),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 409);
  assert.equal(refused.length, 5);
  assert.equal((await listed(owner)).length, 50);
});
