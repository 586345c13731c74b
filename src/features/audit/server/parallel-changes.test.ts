import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(() => api.close());

const asAdmin = async (call: string, body?: object) => {
  const answer = await api.send(call, { token: admin.token, body });
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
  'budget.update': () => put(`budgets/${user.companyCode}`, (n) => ({ monthly_rupiah: n })),
  'watch.update': () => put(`watch/${user.companyCode}`, (n) => ({ ...watch, horizon_days: n })),
  'recheck.update': () =>
    put(`rechecks/${user.companyCode}`, (n) => ({ active: true, cadence: 'monthly', view_id: null, cap: n })),
  'client.update': async () => {
    const { client } = await asAdmin('POST /api/clients', { company_name: 'Watched' });
    await put(`clients/${client._id}`, (n) => ({ company_name: `Watched ${n}` }));
  },
  'user.update': () =>
    Promise.all(steps.map((n) => asAdmin(`PATCH /api/users/${user.id}`, { first_name: `Name ${n}` }))),
  'ticket.update': async () => {
    const order = { data_count: 1, company_code: user.companyCode };
    const { ticket } = await asAdmin('POST /api/tickets', order);
    await put(`tickets/${ticket._id}`, (n) => ({ data_count: n, discount: 0, current_dollar_price: 1 }));
  },
  'webhook.update': async () => {
    const { _id } = await asAdmin('POST /api/webhooks', hook);
    await put(`webhooks/${_id}`, (n) => ({ ...hook, url: `${hook.url}${n}` }));
  },
  'view.update': async () => {
    const { view } = await asAdmin('POST /api/views', { name: 'View', query: '' });
    await put(`views/${view._id}`, (n) => ({ name: `View ${n}` }));
  },
  'source.pause': () => Promise.all(steps.map(() => asAdmin('POST /api/sources/sandbox/pause'))),
  'source.resume': () => Promise.all(steps.map(() => asAdmin('POST /api/sources/sandbox/resume'))),
};
const seller = { address: '', tax_number: '', bank: '', ppn_percent: 11 };
const put = (path: string, bodyOf: (step: number) => object) =>
  Promise.all(steps.map((step) => asAdmin(`PUT /api/${path}`, bodyOf(step))));

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
