// Checks the rules of docs/rules.md (API) for every call that they apply to.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { insertOwnImport } from '#features/imports/server/own-imports/own-imports.queries.ts';
import { insertRecheck } from '#features/rechecks/server/rechecks.queries.ts';
import { insertRunByHand, runKeyOf } from '#features/rechecks/server/runs/runs.queries.ts';
import { messageAnswer } from '#shared/answers.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readContracts } from '#tests/support/api/contracts.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { storeWebhook } from '#tests/support/webhooks/stored-webhooks.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;
let webhook: number;
/** The `_id` of a draft. */
let invoice: string;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
  await createRun();
  webhook = await createWebhook();
  const { rows } = await api.context.db.query(
    `INSERT INTO invoices (company_code, month, created_at) VALUES ($1, '2026-10-01', now()) RETURNING id::text`,
    [user.companyCode],
  );
  invoice = rows[0].id;
});
after(() => api.close());

/** Creates a webhook with a delivery. @returns its id */
async function createWebhook(): Promise<number> {
  const id = await storeWebhook(api.context.db, {
    events: ['ticket.completed'],
    companyCode: user.companyCode,
  });
  await api.context.db.query(
    `INSERT INTO webhook_deliveries (webhook_id, event, subject, path, data, status)
     VALUES ($1, 'ticket.completed', 'ticket:1', '/', '{}', 'delivered')`,
    [id],
  );
  return id;
}

/** Creates a run that did not find a known device of the user's company again. */
async function createRun(): Promise<void> {
  const { companyCode, id: createdBy } = user;
  const ticket = { companyCode, createdBy, status: 'Completed' } as const;
  await createTicketWithRows(api, { ...ticket, rows: [{ serial: 'C02ABCD1', state: 'done' }] });
  const rows = [{ serial: 'C02ABCD1', state: 'failed' } as const];
  const { number } = await createTicketWithRows(api, { ...ticket, rows });
  await registerSome(api.context.db);
  const { db } = api.context;
  await insertRecheck.run(db, { companyCode });
  const run = (await insertRunByHand.first(db, { companyCode, now: new Date() }))?.id ?? assert.fail();
  await insertOwnImport(db, runKeyOf(run), number);
}

/** Fills the parameters of a path. */
const fill = (path: string, ticket: string) =>
  path
    .replace('{ticket}', ticket)
    .replace('{company_code}', user.companyCode)
    .replace('{id}', path.startsWith('/invoices') ? invoice : String(webhook));
const asAdmin = (call: string, body?: object) => api.send(call, { token: admin.token, body });

test('all paged lists have the same response shape and the same limits of page and limit', async () => {
  const owner = { companyCode: user.companyCode, createdBy: user.id };
  const older = await createTicketWithRows(api, { ...owner, rows: [{}] });
  const { number } = await createTicketWithRows(api, { ...owner, rows: [{}, {}, { state: 'done' }] });
  await registerSome(api.context.db);
  await api.context.db.query(
    `UPDATE tickets SET status = 'Completed', finished_at = '2026-10-05' WHERE done > 0`,
  );
  await asAdmin('POST /api/clients', { company_name: 'Second' });
  const view = { name: 'Ends soon', query: 'ends_within=30', shared: true };
  await api.send('POST /api/views', { token: user.token, body: view });
  const names = { first_name: 'Ayu', last_name: '', role: 'user', company_code: user.companyCode };
  await asAdmin('POST /api/tokens', { name: 'Import', scope: 'read' });
  await asAdmin('POST /api/invitations', { email: 'ayu@example.test', ...names });
  const lists = (await readContracts()).filter(({ query }) => query && 'page' in query.shape);
  assert.deepEqual(lists.map(({ path }) => path).sort(), [
    ...['/audit', '/clients', '/data/{ticket}', '/devices', '/imei', '/invitations', '/invoices'],
    ...[
      '/invoices/month-end',
      '/rechecks/{company_code}/changes',
      '/statements',
      '/tickets',
      '/tickets/changes',
      '/tickets/find',
    ],
    ...['/tokens', '/users', '/users/{id}/tokens', '/views', '/webhooks', '/webhooks/{id}/deliveries'],
  ]);
  const required: Record<string, string> = {
    '/statements': 'month=2026-10&',
    '/invoices/month-end': 'month=2026-10&',
    '/tickets/changes': `ticket_number=${number}&with=${older.number}&`,
  };
  for (const { path } of lists) {
    const call = `GET /api${fill(path, number)}?${required[path] ?? ''}`;
    const { data, pagination } = (await asAdmin(call)).json();
    const { totalItems, ...page } = pagination;
    assert.equal(data.length, totalItems, path);
    assert.deepEqual(page, { page: 1, limit: 10, totalPages: 1, hasNextPage: false, hasPrevPage: false });
    const past = await asAdmin(`${call}page=7&limit=1000`);
    assert.equal(past.statusCode, 200, path);
    assert.deepEqual(past.json().data, []);
    assert.deepEqual(past.json().pagination, {
      page: 7,
      limit: 1000,
      totalPages: 1,
      totalItems,
      hasNextPage: false,
      hasPrevPage: true,
    });
    for (const query of [
      ...['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=1e1', 'page=%201', 'page=1&page=2'],
      ...['limit=0', 'limit=1001', 'limit=x', 'limit=0x10'],
    ]) {
      const refused = await asAdmin(`${call}${query}`);
      assert.equal(refused.statusCode, 400, `${path}?${query}`);
      assert.equal(refused.json().details[0].path, query.split('=')[0]);
    }
  }
});

test('an empty query parameter counts as absent in every call', async () => {
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }, { state: 'failed' }],
  });
  // A required parameter cannot be left out: a search without a text is refused.
  const calls = (await readContracts()).filter(
    ({ method, query }) => method === 'GET' && query?.safeParse({}).success,
  );
  for (const { path, query = assert.fail(), response } of calls) {
    const call = `GET /api${fill(path, number)}`;
    const read = async (search: string) => {
      const answer = await asAdmin(`${call}${search}`);
      assert.equal(answer.statusCode, 200, `${path}${search}: ${answer.body}`);
      // Workbooks, and some responses, contain the time of the export or response.
      if (response === 'file') return answer.headers['content-disposition'];
      const { as_of: _, ...told } = answer.json();
      return told;
    };
    const names = Object.keys(query.shape);
    const expected = await read('');
    assert.deepEqual(await read(`?${names.join('&')}`), expected, path);
    // Files take long, and their parameters are those of lists.
    if (response === 'file') continue;
    for (const name of names) assert.deepEqual(await read(`?${name}=`), expected, `${path}: ${name}`);
    const [name] = names;
    assert.deepEqual(await read(`?${name}=&${name}=`), expected, `${path}: ${name} twice`);
  }
  await asAdmin('POST /api/tickets', { data_count: 1, company_code: user.companyCode });
  const pending = await asAdmin('GET /api/tickets?status=&status=Pending&company_code=');
  const { data } = pending.json<{ data: { status: string }[] }>();
  assert.ok(data.length > 0 && data.every(({ status }) => status === 'Pending'));
});

test('a NUL character is refused in every query parameter, and causes no error in a path', async () => {
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  for (const { method, path, access, params, query, body } of await readContracts()) {
    const { token } = access === 'standard' ? user : admin;
    const fill = (name: string, value: string) =>
      path.replaceAll(/\{(\w+)\}/g, (_, other) => (other === name ? value : number));
    for (const name of Object.keys(params?.shape ?? {})) {
      const call = `${method} /api${fill(name, 'a%00')}`;
      const { statusCode } = await api.send(call, { token, ...(body && { body: {} }) });
      assert.ok(statusCode < 500, `${call}: ${statusCode}`);
    }
    for (const name of Object.keys(query?.shape ?? {})) {
      const search = name === 'ticket_number' ? '' : `&ticket_number=${number}`;
      const call = `${method} /api${fill('', '')}?${name}=a%00${search}`;
      const answer = await api.send(call, { token });
      assert.equal(answer.statusCode, 400, `${call}: ${answer.body}`);
      assert.equal(answer.json().details[0].path, name, call);
    }
  }
});

/** Unusable values of a parameter that takes a day, month, instant or number; each is known by a valid value. */
const unusable: [valid: string, values: string[]][] = [
  ['2026-11-21', ['2026-02-30', '2027-02-29', '2026-13-01', '2026-1-1', '0000-01-01', '10000-01-01']],
  ['2026-11', ['2026-13', '2026-00', '2026-1', '0000-01', '10000-01']],
  ['2026-11-21T10:00:00Z', ['2026-02-30T10:00:00Z', '2026-11-21T25:00:00Z', '2026-11-21T10:00:60Z']],
  ['7', ['-1', '1.5', '1e30', '1e400', '99999999999999999999', 'NaN', 'Infinity', '7;']],
];
/** Values at the edges of the calendar that one or the other parameter takes. */
const edges = [
  ...['0001-01-01', '9999-12-31', '2028-02-29', '9999-12'],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', `2026-11-21T10:00:00.${'0'.repeat(300)}Z`],
  ...['2026-11-21T10:00:00%2B23:59', '2026-11-21T10:00:00-23:59', '9999-12-31T23:59:59-12:00'],
];

test('a day, month, instant or number that cannot be is refused with its name, and none causes an error', async () => {
  const { number } = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  for (const { method, path, access, query, response } of await readContracts()) {
    for (const [name, schema] of Object.entries(query?.shape ?? {})) {
      const { token } = access === 'standard' ? user : admin;
      const ask = (value: string) =>
        api.send(`${method} /api${fill(path, number)}?${name}=${value}&${path === '/search' ? 'q=x' : ''}`, {
          token,
        });
      const takes = (value: string) => schema.safeParse(value).success;
      if (takes('any text')) continue;
      for (const [valid, values] of unusable.filter(([value]) => takes(value))) {
        for (const value of values) {
          const answer = await ask(value);
          assert.equal(answer.statusCode, 400, `${path}?${name}=${value} (as ${valid}): ${answer.body}`);
          assert.ok(
            answer.json().details.some((detail: { path: string }) => detail.path === name),
            answer.body,
          );
        }
      }
      if (response === 'file') continue;
      for (const value of edges.filter((edge) => takes(decodeURIComponent(edge)))) {
        const answer = await ask(value);
        assert.ok(answer.statusCode < 500, `${path}?${name}=${value}: ${answer.body}`);
      }
    }
  }
});

test('every deletion answers 200 with a message, and every creation 201', async () => {
  const contracts = await readContracts();
  const deletions = contracts.filter(({ method }) => method === 'DELETE');
  assert.equal(deletions.length, 14);
  for (const { path, status, response } of deletions) {
    assert.equal(status ?? 200, 200, path);
    // Removing a second factor answers a new token as well.
    if (path === '/auth/totp') assert.ok(Object.hasOwn((response as typeof messageAnswer).shape, 'message'));
    else assert.equal(response, messageAnswer, path);
  }
  const created = contracts.filter(({ status }) => status === 201).map(({ path }) => path);
  assert.deepEqual(created.sort(), [
    '/auth/register',
    '/clients',
    '/data/serials',
    '/data/upload',
    '/invitations',
    '/invitations/accept',
    '/invoices',
    '/proxies/upload',
    '/rechecks/{company_code}/run',
    '/sources/{name}/registry',
    '/tickets',
    '/tokens',
    '/views',
    '/webhooks',
  ]);
});

test('a ticket has the same fields, including money, in every response', async () => {
  const order = await asAdmin('POST /api/tickets', { data_count: 3, company_code: user.companyCode });
  const { _id, ticket_number } = order.json().ticket;
  const uploaded = await api.send('POST /api/data/upload', {
    token: user.token,
    file: { field: 'excel', name: 'sheet.xlsx', content: makeWorkbook(['C02ABCD1']) },
    fields: { ticket_number },
  });
  const terms = { data_count: 4, discount: 5, current_dollar_price: 15_000 };
  // Only the list has the uploader as well.
  const { uploaded_by: by, ...listed } = (await asAdmin('GET /api/tickets')).json().data[0];
  assert.equal(by.email, user.email);
  const answers = {
    create: order.json().ticket,
    upload: uploaded.json().ticket,
    update: (await asAdmin(`PUT /api/tickets/${_id}`, terms)).json().ticket,
    list: listed,
    last: (await asAdmin('GET /api/tickets/last')).json().ticket,
    rows: (await asAdmin(`GET /api/imei?ticket_number=${ticket_number}`)).json().ticket,
    cancel: (await asAdmin(`POST /api/tickets/${_id}/cancel`)).json().ticket,
    retry: (await asAdmin(`POST /api/tickets/${_id}/retry`)).json().ticket,
  };
  const money = [
    'price',
    'current_dollar_price',
    'discount',
    'price_per_data',
    'subtotal',
    'discount_amount',
    'total_amount',
  ];
  const fields = Object.keys(answers.create).sort();
  for (const [call, ticket] of Object.entries(answers)) {
    assert.equal(ticket._id, _id, call);
    assert.deepEqual(Object.keys(ticket).sort(), fields, call);
    for (const name of money) assert.equal(typeof ticket[name], 'number', `${call}: ${name}`);
  }
  // The upload into the order has set its count.
  assert.notEqual(answers.upload.version, answers.create.version);
});

test('users of an Inactive client sign in, read and download', async () => {
  const idle = await createUser(api);
  const { number } = await createTicketWithRows(api, {
    companyCode: idle.companyCode,
    createdBy: idle.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [idle.companyCode]);
  const signedIn = await api.send('POST /api/auth/login', { body: idle });
  assert.equal(signedIn.statusCode, 200);
  const { token } = signedIn.json<{ token: string }>();
  const paths = [`/data/${number}`, '/imei', '/imei/download?format=json', '/tickets/last'];
  for (const path of paths) {
    assert.equal((await api.send(`GET /api${path}`, { token })).statusCode, 200, path);
  }
});

test('a message names the missing field of a body', async () => {
  const cases: [call: string, body: object, path: string, message: string][] = [
    ['POST /api/auth/login', { email: 'a@example.test' }, 'password', 'password is required'],
    ['POST /api/clients', {}, 'company_name', 'company_name is required'],
    ['POST /api/tickets', { data_count: 1 }, 'company_code', 'Please select a company code.'],
    [
      'POST /api/invoices',
      { company_code: '', month: '2026-10' },
      'company_code',
      'Please select a company code.',
    ],
    [
      'POST /api/tickets',
      { data_count: 1.5, company_code: 'ACM001' },
      'data_count',
      'data_count must be a whole number',
    ],
    [
      'POST /api/auth/reset-password',
      { newPassword: 'long enough' },
      'token',
      'Invalid or expired reset link',
    ],
  ];
  for (const [call, body, path, message] of cases) {
    const answer = await asAdmin(call, body);
    assert.equal(answer.statusCode, 400, call);
    const failure = { message, error: message, code: 'invalid', details: [{ path, message }] };
    assert.deepEqual(answer.json(), failure);
  }
});

test('whole numbers go up to 1,000,000,000', async () => {
  const order = (data_count: number) =>
    asAdmin('POST /api/tickets', { data_count, company_code: user.companyCode });
  const largest = await order(1_000_000_000);
  assert.equal(largest.json().ticket.data_count, 1_000_000_000);
  assert.equal((await order(1_000_000_001)).statusCode, 400);
  const terms = { data_count: 1_000_000_000, discount: 100, current_dollar_price: 1_000_000_000 };
  const path = `PUT /api/tickets/${largest.json().ticket._id}`;
  assert.equal((await asAdmin(path, terms)).statusCode, 200);
  assert.equal((await asAdmin(path, { ...terms, current_dollar_price: 1_000_000_001 })).statusCode, 400);
});

test('every call except the public ones requires a token', async () => {
  const open = (await readContracts()).filter(({ access }) => access === 'public');
  assert.deepEqual(open.map(({ path }) => path).sort(), [
    '/auth/forgot-password',
    '/auth/login',
    '/auth/oidc',
    '/auth/oidc/callback',
    '/auth/oidc/token',
    '/auth/options',
    '/auth/reset-password',
    '/auth/second-factor',
    '/auth/verify-invitation/{token}',
    '/auth/verify-reset-token/{token}',
    '/calendar/{secret}.ics',
    '/invitations/accept',
    '/subscribe/{token}',
    '/subscribe/{token}',
    '/unsubscribe/{token}',
    '/unsubscribe/{token}',
  ]);
});
