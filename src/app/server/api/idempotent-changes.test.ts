import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
let admin: TestUser;
let company: string;

before(async () => {
  api = await createTestApi();
  company = await createCompany(api, 'Zeta');
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (call: string, key: string, body: object, { token } = admin) =>
  api.send(call, { token, headers: { 'idempotency-key': key }, body });
const createClient = (key: string, company_name: string, user = admin) =>
  send('POST /api/clients', key, { company_name }, user);
const order = (key: string, data_count: number) =>
  send('POST /api/tickets', key, { data_count, company_code: company });

async function count(table: 'clients' | 'tickets'): Promise<number> {
  const { rows } = await api.context.db.query(`SELECT count(*)::int FROM ${table}`);
  return rows[0].count;
}

test('a client and an order that are created again under their key are made once', async () => {
  const before = { clients: await count('clients'), tickets: await count('tickets') };
  const [client, again] = [await createClient('a', 'Lost Answer'), await createClient('a', 'Lost Answer')];
  assert.equal(client.statusCode, 201);
  assert.equal(client.json().client.company_code, 'LOS001');
  assert.deepEqual([again.statusCode, again.json()], [201, client.json()]);
  const [first, second] = [await order('b', 100), await order('b', 100)];
  assert.equal(first.statusCode, 201);
  assert.deepEqual([second.statusCode, second.json()], [201, first.json()]);
  assert.deepEqual(
    { clients: await count('clients'), tickets: await count('tickets') },
    { clients: before.clients + 1, tickets: before.tickets + 1 },
  );
});

test('another request under the same key is refused, and another user may have the same key', async () => {
  const made = await createClient('c', 'Quokka');
  for (const other of [await createClient('c', 'Wombat'), await order('c', 100)]) {
    assert.deepEqual([other.statusCode, other.json().code], [422, 'idempotency_key_taken']);
  }
  assert.deepEqual((await createClient('c', 'Quokka')).json(), made.json());
  const colleague = await createUser(api, { superadmin: true });
  assert.equal((await createClient('c', 'Wombat', colleague)).json().client.company_code, 'WOM001');
});

test('a repeat that comes before the first has ended waits for its answer', async () => {
  const lock = `INSERT INTO counters (name, value) VALUES ('client:NUM', 7)`;
  const answers = await raceForLock(
    api.context.db,
    [lock, []],
    [() => createClient('d', 'Numbat'), () => createClient('d', 'Numbat')],
  );
  const [first, repeat] = answers.map((answer) => answer.json().client.company_code);
  assert.equal(repeat, first);
});

test('a key may be used again after a refusal, and a day later', async () => {
  const refused = await send('POST /api/tickets', 'e', { data_count: 5, company_code: 'NON001' });
  assert.equal(refused.statusCode, 400);
  assert.equal((await order('e', 5)).statusCode, 201);
  await api.context.db.query(
    `UPDATE idempotent_changes SET created_at = created_at - interval '25 hours' WHERE key = 'e'`,
  );
  assert.equal((await order('e', 6)).statusCode, 201);
  assert.equal((await createClient('f'.repeat(201), 'Dingo')).statusCode, 400);
});

test('the API deletes the answers under a key after a day, also when no other call has one', async (t) => {
  const { databaseUrl: url, db } = api.context;
  await order('g', 5);
  await order('h', 5);
  await db.query(
    `UPDATE idempotent_changes SET created_at = created_at - interval '25 hours' WHERE key = 'g'`,
  );
  const other = await createTestApi({}, undefined, { url, db, close: async () => undefined });
  t.after(() => other.close());
  await other.app.ready();
  const keysLeft = async () =>
    (await db.query(`SELECT key FROM idempotent_changes WHERE key IN ('g', 'h')`)).rows;
  await waitFor('the deletion', async () => (await keysLeft()).length < 2);
  assert.deepEqual(await keysLeft(), [{ key: 'h' }]);
});
