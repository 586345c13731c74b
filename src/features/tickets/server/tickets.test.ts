import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;

before(async () => {
  api = await createTestApi({ PRICE_USD: '0.07', DOLLAR_RATE: '16123' });
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());
beforeEach(async () => {
  await api.context.db.query('DELETE FROM tickets');
  user = await createUser(api);
});

const send = (call: string, body?: object) => api.send(call, { token: admin.token, body });
const order = async (data_count = 10, company_code = user.companyCode) =>
  (await send('POST /api/tickets', { data_count, company_code })).json().ticket;
const numbersOf = (rows: { ticket_number: string }[]) => rows.map((row) => row.ticket_number);
const withRows = (state: 'pending' | 'done', status: 'Pending' | 'Completed') =>
  createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status,
    rows: [{ state }, { state }],
  });

test('an order is an empty Pending ticket with price and rate frozen on it', async () => {
  const answer = await send('POST /api/tickets', { data_count: 500, company_code: user.companyCode });
  assert.equal(answer.statusCode, 201);
  const { ticket } = answer.json();
  assert.deepEqual(ticket, {
    _id: ticket._id,
    ticket_number: ticket.ticket_number,
    company_code: user.companyCode,
    date: ticket.date,
    status: 'Pending',
    data_count: 500,
    total: 500,
    done: 0,
    failed: 0,
    remaining: 500,
    percent: 0,
    known_count: 0,
    billable: 0,
    price: 0.07,
    current_dollar_price: 16_123,
    discount: 0,
    price_per_data: 1128.61,
    subtotal: 0,
    discount_amount: 0,
    total_amount: 0,
    file_name: null,
    kind: 'order',
    imported: false,
    serial_deleted: false,
    coverage_deleted: false,
    version: 1,
    invoice: null,
    retryable: false,
  });
  assert.ok(Math.abs(Date.now() - Date.parse(ticket.date)) < 60_000);
  assert.equal((await order()).ticket_number, String(Number(ticket.ticket_number) + 1));
});

test('concurrent orders get consecutive numbers', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => order()));
  const numbers = made.map((ticket) => Number(ticket.ticket_number)).sort((a, b) => a - b);
  assert.deepEqual(
    numbers.map((number) => number - (numbers[0] ?? 0)),
    [0, 1, 2, 3, 4, 5],
  );
});

test('an order needs a count and an Active company', async () => {
  for (const data_count of [0, 1.5, 1_000_000_001, '5', undefined]) {
    const answer = await send('POST /api/tickets', { data_count, company_code: user.companyCode });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().details[0].path, 'data_count');
  }
  const none = await send('POST /api/tickets', { data_count: 1, company_code: '' });
  assert.equal(none.json().message, 'Please select a company code.');
  const unknown = await send('POST /api/tickets', { data_count: 1, company_code: 'NON999' });
  assert.equal(unknown.statusCode, 400);
  assert.equal(unknown.json().details[0].path, 'company_code');
});

test('an order of a company that is being deleted is refused like one of an unknown company', async () => {
  const code = await createCompany(api, 'Brief');
  const [answer] = await raceForLock(
    api.context.db,
    ['DELETE FROM clients WHERE company_code = $1', [code]],
    [() => send('POST /api/tickets', { data_count: 1, company_code: code })],
  );
  assert.equal(answer?.statusCode, 400);
  assert.equal(answer?.json().details[0].path, 'company_code');
});

test('editing changes count, discount and rate, and never total, percent or price', async () => {
  const ticket = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ state: 'done' }, { state: 'done' }, { state: 'done' }, { state: 'failed' }],
  });
  const terms = { data_count: 900, discount: 7, current_dollar_price: 15_000 };
  const edited = (await send(`PUT /api/tickets/${ticket.id}`, terms)).json().ticket;
  const { data_count, total, percent, price, price_per_data, subtotal, discount_amount, total_amount } =
    edited;
  assert.deepEqual(
    { data_count, total, percent, price, price_per_data, subtotal, discount_amount, total_amount },
    {
      data_count: 900,
      total: 4,
      percent: 100,
      price: 0.07,
      price_per_data: 1050,
      subtotal: 3150,
      discount_amount: 220.5,
      total_amount: 2929.5,
    },
  );
  for (const bad of [{ discount: 101 }, { discount: -1 }, { data_count: 0 }, { current_dollar_price: 0 }]) {
    assert.equal((await send(`PUT /api/tickets/${ticket.id}`, { ...terms, ...bad })).statusCode, 400);
  }
  assert.equal((await send('PUT /api/tickets/999999999', terms)).statusCode, 404);
});

test('an edit of an older version is refused, unless it names no version', async () => {
  const ticket = await order(500);
  const put = (discount: number, more: object) =>
    send(`PUT /api/tickets/${ticket._id}`, {
      data_count: 500,
      discount,
      current_dollar_price: 16_000,
      ...more,
    });
  const first = (await put(5, { version: ticket.version })).json().ticket;
  assert.deepEqual([first.discount, first.version], [5, ticket.version + 1]);
  const late = await put(7, { version: ticket.version });
  assert.deepEqual(
    [late.statusCode, late.json().code, late.json().message],
    [409, 'changed_meanwhile', 'This ticket was changed by someone else. Reload it to see the change.'],
  );
  assert.equal((await put(7, { version: first.version })).json().ticket.discount, 7);
  assert.equal((await put(9, {})).json().ticket.discount, 9);
  assert.equal((await put(9, { version: -1 })).statusCode, 400);
  assert.equal(
    (
      await send('PUT /api/tickets/999999999', {
        data_count: 500,
        discount: 5,
        current_dollar_price: 1,
        version: 1,
      })
    ).statusCode,
    404,
  );
  await send(`DELETE /api/tickets/${ticket._id}`);
});

test('tickets are listed newest first, by status and company, with counts', async () => {
  const other = await createCompany(api);
  await order(1, other);
  const pending = await withRows('pending', 'Pending');
  const completed = await withRows('done', 'Completed');
  const all = (await send('GET /api/tickets')).json();
  assert.equal(all.data.length, 3);
  assert.deepEqual(all.summary, { total: 3, pending: 2, processing: 0, completed: 1, cancelled: 0 });
  const own = (await send(`GET /api/tickets?company_code=${user.companyCode}&limit=1`)).json();
  assert.deepEqual(numbersOf(own.data), [completed.number]);
  assert.equal(own.pagination.totalItems, 2);
  assert.equal(own.pagination.hasNextPage, true);
  const next = (await send(`GET /api/tickets?company_code=${user.companyCode}&limit=1&page=2`)).json();
  assert.deepEqual(numbersOf(next.data), [pending.number]);
  assert.deepEqual([next.pagination.hasPrevPage, next.pagination.hasNextPage], [true, false]);
  assert.deepEqual(own.summary, { total: 2, pending: 1, processing: 0, completed: 1, cancelled: 0 });
  const waiting = (await send(`GET /api/tickets?status=Pending&company_code=${user.companyCode}`)).json();
  assert.deepEqual(numbersOf(waiting.data), [pending.number]);
  assert.equal(waiting.pagination.totalItems, 1);
  assert.equal((await send('GET /api/tickets?status=Unknown')).statusCode, 400);
});

test('a ticket is found by its number, within the scope of the caller', async () => {
  const { number } = await withRows('done', 'Completed');
  const find = (token: string) => api.send(`GET /api/tickets/by-number?ticket_number=${number}`, { token });
  const { ticket } = (await find(user.token)).json();
  assert.deepEqual({ number: ticket.ticket_number, done: ticket.done }, { number, done: 2 });
  assert.deepEqual((await find(admin.token)).json(), { ticket });
  assert.equal((await find((await createUser(api)).token)).statusCode, 404);
  const malformed = await api.send('GET /api/tickets/by-number?ticket_number=twelve', { token: user.token });
  assert.equal(malformed.statusCode, 400);
});

test('the newest ticket is the latest import; an order only when there is no import', async () => {
  const last = async (token: string) => (await api.send('GET /api/tickets/last', { token })).json().ticket;
  assert.equal(await last(user.token), null);
  const first = await order();
  assert.equal((await last(user.token))._id, first._id);
  const imported = await withRows('done', 'Completed');
  await order();
  await order(1, admin.companyCode);
  assert.equal((await last(user.token)).ticket_number, imported.number);
  assert.equal((await last(admin.token)).ticket_number, imported.number);
});

test('"newest" is one order everywhere: the latest import first, tickets without rows last', async () => {
  const waiting = await order();
  const filled = await withRows('done', 'Completed');
  const uploaded = await withRows('done', 'Completed');
  const set = (id: number, change: string) =>
    api.context.db.query(`UPDATE tickets SET ${change} WHERE id = $1`, [id]);
  // An order with a lower number that was filled after a later upload.
  await set(filled.id, "imported_at = now() + interval '1 second'");
  const read = async (path: string) => (await api.send(`GET /api${path}`, { token: user.token })).json();
  const newest = async () => ({
    last: (await read('/tickets/last')).ticket.ticket_number,
    progress: (await read('/tickets/progress')).ticket_number,
    rows: (await read('/imei')).ticket.ticket_number,
    numbers: numbersOf((await read('/tickets/ticket-numbers')).data),
    all: numbersOf((await read('/tickets/all-progress')).data),
  });
  const [first, second, last] = [filled.number, uploaded.number, waiting.ticket_number];
  assert.deepEqual(await newest(), {
    last: first,
    progress: first,
    rows: first,
    numbers: [first, second, last],
    all: [first, second],
  });
  await set(filled.id, 'serial_deleted = true, coverage_deleted = true');
  assert.deepEqual(await newest(), {
    last: second,
    progress: second,
    rows: second,
    numbers: [second, first, last],
    // The deleted rows of the first one are billed.
    all: [second, first],
  });
});

test('ticket numbers are listed newest first, within the scope, and without deleted ones on request', async () => {
  const first = await withRows('done', 'Completed');
  const second = await withRows('done', 'Completed');
  const foreign = await order(3, admin.companyCode);
  await api.context.db.query('UPDATE tickets SET serial_deleted = true WHERE id = $1', [first.id]);
  await api.context.db.query('UPDATE tickets SET coverage_deleted = true WHERE id = $1', [second.id]);
  const list = async (query: string, token = user.token) =>
    numbersOf((await api.send(`GET /api/tickets/ticket-numbers${query}`, { token })).json().data);
  assert.deepEqual(await list(''), [second.number, first.number]);
  assert.deepEqual(await list('?serial_deleted=false'), [second.number]);
  assert.deepEqual(await list('?coverage_deleted=false'), [first.number]);
  assert.deepEqual(await list(`?company_code=${admin.companyCode}`), []);
  assert.deepEqual(await list('', admin.token), [second.number, first.number, foreign.ticket_number]);
  assert.deepEqual(await list(`?company_code=${admin.companyCode}`, admin.token), [foreign.ticket_number]);
});

test('ticket numbers come with the fields that a selector shows', async () => {
  const ticket = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Processing',
    rows: [{ state: 'done' }, { state: 'failed' }, {}],
  });
  const { data } = (await api.send('GET /api/tickets/ticket-numbers', { token: user.token })).json();
  assert.deepEqual(data[0], {
    _id: String(ticket.id),
    ticket_number: ticket.number,
    company_code: user.companyCode,
    status: 'Processing',
    date: data[0].date,
    data_count: 3,
    imported: true,
    total: 3,
    finished: 2,
    file_name: data[0].file_name,
  });
  assert.equal(typeof data[0].file_name, 'string');
  const body = { data_count: 7, company_code: user.companyCode };
  const { ticket: order } = (await api.send('POST /api/tickets', { token: admin.token, body })).json();
  const [, last] = (await api.send('GET /api/tickets/ticket-numbers', { token: user.token })).json().data;
  assert.deepEqual([last.ticket_number, last.imported, last.total], [order.ticket_number, false, 7]);
});
