import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { registerSome } from '../devices.service.ts';
import { listChangeableSerials } from './views.service.ts';

let api: TestApi;
let user: TestUser;
let colleague: TestUser;
let stranger: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api, { name: 'Siti Rahma' });
  colleague = await createUser(api, { companyCode: user.companyCode });
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
  for (const owner of [user, stranger]) {
    await createTicketWithRows(api, {
      companyCode: owner.companyCode,
      createdBy: owner.id,
      rows: [
        { serial: 'VIEW1', state: 'done', type: 'iPad', activation: 'activated' },
        { serial: 'VIEW2', state: 'done', type: 'iPad', activation: 'unactivated' },
        { serial: 'VIEW3', state: 'done', type: 'iPhone', activation: 'activated' },
      ],
    });
  }
  await registerSome(api.context.db);
});
after(() => api.close());

const send = (call: string, { token }: TestUser, body?: object) => api.send(call, { token, body });
async function save(owner: TestUser, view: { name: string; query?: string; shared?: boolean }) {
  const answer = await send('POST /api/views', owner, {
    screen: 'devices',
    query: '',
    shared: false,
    ...view,
  });
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().view as { _id: string };
}
async function list(caller: TestUser, query = '?limit=1000') {
  const answer = await send(`GET /api/views${query}`, caller);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().data as { name: string; count: number; own: boolean }[];
}
const namesOf = async (caller: TestUser) => (await list(caller)).map(({ name }) => name);

test('a view is saved, listed with its count, changed and deleted by its owner', async () => {
  const { _id } = await save(user, { name: ' iPads ', query: 'type=iPad&sort=last_checked' });
  assert.deepEqual(await list(user), [
    {
      _id,
      name: 'iPads',
      screen: 'devices',
      query: 'type=iPad&sort=last_checked',
      shared: false,
      company_code: user.companyCode,
      own: true,
      owner: 'Siti Rahma',
      count: 2,
    },
  ]);
  const whole = { name: 'Activated iPads', screen: 'devices', query: 'type=iPad&activation=activated' };
  const changed = await send(`PUT /api/views/${_id}`, user, { ...whole, shared: true });
  assert.equal(changed.statusCode, 200, changed.body);
  assert.partialDeepStrictEqual(await list(user), [{ ...whole, shared: true, count: 1 }]);
  const [uncounted] = await list(user, '?counts=0');
  assert.deepEqual([uncounted?.name, uncounted?.count], ['Activated iPads', undefined]);
  await send(`PUT /api/views/${_id}`, user, { name: 'Renamed' });
  assert.partialDeepStrictEqual(await list(user), [{ ...whole, name: 'Renamed', shared: true }]);
  assert.equal((await send(`DELETE /api/views/${_id}`, user)).statusCode, 200);
  assert.deepEqual(await list(user), []);
  assert.equal((await send(`DELETE /api/views/${_id}`, user)).statusCode, 404);
});

test('colleagues and superadmins see a shared view, and only its owner changes it', async () => {
  const own = await save(user, { name: 'Private' });
  const { _id } = await save(user, { name: 'Shared', query: 'activation=activated', shared: true });
  assert.deepEqual(await namesOf(user), ['Private', 'Shared']);
  for (const caller of [colleague, admin]) {
    assert.partialDeepStrictEqual(await list(caller), [{ name: 'Shared', own: false, count: 2 }]);
    for (const call of ['PUT', 'DELETE']) {
      const body = call === 'PUT' ? { name: 'Mine' } : undefined;
      assert.equal((await send(`${call} /api/views/${_id}`, caller, body)).statusCode, 403);
      assert.equal((await send(`${call} /api/views/${own._id}`, caller, body)).statusCode, 404);
    }
  }
  assert.deepEqual(await namesOf(stranger), []);
  assert.equal((await send(`PUT /api/views/${_id}`, stranger, { name: 'Mine' })).statusCode, 404);
  assert.equal((await send(`DELETE /api/views/${_id}`, stranger)).statusCode, 404);
  await send(`PUT /api/views/${_id}`, user, { shared: false });
  assert.deepEqual(await namesOf(colleague), []);
});

test('a view of a superadmin finds the devices of all companies, and no user sees it', async () => {
  await save(admin, { name: 'Everywhere', query: 'type=iPad', shared: true });
  const owned = (await list(admin)).filter(({ own }) => own);
  assert.partialDeepStrictEqual(owned, [{ name: 'Everywhere', count: 4, company_code: null }]);
  assert.ok(!(await namesOf(user)).includes('Everywhere'));
});

test('views of a former company are neither seen nor counted', async () => {
  const mover = await createUser(api, { companyCode: user.companyCode });
  await save(mover, { name: 'Left behind', query: 'q=VIEW1' });
  await api.context.db.query('UPDATE users SET company_code = $2 WHERE id = $1', [
    mover.id,
    stranger.companyCode,
  ]);
  const { token } = (
    await api.send('POST /api/auth/login', { body: { email: mover.email, password: mover.password } })
  ).json();
  assert.deepEqual(await namesOf({ ...mover, token }), []);
});

test('an invalid view is refused with the name of its field', async () => {
  const { _id } = await save(user, { name: 'Valid' });
  const wrong: [field: string, value: unknown][] = [
    ['query', 'activation=maybe'],
    ['query', 'ends_from=31/01/2027'],
    ['query', 'ticket_number=x'],
    ['query', 'type=%00'],
    ['query', 'type=iPad&type=iPhone'],
    ['query', 'tpe=iPad'],
    ['query', 'page=0'],
    ['query', 'field.nope=x'],
    ['query', 'sort=field.nope'],
    ['query', 'x'.repeat(4001)],
    ['name', ' '],
    ['name', 'x'.repeat(101)],
    ['name', 'iPads \u202e'],
    ['name', '\u200b'],
    ['screen', 'tickets'],
    ['shared', 'yes'],
  ];
  for (const [field, value] of wrong) {
    const body = { name: 'Wrong', screen: 'devices', query: '', shared: false, [field]: value };
    for (const call of ['POST /api/views', `PUT /api/views/${_id}`]) {
      const answer = await send(call, user, body);
      assert.equal(answer.statusCode, 400, `${call} ${field} ${value}`);
      assert.equal(answer.json().details[0].path, field);
    }
  }
});

test('a view that was saved with parameters that are refused now is listed, renamed and checked again', async () => {
  const owner = await createUser(api, { companyCode: user.companyCode });
  const { _id } = await save(owner, { name: 'Of an earlier version' });
  const query = 'type=iPad&activation=unactivated&activation=activated&foo=1&page=0';
  await api.context.db.query('UPDATE device_views SET query = $2 WHERE id = $1', [_id, query]);
  const renamed = await send(`PUT /api/views/${_id}`, owner, { name: 'Renamed' });
  assert.equal(renamed.statusCode, 200, renamed.body);
  const found = (await list(owner)).find(({ name }) => name === 'Renamed');
  assert.partialDeepStrictEqual(found, { query, count: 1 });
  const checked = await listChangeableSerials(api.context, user.companyCode, Number(_id), 10);
  assert.deepEqual(checked, { count: 1, serials: ['VIEW1'] });
});

test('a user has at most 50 views', async () => {
  const collector = await createUser(api);
  for (let place = 0; place < 50; place += 1) await save(collector, { name: `View ${place}` });
  const answer = await send('POST /api/views', collector, { name: 'One more', query: '' });
  assert.deepEqual([answer.statusCode, answer.json().code], [409, 'too_many_views']);
  assert.equal((await list(collector, '?limit=20&page=3')).length, 10);
});

test('views that are saved at the same time are not more either', async () => {
  const collector = await createUser(api);
  for (let place = 0; place < 48; place += 1) await save(collector, { name: `View ${place}` });
  const body = { name: 'At once', query: '' };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send('POST /api/views', collector, body)),
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode).toSorted(),
    [201, 201, 409, 409, 409, 409, 409, 409],
  );
});

test('of deletions at the same time one succeeds; changes at the same time are recorded in their order', async () => {
  const { _id } = await save(user, { name: 'At once' });
  const sendFour = async (call: string, bodyOf: (name: string) => object | undefined) => {
    const names = ['First', 'Second', 'Third', 'Fourth'];
    const answers = await Promise.all(
      names.map((name) => send(`${call} /api/views/${_id}`, user, bodyOf(name))),
    );
    return answers.map(({ statusCode }) => statusCode).toSorted();
  };
  assert.deepEqual(await sendFour('PUT', (name) => ({ name })), [200, 200, 200, 200]);
  assert.deepEqual(await sendFour('DELETE', () => undefined), [200, 404, 404, 404]);
  const { rows } = await api.context.db.query(
    `SELECT action, before->>'name' AS before, after->>'name' AS after FROM audit_log
     WHERE object_type = 'view' AND object_id = $1 ORDER BY id`,
    [_id],
  );
  const [, ...later] = rows;
  assert.deepEqual(
    later.map(({ action }) => action),
    ['view.update', 'view.update', 'view.update', 'view.update', 'view.delete'],
  );
  assert.deepEqual(
    later.map(({ before }) => before),
    rows.slice(0, -1).map(({ after }) => after),
  );
});

test('a view that filters by a removed own column has no count until the column is there again', async () => {
  const named = await createUser(api);
  const put = async (fields: object[]) => {
    const call = `PUT /api/fields/${named.companyCode}?forget=true`;
    assert.equal((await send(call, named, { fields })).statusCode, 200);
  };
  const site = { key: 'site', name: 'Site' };
  const counts = async (caller: TestUser) =>
    (await list(caller)).filter(({ name }) => name === 'No site').map(({ count }) => count);
  await put([site]);
  await save(named, { name: 'No site', query: 'field.site.empty=true' });
  await save(admin, {
    name: 'No site',
    query: `company_code=${named.companyCode}&field.site.empty=true`,
  });
  assert.deepEqual([await counts(named), await counts(admin)], [[0], [0]]);
  await put([]);
  assert.deepEqual([await counts(named), await counts(admin)], [[undefined], [undefined]]);
  await put([site]);
  assert.deepEqual([await counts(named), await counts(admin)], [[0], [0]]);
});

test('the devices of a view are those of its company alone, without those that change no more', async () => {
  const { _id } = await save(user, { name: 'For a schedule', query: 'type=iPad&order=desc' });
  const listOf = (companyCode: string, view: number | null, most = 10) =>
    listChangeableSerials(api.context, companyCode, view, most);
  const ipads = { count: 2, serials: ['VIEW1', 'VIEW2'] };
  assert.deepEqual(await listOf(user.companyCode, Number(_id)), ipads);
  const { count, serials } = (await listOf(user.companyCode, null, 1)) ?? assert.fail();
  assert.deepEqual([count, serials], [3, ['VIEW1']]);
  assert.equal(await listOf(stranger.companyCode, Number(_id)), undefined);
  const ended = `UPDATE devices SET activation_status = 'activated', coverage_end_date = '2020-01-01' WHERE serial = 'VIEW1'`;
  await api.context.db.query(ended);
  assert.deepEqual(await listOf(user.companyCode, Number(_id)), { count: 1, serials: ['VIEW2'] });
  for (const change of ['activation_status = NULL', "activation_status = 'unactivated'"]) {
    await api.context.db.query(`UPDATE devices SET ${change} WHERE serial = 'VIEW1'`);
    assert.deepEqual(await listOf(user.companyCode, Number(_id)), ipads);
  }
});
