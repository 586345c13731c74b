import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(() => api.close());

const call = async (name: string, body?: object, { token } = admin) => {
  const answer = await api.send(name, { token, body });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json();
};

const steps = [1, 2, 3, 4];
const watch = { active: true, cadence: 'weekly', day: 1, language: 'en', receivers: [] };
const hook = { url: 'https://hooks.example.test/', events: ['ticket.completed'], active: true };

/** For each kind of change, a function that makes several at the same time. */
const changes: Record<string, () => Promise<unknown>> = {
  'seller.update': () => put('invoices/seller', (n) => ({ ...seller, name: `Seller ${n}` })),
  'reminders.update': () => put('invoices/reminders', (n) => ({ days: [n], language: 'en' })),
  'user.notifications': () => put('notifications', (n) => ({ completed: true, from_rows: n })),
  'budget.update': () => put(`budgets/${user.companyCode}`, (n) => ({ monthly_rupiah: n })),
  'fields.update': () =>
    put(`fields/${user.companyCode}`, (n) => ({ fields: [{ key: 'employee', name: `Employee ${n}` }] })),
  'terms.update': () => put(`terms/${user.companyCode}`, (n) => ({ payment_days: n })),
  'watch.update': () => put(`watch/${user.companyCode}`, (n) => ({ ...watch, horizon_days: n })),
  'recheck.update': () =>
    put(`rechecks/${user.companyCode}`, (n) => ({ active: true, cadence: 'monthly', view_id: null, cap: n })),
  'client.update': async () => {
    const { client } = await call('POST /api/clients', { company_name: 'Watched' });
    await put(`clients/${client._id}`, (n) => ({ company_name: `Watched ${n}` }));
  },
  'user.update': () =>
    Promise.all(steps.map((n) => call(`PATCH /api/users/${user.id}`, { first_name: `Name ${n}` }))),
  'ticket.update': async () => {
    const order = { data_count: 1, company_code: user.companyCode };
    const { ticket } = await call('POST /api/tickets', order);
    await put(`tickets/${ticket._id}`, (n) => ({ data_count: n, discount: 0, current_dollar_price: 1 }));
  },
  'webhook.update': async () => {
    const { _id } = await call('POST /api/webhooks', hook);
    await put(`webhooks/${_id}`, (n) => ({ ...hook, url: `${hook.url}${n}` }));
  },
  'view.update': async () => {
    const { view } = await call('POST /api/views', { name: 'View', query: '' });
    await put(`views/${view._id}`, (n) => ({ name: `View ${n}` }));
  },
  'source.pause': () => Promise.all(steps.map(() => call('POST /api/sources/sandbox/pause'))),
  'source.resume': () => Promise.all(steps.map(() => call('POST /api/sources/sandbox/resume'))),
};
const seller = { address: '', tax_number: '', bank: '', ppn_percent: 11 };
const put = (path: string, bodyOf: (step: number) => object) =>
  Promise.all(steps.map((step) => call(`PUT /api/${path}`, bodyOf(step))));

for (const [action, run] of Object.entries(changes)) {
  test(`${action}: of changes at the same time, each is recorded with the values that the one before left`, async () => {
    await run();
    const { data } = await readAuditLog(api, admin, `?action=${action}&limit=10`);
    assert.equal(data.length, steps.length);
    assert.deepEqual(
      data.slice(0, -1).map(({ before: values }) => values),
      data.slice(1).map(({ after: values }) => values),
    );
  });
}

const createRows = () =>
  createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ serial: 'C02ABCD1', state: 'done' }],
  });
async function createGuarded(): Promise<TestUser> {
  const guarded = await createUser(api);
  const { secret } = await call('POST /api/auth/totp', undefined, guarded);
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { token } = await call('POST /api/auth/totp/confirm', { code }, guarded);
  return { ...guarded, token };
}

/** For each call that deletes an object, a function that creates one and returns the path, and other parts of the call. */
const deletions: Record<string, () => Promise<[path: string, send?: Send]>> = {
  '/auth/totp': async () => {
    const { token, password } = await createGuarded();
    return ['auth/totp', { token, body: { password } }];
  },
  '/clients/{id}': async () => {
    const { client } = await call('POST /api/clients', { company_name: 'Unwanted' });
    return [`clients/${client._id}`];
  },
  '/devices/{id}': async () => {
    await createRows();
    await registerSome(api.context.db);
    const { data } = await call('GET /api/devices');
    return [`devices/${data[0]._id}`];
  },
  '/invitations/{id}': async () => {
    const names = { first_name: 'Ayu', last_name: 'Lestari', email: 'ayu@example.test' };
    const order = { ...names, role: 'user', company_code: user.companyCode };
    const { invitation } = await call('POST /api/invitations', order);
    return [`invitations/${invitation._id}`];
  },
  '/invoices/{id}': async () => {
    const { id } = await createRows();
    await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, [id]);
    const { _id } = await call('POST /api/invoices', { company_code: user.companyCode, month: '2026-10' });
    return [`invoices/${_id}`];
  },
  '/proxies/{proxy_set}': async () => {
    const file = { field: 'file', name: 'p.txt', content: '203.0.113.7:8080\n' };
    const made = await api.send('POST /api/proxies/upload', { token: admin.token, file });
    return [`proxies/${made.json().data.proxy_set}`];
  },
  '/tickets/{id}': async () => {
    const { ticket } = await call('POST /api/tickets', { data_count: 1, company_code: user.companyCode });
    return [`tickets/${ticket._id}`];
  },
  '/tokens/{id}': async () => {
    const { _id } = await call('POST /api/tokens', { name: 'Import', scope: 'read' });
    return [`tokens/${_id}`];
  },
  '/users/{id}/tokens/{token_id}': async () => {
    const { _id } = await call('POST /api/tokens', { name: 'Import', scope: 'read' });
    return [`users/${admin.id}/tokens/${_id}`];
  },
  '/users/{id}/second-factor': async () => [`users/${(await createGuarded()).id}/second-factor`],
  '/views/{id}': async () => {
    const { view } = await call('POST /api/views', { name: 'View', query: '' });
    return [`views/${view._id}`];
  },
  '/webhooks/{id}': async () => {
    const { _id } = await call('POST /api/webhooks', hook);
    return [`webhooks/${_id}`];
  },
};
/** Exempt: they delete the rows of a ticket, which stays, and may be repeated to forget its devices, too. */
const repeatable = ['/data/{ticket}', '/imei/{ticket_number}'];

test('of deletions of one object at the same time, one succeeds and is recorded', async (t) => {
  const paths = (await readContracts()).filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  assert.deepEqual(paths.toSorted(), [...Object.keys(deletions), ...repeatable].toSorted());
  for (const [name, prepare] of Object.entries(deletions)) {
    await t.test(name, async () => {
      const [path, more] = await prepare();
      const countEntries = async () => (await readAuditLog(api, admin)).pagination.totalItems;
      const past = await countEntries();
      const answers = await Promise.all(
        steps.map(() => api.send(`DELETE /api/${path}`, { token: admin.token, ...more })),
      );
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted();
      assert.deepEqual(statuses, [200, 404, 404, 404]);
      assert.equal(await countEntries(), past + 1);
    });
  }
});
