import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true, companyCode: await createCompany(api, 'Zeta') });
});
after(() => api.close());

const send = (call: string, body?: object) => api.send(call, { token: admin.token, body });

async function create(company_name: string) {
  const answer = await send('POST /api/clients', { company_name });
  assert.equal(answer.statusCode, 201);
  return answer.json().client as { _id: string; company_code: string; status: string };
}

test('a new client gets a unique code and is Active', async () => {
  const client = await create(' Beta ');
  assert.deepEqual(client, {
    _id: client._id,
    company_name: 'Beta',
    company_code: 'BET001',
    status: '1',
    bill_known: true,
  });
  assert.equal((await create('Beta')).company_code, 'BET002');
  await send(`DELETE /api/clients/${client._id}`);
  const answers = await Promise.all(Array.from({ length: 5 }, () => create('BETamax')));
  assert.deepEqual(answers.map((made) => made.company_code).sort(), [
    'BET003',
    'BET004',
    'BET005',
    'BET006',
    'BET007',
  ]);
});

test('a name with a line break, a turned direction or nothing to see is refused, also for a change', async () => {
  const { _id } = await create('One line');
  for (const call of ['POST /api/clients', `PUT /api/clients/${_id}`]) {
    for (const company_name of ['Delta\nhttps://elsewhere.example', 'Delta \u202eexslx', '\u200b']) {
      const answer = await send(call, { company_name });
      assert.equal(answer.statusCode, 400, call);
      assert.equal(answer.json().message, 'A name is one visible line without control characters.');
    }
  }
});

test('clients are listed by page, newest first', async () => {
  for (const name of ['Page A', 'Page B', 'Page C']) await create(name);
  const { data, pagination } = (await send('GET /api/clients?limit=2&page=1')).json();
  assert.deepEqual(
    data.map((client: { company_name: string }) => client.company_name),
    ['Page C', 'Page B'],
  );
  const { rows } = await api.context.db.query<{ count: number }>('SELECT count(*) FROM clients');
  const totalItems = rows[0]?.count ?? 0;
  const totalPages = Math.ceil(totalItems / 2);
  assert.deepEqual(pagination, {
    page: 1,
    limit: 2,
    totalItems,
    totalPages,
    hasNextPage: true,
    hasPrevPage: false,
  });
  const past = (await send(`GET /api/clients?limit=2&page=${totalPages + 5}`)).json();
  assert.deepEqual(past.data, []);
  assert.equal(past.pagination.hasNextPage, false);
  const defaults = (await send('GET /api/clients')).json().pagination;
  assert.deepEqual([defaults.page, defaults.limit], [1, 10]);
  for (const query of ['page=0', 'limit=0', 'limit=1001', 'page=x']) {
    assert.equal((await send(`GET /api/clients?${query}`)).statusCode, 400);
  }
});

test('a client is renamed and made Inactive; its code stays', async () => {
  const { _id, company_code } = await create('Gamma');
  const renamed = await send(`PUT /api/clients/${_id}`, { company_name: 'Other name' });
  assert.deepEqual(renamed.json().client, {
    _id,
    company_code,
    company_name: 'Other name',
    status: '1',
    bill_known: true,
  });
  const inactive = await send(`PUT /api/clients/status/${_id}`, { status: '0' });
  assert.equal(inactive.json().client.status, '0');
  const codes = async (query: string) =>
    (await send(`GET /api/clients/all${query}`))
      .json()
      .data.map((client: { company_code: string }) => client.company_code);
  assert.ok(!(await codes('?status=1')).includes(company_code));
  assert.ok((await codes('?status=0')).includes(company_code));
  const all = await codes('');
  assert.ok(all.includes(company_code));
  assert.deepEqual(all, all.toSorted());
  assert.equal((await send(`PUT /api/clients/${_id}`, { company_name: ' ' })).statusCode, 400);
  assert.equal((await send(`PUT /api/clients/status/${_id}`, { status: 'x' })).statusCode, 400);
});

test('the name of a client and whether known rows are billed stay as they are without being given', async () => {
  const body = { company_name: 'Epsilon', bill_known: false };
  const { client } = (await send('POST /api/clients', body)).json();
  assert.equal(client.bill_known, false);
  const change = (terms: object) => send(`PUT /api/clients/${client._id}`, { company_name: 'E', ...terms });
  assert.equal((await change({})).json().client.bill_known, false);
  assert.equal((await change({ bill_known: true })).json().client.bill_known, true);
  assert.equal((await change({ bill_known: 'no' })).statusCode, 400);
  await change({ company_name: 'PT Epsilon' });
  const changed = await change({ company_name: undefined, bill_known: false });
  assert.deepEqual([changed.statusCode, changed.json().client?.company_name], [200, 'PT Epsilon']);
  assert.equal(changed.json().client.bill_known, false);
  const refused = await change({ company_name: undefined });
  assert.equal(refused.statusCode, 400);
  assert.deepEqual(refused.json().details, [{ path: 'company_name', message: 'company_name is required' }]);
});

test('deleting a client with users or tickets is refused with their numbers', async () => {
  const { _id, company_code } = await create('Delta');
  const user = await createUser(api, { companyCode: company_code });
  const refuse = async (message: string) => {
    const answer = await send(`DELETE /api/clients/${_id}`);
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.json().message, message);
  };
  await refuse(
    'This client cannot be deleted: it still has users (1). Change its status to Inactive instead.',
  );
  await send('POST /api/tickets', { data_count: 5, company_code });
  await refuse(
    'This client cannot be deleted: it still has users (1) and tickets (1). Change its status to Inactive instead.',
  );
  await api.context.db.query('DELETE FROM users WHERE id = $1', [user.id]);
  await refuse(
    'This client cannot be deleted: it still has tickets (1). Change its status to Inactive instead.',
  );
  await api.context.db.query('DELETE FROM tickets WHERE company_code = $1', [company_code]);
  const deleted = await send(`DELETE /api/clients/${_id}`);
  assert.deepEqual(deleted.json(), { message: 'Client deleted' });
});

test('calls about a client that was just deleted are answered 404', async () => {
  const settings = { active: true, cadence: 'monthly' } as const;
  const { company_code: code } = await create('Gone');
  const answers = await raceForLock(
    api.context.db,
    ['DELETE FROM clients WHERE company_code = $1', [code]],
    [
      () => send(`PUT /api/budgets/${code}`, { monthly_rupiah: 1 }),
      () => send(`GET /api/watch/${code}`),
      () =>
        send(`PUT /api/watch/${code}`, {
          ...settings,
          day: 1,
          horizon_days: 30,
          language: 'en',
          receivers: [],
        }),
      () => send(`PUT /api/rechecks/${code}`, { ...settings, view_id: null, cap: 1 }),
    ],
  );
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [404, 404, 404, 404],
  );
});

test('a client that does not exist is answered 404', async () => {
  for (const id of ['999999', 'abc', '-1', '99999999999999999999']) {
    assert.equal((await send(`PUT /api/clients/${id}`, { company_name: 'X' })).statusCode, 404);
    assert.equal((await send(`PUT /api/clients/status/${id}`, { status: '1' })).statusCode, 404);
    assert.equal((await send(`DELETE /api/clients/${id}`)).statusCode, 404);
  }
});
