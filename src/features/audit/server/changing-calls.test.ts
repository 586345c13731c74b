import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { addClient, createClosedTicket, readAuditLog } from '#tests/support/api/audit.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { issueDueOn } from '#tests/support/api/invoices.ts';
import { waitForLink } from '#tests/support/api/outbox.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
/** A user with a second factor, and a recovery code. */
let guarded: TestUser & { code: string };
const sources = join(tmpdir(), `audit-sources-${process.pid}.json`);

before(async () => {
  const list = { name: 'own', kind: 'registry', label: 'Own list' };
  await writeFile(
    sources,
    JSON.stringify({ sources: [list, { name: 'box', kind: 'sandbox', label: 'Box' }] }),
  );
  api = await createTestApi({ SOURCES_FILE: sources, ALLOW_PRIVATE_WEBHOOKS: '1' });
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
  const other = await createUser(api);
  const [code] = (await setUpSecondFactor(other)).json().recovery_codes;
  guarded = { ...other, code };
});
after(() => api.close());

const asAdmin = (call: string, send: Send = {}) => api.send(call, { token: admin.token, ...send });
const readAudit = (query?: string) => readAuditLog(api, admin, query);

const openTicket = async () =>
  (await asAdmin('POST /api/tickets', { body: { data_count: 3, company_code: user.companyCode } })).json()
    .ticket;
const saveView = () =>
  api.send('POST /api/views', { token: user.token, body: { name: 'Ends soon', query: 'ends_within=30' } });
const createToken = () =>
  api.send('POST /api/tokens', { token: user.token, body: { name: 'Import', scope: 'read' } });
const setUpSecondFactor = async ({ token }: TestUser) => {
  const { secret } = (await api.send('POST /api/auth/totp', { token })).json();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  return api.send('POST /api/auth/totp/confirm', { token, body: { code } });
};
const hook = { url: 'http://127.0.0.1:9/hook', events: ['ticket.completed'], active: true };
const createHook = async () =>
  (await asAdmin('POST /api/webhooks', { body: hook })).json<{ _id: string }>()._id;
const watch = {
  active: false,
  cadence: 'weekly',
  day: 1,
  horizon_days: 30,
  language: 'en',
  receivers: ['ayu@example.test'],
};
let invited = 0;
const invite = () => {
  invited += 1;
  const email = `invited${invited}@example.test`;
  const names = { first_name: 'Ayu', last_name: 'Lestari' };
  return asAdmin('POST /api/invitations', {
    body: { email, ...names, role: 'user', company_code: user.companyCode },
  });
};
const seller = { name: 'Seller', address: '', tax_number: '', bank: '', ppn_percent: 11 };
/** Drafts an invoice of a ticket. @returns its `_id` */
async function draftInvoice(): Promise<string> {
  const { id } = await createClosedTicket(api, user);
  await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, [id]);
  const body = { company_code: user.companyCode, month: '2026-10' };
  return (await asAdmin('POST /api/invoices', { body })).json()._id;
}
async function issueInvoice(): Promise<string> {
  const id = await draftInvoice();
  await asAdmin(`POST /api/invoices/${id}/issue`);
  return id;
}
const proxyFile = { field: 'file', name: 'p.txt', content: 'me:hush-hush@203.0.113.7:8080\n' };

/** The request of each changing call, and the expected entry. */
const deeds: Record<string, { action: string; run(): Promise<{ statusCode: number }> }> = {
  'POST /auth/login': {
    action: 'user.sign-in',
    run: () => api.send('POST /api/auth/login', { body: { email: user.email, password: user.password } }),
  },
  'POST /auth/second-factor': {
    action: 'user.sign-in',
    run: async () => {
      const { email, password, code } = guarded;
      const { challenge } = (await api.send('POST /api/auth/login', { body: { email, password } })).json();
      return api.send('POST /api/auth/second-factor', { body: { challenge, code } });
    },
  },
  'POST /auth/oidc/token': {
    action: 'user.sign-in',
    run: async () => {
      const code = randomBytes(32).toString('base64url');
      await api.context.db.query(
        `INSERT INTO single_sign_on_codes (code_hash, user_id, expires_at, sessions_valid_from)
         VALUES ($1, $2, now() + interval '1 minute', 0)`,
        [createHash('sha256').update(code).digest(), user.id],
      );
      return api.send('POST /api/auth/oidc/token', { body: { code } });
    },
  },
  'POST /auth/totp/confirm': {
    action: 'user.second-factor',
    run: async () => setUpSecondFactor(await createUser(api)),
  },
  'DELETE /auth/totp': {
    action: 'user.second-factor-removed',
    run: async () => {
      const own = await createUser(api);
      const { token } = (await setUpSecondFactor(own)).json();
      return api.send('DELETE /api/auth/totp', { token, body: { password: own.password } });
    },
  },
  'POST /auth/register': {
    action: 'user.register',
    run: () =>
      asAdmin('POST /api/auth/register', {
        body: {
          name: 'Newcomer',
          email: 'newcomer@example.test',
          password: 'a hush-hush secret',
          superadmin: '0',
          company_code: user.companyCode,
        },
      }),
  },
  'POST /auth/change-password': {
    action: 'user.password',
    run: async () => {
      const own = await createUser(api);
      const body = { currentPassword: own.password, newPassword: 'a hush-hush secret' };
      return api.send('POST /api/auth/change-password', { token: own.token, body });
    },
  },
  'POST /auth/reset-password': {
    action: 'user.password',
    run: async () => {
      const token = randomBytes(32).toString('base64url');
      await api.context.db.query(
        `INSERT INTO password_resets (token_hash, user_id, expires_at) VALUES ($1, $2, now() + interval '1 hour')`,
        [createHash('sha256').update(token).digest(), (await createUser(api)).id],
      );
      return api.send('POST /api/auth/reset-password', {
        body: { token, newPassword: 'a hush-hush secret' },
      });
    },
  },
  'PATCH /users/{id}': {
    action: 'user.update',
    run: async () =>
      asAdmin(`PATCH /api/users/${(await createUser(api)).id}`, { body: { first_name: 'Renamed' } }),
  },
  'DELETE /users/{id}/second-factor': {
    action: 'user.second-factor-removed',
    run: async () => {
      const other = await createUser(api);
      await setUpSecondFactor(other);
      return asAdmin(`DELETE /api/users/${other.id}/second-factor`);
    },
  },
  'POST /users/{id}/sign-out': {
    action: 'user.sign-out',
    run: async () => asAdmin(`POST /api/users/${(await createUser(api)).id}/sign-out`),
  },
  'POST /users/{id}/reset': {
    action: 'user.reset-link',
    run: async () => asAdmin(`POST /api/users/${(await createUser(api)).id}/reset`),
  },
  'POST /webhooks': {
    action: 'webhook.create',
    run: () => asAdmin('POST /api/webhooks', { body: hook }),
  },
  'PUT /webhooks/{id}': {
    action: 'webhook.update',
    run: async () => asAdmin(`PUT /api/webhooks/${await createHook()}`, { body: { ...hook, active: false } }),
  },
  'DELETE /webhooks/{id}': {
    action: 'webhook.delete',
    run: async () => asAdmin(`DELETE /api/webhooks/${await createHook()}`),
  },
  'POST /webhooks/{id}/renew': {
    action: 'webhook.renew',
    run: async () => asAdmin(`POST /api/webhooks/${await createHook()}/renew`),
  },
  'POST /webhooks/{id}/test': {
    action: 'webhook.test',
    run: async () => asAdmin(`POST /api/webhooks/${await createHook()}/test`),
  },
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    action: 'webhook.redeliver',
    run: async () => {
      const id = await createHook();
      const { _id } = (await asAdmin(`POST /api/webhooks/${id}/test`)).json();
      return asAdmin(`POST /api/webhooks/${id}/deliveries/${_id}/redeliver`);
    },
  },
  'POST /tokens': {
    action: 'token.create',
    run: () => createToken(),
  },
  'DELETE /tokens/{id}': {
    action: 'token.delete',
    run: async () => {
      const { _id } = (await createToken()).json();
      return api.send(`DELETE /api/tokens/${_id}`, { token: user.token });
    },
  },
  'DELETE /users/{id}/tokens/{token_id}': {
    action: 'token.delete',
    run: async () => {
      const { _id } = (await createToken()).json();
      return asAdmin(`DELETE /api/users/${user.id}/tokens/${_id}`);
    },
  },
  'POST /invitations': { action: 'user.invite', run: () => invite() },
  'POST /invitations/{id}/send': {
    action: 'user.invite-again',
    run: async () => asAdmin(`POST /api/invitations/${(await invite()).json().invitation._id}/send`),
  },
  'DELETE /invitations/{id}': {
    action: 'user.invite-withdrawn',
    run: async () => asAdmin(`DELETE /api/invitations/${(await invite()).json().invitation._id}`),
  },
  'POST /invitations/accept': {
    action: 'user.invite-accepted',
    run: async () => {
      const token = await waitForLink(api, (await invite()).json().invitation.email);
      return api.send('POST /api/invitations/accept', { body: { token, password: 'a hush-hush secret' } });
    },
  },
  'POST /clients': {
    action: 'client.create',
    run: () => asAdmin('POST /api/clients', { body: { company_name: 'Brand New' } }),
  },
  'PUT /clients/{id}': {
    action: 'client.update',
    run: async () =>
      asAdmin(`PUT /api/clients/${(await addClient(api, admin))._id}`, { body: { company_name: 'Renamed' } }),
  },
  'PUT /clients/status/{id}': {
    action: 'client.status',
    run: async () =>
      asAdmin(`PUT /api/clients/status/${(await addClient(api, admin))._id}`, { body: { status: '0' } }),
  },
  'DELETE /clients/{id}': {
    action: 'client.delete',
    run: async () => asAdmin(`DELETE /api/clients/${(await addClient(api, admin))._id}`),
  },
  'POST /tickets': {
    action: 'ticket.create',
    run: () => asAdmin('POST /api/tickets', { body: { data_count: 3, company_code: user.companyCode } }),
  },
  'PUT /tickets/{id}': {
    action: 'ticket.update',
    run: async () =>
      asAdmin(`PUT /api/tickets/${(await openTicket())._id}`, {
        body: { data_count: 4, discount: 5, current_dollar_price: 17_000 },
      }),
  },
  'DELETE /tickets/{id}': {
    action: 'ticket.delete',
    run: async () => asAdmin(`DELETE /api/tickets/${(await openTicket())._id}`),
  },
  'POST /tickets/{id}/cancel': {
    action: 'ticket.cancel',
    run: async () => asAdmin(`POST /api/tickets/${(await openTicket())._id}/cancel`),
  },
  'POST /tickets/{id}/retry': {
    action: 'ticket.retry',
    run: async () => asAdmin(`POST /api/tickets/${(await createClosedTicket(api, user)).id}/retry`),
  },
  'POST /data/upload': {
    action: 'data.upload',
    run: () =>
      api.send('POST /api/data/upload', {
        token: user.token,
        file: { field: 'excel', name: 'sheet.xlsx', content: makeWorkbook(['C02ABCD1']) },
      }),
  },
  'POST /data/serials': {
    action: 'data.upload',
    run: () => api.send('POST /api/data/serials', { token: user.token, body: { serials: ['C02ABCD1'] } }),
  },
  'DELETE /data/{ticket}': {
    action: 'data.delete',
    run: async () =>
      api.send(`DELETE /api/data/${(await createClosedTicket(api, user)).number}`, { token: user.token }),
  },
  'DELETE /imei/{ticket_number}': {
    action: 'results.delete',
    run: async () =>
      api.send(`DELETE /api/imei/${(await createClosedTicket(api, user)).number}`, { token: user.token }),
  },
  'DELETE /devices/{id}': {
    action: 'devices.forget',
    run: async () => {
      await createClosedTicket(api, user);
      await registerSome(api.context.db);
      const devices = await api.send('GET /api/devices', { token: user.token });
      return api.send(`DELETE /api/devices/${devices.json().data[0]._id}`, { token: user.token });
    },
  },
  'PUT /fields/{company_code}': {
    action: 'fields.update',
    run: () => asAdmin(`PUT /api/fields/${user.companyCode}`, { body: ownFields }),
  },
  'PATCH /devices/{id}': {
    action: 'devices.update',
    run: async () => {
      await asAdmin(`PUT /api/fields/${user.companyCode}`, { body: ownFields });
      await createClosedTicket(api, user);
      await registerSome(api.context.db);
      const devices = await api.send('GET /api/devices', { token: user.token });
      return api.send(`PATCH /api/devices/${devices.json().data[0]._id}`, {
        token: user.token,
        body: { fields: { employee: 'Siti' } },
      });
    },
  },
  'POST /devices/fields': {
    action: 'devices.update',
    run: async () => {
      await asAdmin(`PUT /api/fields/${user.companyCode}`, { body: ownFields });
      return api.send('POST /api/devices/fields', {
        token: user.token,
        body: { filter: 'q=none', count: 0, fields: { employee: 'Siti' } },
      });
    },
  },
  'POST /devices/forget': {
    action: 'devices.forget',
    run: () =>
      api.send('POST /api/devices/forget', { token: user.token, body: { filter: 'q=none', count: 0 } }),
  },
  'PUT /notifications': {
    action: 'user.notifications',
    run: () =>
      api.send('PUT /api/notifications', { token: user.token, body: { completed: false, from_rows: 5 } }),
  },
  'POST /views': { action: 'view.create', run: () => saveView() },
  'PUT /views/{id}': {
    action: 'view.update',
    run: async () => {
      const { _id } = (await saveView()).json().view;
      return api.send(`PUT /api/views/${_id}`, { token: user.token, body: { name: 'Renamed' } });
    },
  },
  'DELETE /views/{id}': {
    action: 'view.delete',
    run: async () => {
      const { _id } = (await saveView()).json().view;
      return api.send(`DELETE /api/views/${_id}`, { token: user.token });
    },
  },
  'PUT /watch/{company_code}': {
    action: 'watch.update',
    run: () => asAdmin(`PUT /api/watch/${user.companyCode}`, { body: { ...watch, active: true } }),
  },
  'POST /watch/{company_code}/renew': {
    action: 'watch.renew',
    run: () => asAdmin(`POST /api/watch/${user.companyCode}/renew`),
  },
  'PUT /invoices/reminders': {
    action: 'reminders.update',
    run: () => asAdmin('PUT /api/invoices/reminders', { body: { days: [7], language: 'en' } }),
  },
  'PUT /invoices/seller': {
    action: 'seller.update',
    run: () => asAdmin('PUT /api/invoices/seller', { body: seller }),
  },
  'POST /invoices': {
    action: 'invoice.create',
    run: async () => {
      const id = await draftInvoice();
      return { statusCode: id ? 201 : 500 };
    },
  },
  'PUT /invoices/{id}': {
    action: 'invoice.update',
    run: async () => asAdmin(`PUT /api/invoices/${await draftInvoice()}`, { body: { note: 'Thank you' } }),
  },
  'DELETE /invoices/{id}': {
    action: 'invoice.delete',
    run: async () => asAdmin(`DELETE /api/invoices/${await draftInvoice()}`),
  },
  'POST /invoices/{id}/issue': {
    action: 'invoice.issue',
    run: async () => asAdmin(`POST /api/invoices/${await draftInvoice()}/issue`),
  },
  'POST /invoices/{id}/pay': {
    action: 'invoice.pay',
    run: async () =>
      asAdmin(`POST /api/invoices/${await issueInvoice()}/pay`, {
        body: { paid_at: dayIn('Asia/Jakarta', new Date()) },
      }),
  },
  'POST /invoices/{id}/remind': {
    action: 'invoice.remind',
    run: async () => {
      await createUser(api, { companyAdmin: true, companyCode: user.companyCode });
      const id = await draftInvoice();
      await issueDueOn(api, admin, id, '2020-01-31');
      return asAdmin(`POST /api/invoices/${id}/remind`);
    },
  },
  'POST /invoices/batch': {
    action: 'invoice.create',
    run: async () => {
      const { id } = await createClosedTicket(api, user);
      await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, [id]);
      return asAdmin('POST /api/invoices/batch', { body: { month: '2026-10', do: 'draft' } });
    },
  },
  'POST /invoices/{id}/send': {
    action: 'invoice.send',
    run: async () => {
      await asAdmin(`PUT /api/terms/${user.companyCode}`, { body: { invoice_emails: ['a@example.test'] } });
      return asAdmin(`POST /api/invoices/${await issueInvoice()}/send`);
    },
  },
  'POST /invoices/{id}/credit': {
    action: 'invoice.credit',
    run: async () =>
      asAdmin(`POST /api/invoices/${await issueInvoice()}/credit`, { body: { reason: 'Wrong' } }),
  },
  'PUT /budgets/{company_code}': {
    action: 'budget.update',
    run: () => asAdmin(`PUT /api/budgets/${user.companyCode}`, { body: { monthly_rupiah: 1_000_000 } }),
  },
  'PUT /terms/{company_code}': {
    action: 'terms.update',
    run: () => asAdmin(`PUT /api/terms/${user.companyCode}`, { body: { payment_days: 14 } }),
  },
  'PUT /rechecks/{company_code}': {
    action: 'recheck.update',
    run: () =>
      asAdmin(`PUT /api/rechecks/${user.companyCode}`, {
        body: { active: true, cadence: 'quarterly', view_id: null, cap: 100 },
      }),
  },
  'POST /rechecks/{company_code}/run': {
    action: 'data.upload',
    run: async () => {
      await createTicketWithRows(api, {
        companyCode: user.companyCode,
        createdBy: user.id,
        status: 'Completed',
        rows: [{ serial: 'C02ABCD1', state: 'done' }],
      });
      await registerSome(api.context.db);
      return asAdmin(`POST /api/rechecks/${user.companyCode}/run`);
    },
  },
  'POST /unsubscribe/{token}': {
    action: 'watch.unsubscribe',
    run: async () => {
      await asAdmin(`PUT /api/watch/${user.companyCode}`, { body: watch });
      const { rows } = await api.context.db.query('SELECT token FROM watch_receivers');
      return api.send(`POST /api/unsubscribe/${rows[0].token}`);
    },
  },
  'POST /subscribe/{token}': {
    action: 'watch.subscribe',
    run: async () => {
      await asAdmin(`PUT /api/watch/${user.companyCode}`, { body: watch });
      const { rows } = await api.context.db.query('SELECT confirm_token FROM watch_receivers');
      return api.send(`POST /api/subscribe/${rows[0].confirm_token}`);
    },
  },
  'POST /proxies/upload': {
    action: 'proxies.upload',
    run: () => asAdmin('POST /api/proxies/upload', { file: proxyFile }),
  },
  'DELETE /proxies/{proxy_set}': {
    action: 'proxies.delete',
    run: async () => {
      const set = await asAdmin('POST /api/proxies/upload', { file: proxyFile });
      return asAdmin(`DELETE /api/proxies/${set.json().data.proxy_set}`);
    },
  },
  'POST /sources/{name}/pause': {
    action: 'source.pause',
    run: () => asAdmin('POST /api/sources/own/pause'),
  },
  'POST /sources/{name}/resume': {
    action: 'source.resume',
    run: () => asAdmin('POST /api/sources/own/resume'),
  },
  'POST /sources/{name}/try': {
    action: 'source.try',
    run: () => asAdmin('POST /api/sources/own/try', { body: { serial: 'C02ABCD1' } }),
  },
  'POST /sources/{name}/registry': {
    action: 'registry.replace',
    run: () =>
      asAdmin('POST /api/sources/own/registry', {
        file: { field: 'excel', name: 'list.xlsx', content: makeWorkbook(['C02ABCD1']) },
      }),
  },
};

const ownFields = { fields: [{ key: 'employee', name: 'Employee' }] };

/** The caller is only known by a mailed link. */
const byLink = [
  'POST /auth/reset-password',
  'POST /invitations/accept',
  'POST /subscribe/{token}',
  'POST /unsubscribe/{token}',
];

/** Exempt: they only mail a link, read a sheet, or create a secret that does not count yet. */
const silent = [
  'POST /auth/forgot-password',
  'POST /auth/totp',
  'POST /data/preview',
  'POST /data/serials/preview',
];

test('every changing call leaves an entry with actor, address, object, and the values before and after', async (t) => {
  const changing = (await readContracts()).filter(({ method }) => method !== 'GET');
  assert.deepEqual(
    changing.map(({ route }) => route).toSorted(),
    [...Object.keys(deeds), ...silent].toSorted(),
  );
  for (const [call, { action, run }] of Object.entries(deeds)) {
    await t.test(call, async () => {
      const { pagination: past } = await readAudit(`?action=${action}`);
      const answer = await run();
      assert.ok(answer.statusCode < 300, `${answer.statusCode}`);
      const { data, pagination } = await readAudit(`?action=${action}`);
      assert.equal(pagination.totalItems, past.totalItems + 1);
      const [entry = assert.fail()] = data;
      assert.equal(entry.object_type, action.split('.')[0]);
      assert.ok(entry.object_id, 'names its object');
      assert.equal(entry.address, '127.0.0.1');
      if (!byLink.includes(call)) assert.ok(entry.actor?.email, 'names its actor');
      assert.ok(action === 'user.sign-in' || entry.before || entry.after, 'says what changed');
      assert.ok(Date.now() - new Date(entry.at).getTime() < 60_000);
    });
  }
  const whole = await asAdmin('GET /api/audit?limit=1000');
  assert.doesNotMatch(whole.body, /hush-hush|argon2|password_hash/);
});

test('entries of pausing and resuming a source have its state before', async () => {
  for (const act of ['pause', 'resume']) await asAdmin(`POST /api/sources/box/${act}`);
  const { data } = await readAudit('?object_id=box');
  assert.deepEqual(
    data.map(({ action, before, after }) => [action, before, after]),
    [
      ['source.resume', { paused: true, state: 'up' }, { paused: false, state: 'up' }],
      ['source.pause', { paused: false, state: 'up' }, { paused: true, state: 'up' }],
    ],
  );
});
