import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';

let api: TestApi;
let user: TestUser;
let admin: TestUser;

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  // Past midnight in Jakarta, the day before in UTC.
  api.clock.set(new Date('2026-11-20T18:30:00Z'));
  user = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const make = (rows: TestRow[], owner = user) =>
  createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    rows,
    status: 'Completed',
  });
const compare = (tickets: string, token = user.token) =>
  api.send(`GET /api/tickets/compare?tickets=${tickets}`, { token });
const serialsOf = async (tickets: string) => (await compare(tickets)).json().serials;

type Made = Awaited<ReturnType<typeof make>>;

/** The serials of a ticket that another has, or has not. */
async function listSerials(ticket: Made, other: Made, shared: 'true' | 'false'): Promise<string[]> {
  const query = `ticket_number=${ticket.number}&compared_with=${other.number}&shared=${shared}`;
  const { data, pagination } = (await api.send(`GET /api/imei?${query}`, { token: user.token })).json();
  assert.equal(pagination.totalItems, data.length);
  return data.map((row: { serial_number: string }) => row.serial_number);
}

const invalid = { state: 'failed', reason: 'Invalid serial number' } as const;
const found = { state: 'done', activation: 'activated' } as const;

test('a comparison has the counts, end months and price of both tickets, and the number of shared serials', async () => {
  const october = await make([
    { ...found, serial: '350000000000001', end: '2026-11-21' },
    { ...found, serial: '350000000000002', end: '2026-11-20' },
    { serial: '350000000000003', state: 'failed' },
    { serial: 'no serial', ...invalid },
    { serial: 'no serial', ...invalid },
  ]);
  const november = await make([
    { serial: '350000000000003', state: 'done', activation: 'unactivated', end: '2026-12-21' },
    { ...found, serial: '350000000000001', end: '2026-12-22' },
    { serial: '350000000000009', state: 'done' },
    { serial: 'ABC123XYZ' },
    { serial: 'no serial', ...invalid },
  ]);
  const { first, second, serials } = (await compare(`${october.number},${november.number}`)).json();
  assert.equal(first.ticket.ticket_number, october.number);
  assert.equal(second.ticket.ticket_number, november.number);
  assert.ok(first.ticket.subtotal > 0);
  assert.equal(second.ticket.subtotal, first.ticket.subtotal * 1.5);
  const none = { all: 5, activated: 0, unactivated: 0, unknown: 0, failed: 0, pending: 0 };
  assert.deepEqual(first.counts, {
    ...none,
    activated: 2,
    failed: 3,
    ending_30: 1,
    expired: 1,
    reasons: { 'Not found': 1, 'Invalid serial number': 2 },
  });
  assert.deepEqual(second.counts, {
    ...none,
    activated: 1,
    unactivated: 1,
    unknown: 1,
    failed: 1,
    pending: 1,
    ending_30: 1,
    expired: 0,
    reasons: { 'Invalid serial number': 1 },
  });
  // Cells without an identifier are in neither.
  assert.deepEqual(serials, { both: 2, only_first: 1, only_second: 2 });
  assert.deepEqual(await serialsOf(`${november.number},${october.number}`), {
    both: 2,
    only_first: 2,
    only_second: 1,
  });
  // The rows that are counted.
  const shared = ['350000000000001', '350000000000003'];
  assert.deepEqual(await listSerials(october, november, 'true'), shared);
  assert.deepEqual(await listSerials(october, november, 'false'), ['350000000000002']);
  assert.deepEqual(await listSerials(november, october, 'true'), [...shared].reverse());
  assert.deepEqual(await listSerials(november, october, 'false'), ['350000000000009', 'ABC123XYZ']);
  const query = `format=json&ticket_number=${october.number}&compared_with=${november.number}&shared=false`;
  const file = await api.send(`GET /api/imei/download?${query}`, { token: user.token });
  assert.deepEqual(
    file.json().map((row: { serial_number: string }) => row.serial_number),
    ['350000000000002'],
  );
});

test('an order without rows shares no serials', async () => {
  const order = { data_count: 7, company_code: user.companyCode };
  const { ticket } = (await api.send('POST /api/tickets', { token: admin.token, body: order })).json();
  const sheet = await make([{ serial: '350000000000001' }]);
  const { first, serials } = (await compare(`${ticket.ticket_number},${sheet.number}`)).json();
  assert.deepEqual([first.ticket.total, first.counts.all], [7, 0]);
  assert.deepEqual(serials, { both: 0, only_first: 0, only_second: 1 });
});

test('deleted rows are not compared, even before the deletion is finished', async () => {
  const rows: TestRow[] = [{ ...found, serial: '350000000000001' }, { serial: '350000000000002' }];
  const [kept, changed] = [await make(rows), await make(rows)];
  const pair = `${kept.number},${changed.number}`;
  assert.deepEqual(await serialsOf(pair), { both: 2, only_first: 0, only_second: 0 });
  // The mark of a deletion whose rows are not deleted yet.
  const mark = (flag: string) =>
    api.context.db.query(`UPDATE tickets SET ${flag} = true WHERE id = $1`, [changed.id]);
  await mark('serial_deleted');
  assert.deepEqual(await serialsOf(pair), { both: 1, only_first: 1, only_second: 0 });
  assert.deepEqual(await listSerials(kept, changed, 'true'), ['350000000000001']);
  await mark('coverage_deleted');
  assert.deepEqual(await listSerials(kept, changed, 'true'), []);
  assert.deepEqual(await serialsOf(pair), { both: 0, only_first: 2, only_second: 0 });
  const { second } = (await compare(pair)).json();
  assert.deepEqual([second.ticket.done, second.counts.all], [1, 0]);
});

test('a user compares tickets of their company, and a superadmin tickets of any companies', async () => {
  const stranger = await createUser(api);
  const own = await make([{ serial: '350000000000001' }]);
  const foreign = await make([{ serial: '350000000000001' }], stranger);
  for (const pair of [`${own.number},${foreign.number}`, `${foreign.number},${own.number}`]) {
    const refused = await compare(pair);
    assert.equal(refused.statusCode, 404);
    assert.equal(refused.json().code, 'ticket_not_found');
    const [ticket, other] = pair.split(',');
    for (const path of ['imei', 'imei/download']) {
      const query = `format=json&ticket_number=${ticket}&compared_with=${other}`;
      const answer = await api.send(`GET /api/${path}?${query}`, { token: user.token });
      assert.equal(answer.statusCode, 404, path);
    }
    const { serials } = (await compare(pair, admin.token)).json();
    assert.deepEqual(serials, { both: 1, only_first: 0, only_second: 0 });
  }
  assert.equal((await compare(`${own.number},999999999999999`, admin.token)).statusCode, 404);
});

test('a comparison without two different numbers is refused with the reason', async () => {
  const { number } = await make([{}]);
  const form = 'Two tickets are written like 3,5';
  const cases: [query: string, message: string][] = [
    ['tickets=', ''],
    [`tickets=${number}`, form],
    [`tickets=${number},`, form],
    [`tickets=${number},x`, form],
    [`tickets=${number},-1`, form],
    [`tickets=1,2,3`, form],
    [`tickets=${number},${number}`, 'A ticket cannot be compared with itself'],
    [`tickets=${number},0${number}`, 'A ticket cannot be compared with itself'],
  ];
  for (const [query, message] of cases) {
    const answer = await api.send(`GET /api/tickets/compare?${query}`, { token: user.token });
    assert.equal(answer.statusCode, 400, query);
    const [detail] = answer.json().details;
    assert.equal(detail.path, 'tickets', query);
    if (message) assert.equal(detail.message, message, query);
    else assert.ok(detail.message, query);
  }
});
