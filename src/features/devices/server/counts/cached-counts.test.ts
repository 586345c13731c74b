import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CountCache } from '#server/concurrency/count-cache.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { countStatements } from '#tests/support/database/count-statements.ts';
import { countDevices } from '../devices.queries.ts';
import { registerSome } from '../devices.service.ts';

let api: TestApi;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const site = { key: 'site', name: 'Site' };

/** Makes a user whose company has an own column and devices of one site. */
async function createOwner(serials: string[]) {
  const owner = await createUser(api);
  const { token, companyCode } = owner;
  const call = async (path: string, body?: object) => {
    const answer = await api.send(path, { token, ...(body && { body }) });
    assert.ok(answer.statusCode < 300, `${path}: ${answer.body}`);
    return answer.json();
  };
  const putFields = (fields: object[]) => call(`PUT /api/fields/${companyCode}?forget=true`, { fields });
  const register = async (more: string[]) => {
    await createTicketWithRows(api, {
      companyCode,
      createdBy: owner.id,
      status: 'Completed',
      rows: more.map((serial) => ({ serial, state: 'done' })),
    });
    await registerSome(api.context.db);
  };
  const count = async (query: string, caller = owner): Promise<number> => {
    const answer = await api.send(`GET /api/devices?limit=1&${query}`, { token: caller.token });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json().pagination.totalItems;
  };
  const change = async (serial: string, value: string) => {
    const [device] = (await call(`GET /api/devices?q=${serial}`)).data;
    await call(`PATCH /api/devices/${device._id}`, { fields: { site: value } });
    return device._id as string;
  };
  await putFields([site]);
  await register(serials);
  for (const serial of serials) await change(serial, 'Solo');
  return { ...owner, call, putFields, register, count, change };
}

test('a count follows registrations, values, deletions, columns and companies', async () => {
  const other = await createOwner(['COUNT004']);
  const { companyCode, call, putFields, register, count, change } = await createOwner([
    'COUNT001',
    'COUNT002',
  ]);
  const counts = () =>
    Promise.all([
      count('q=COUNT'),
      count('field.site=solo'),
      count('q=COUNT', admin),
      count('field.site=solo', admin),
    ]);
  assert.deepEqual(await counts(), [2, 2, 3, 3]);
  await register(['COUNT003']);
  assert.deepEqual(await counts(), [3, 2, 4, 3]);
  await change('COUNT003', 'Solo');
  assert.deepEqual(await counts(), [3, 3, 4, 4]);
  const id = await change('COUNT001', 'Bogor');
  assert.deepEqual(await counts(), [3, 2, 4, 3]);
  await call(`DELETE /api/devices/${id}`);
  assert.deepEqual(await counts(), [2, 2, 3, 3]);
  await putFields([]);
  await putFields([site]);
  assert.deepEqual(await counts(), [2, 0, 3, 1]);
  await api.context.db.query('DELETE FROM tickets WHERE company_code = $1', [companyCode]);
  await api.context.db.query('DELETE FROM users WHERE company_code = $1', [companyCode]);
  await api.context.db.query('DELETE FROM clients WHERE company_code = $1', [companyCode]);
  assert.deepEqual([await count('q=COUNT', admin), await other.count('q=COUNT')], [1, 1]);
});

test('companies with equal filters have counts of their own, and a superadmin one of all', async () => {
  const one = await createOwner(['SCOPE001']);
  const two = await createOwner(['SCOPE002', 'SCOPE003']);
  const query = 'q=SCOPE&field.site=solo';
  assert.deepEqual(
    [await one.count(query), await two.count(query), await one.count(query, admin)],
    [1, 2, 3],
  );
  assert.equal(await two.count(`${query}&company_code=${two.companyCode}`, admin), 2);
});

test('devices are counted once for equal filters, at the same time or later and in any order', async () => {
  const { companyCode, token } = await createOwner(['EQUAL001']);
  const { db } = api.context;
  const cache = new CountCache();
  const scopedQuery = { q: 'EQUAL', scope: companyCode, today: '2026-11-25', timeZone: 'UTC' };
  const { result, statements } = await countStatements(db, () =>
    Promise.all([countDevices(db, scopedQuery, cache), countDevices(db, scopedQuery, cache)]),
  );
  assert.deepEqual([result, statements], [[1, 1], 3], 'two versions and one count');
  const list = (query: string) => api.send(`GET /api/devices?q=EQUAL${query}`, { token });
  const statementsOf = async (query: string) =>
    (await countStatements(api.app.heavyReads.router.primary.db, () => list(query))).statements;
  const first = await statementsOf('');
  assert.equal(await statementsOf('&page=2&sort=type'), first - 1);
});
