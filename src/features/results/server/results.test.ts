import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
let user: TestUser;

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  // Past midnight in Jakarta, the day before in UTC.
  api.clock.set(new Date('2026-11-20T18:30:00Z'));
  user = await createUser(api);
});
after(() => api.close());

type Status = 'Pending' | 'Processing' | 'Completed' | 'Cancelled';
const make = (rows: TestRow[], status: Status = 'Completed', owner = user) =>
  createTicketWithRows(api, { companyCode: owner.companyCode, createdBy: owner.id, rows, status });
const list = async (query: string, token = user.token) =>
  (await api.send(`GET /api/imei?${query}`, { token })).json();
const positionsOf = (answer: { data: { position: number }[] }) => answer.data.map((row) => row.position);
const query = async (sql: string, ...values: unknown[]) => (await api.context.db.query(sql, values)).rows;

const mixed: TestRow[] = [
  { serial: '350000000000001', state: 'done', activation: 'activated', end: '2026-11-22' },
  { serial: '350000000000002', state: 'done', activation: 'unactivated', end: '2026-11-21' },
  { serial: 'ABC123XYZ', state: 'done', activation: null },
  { serial: '350000000000777', state: 'failed', reason: 'Not found' },
  { serial: '350000000000005' },
];

test('rows are listed in the order of the sheet, with the expiry by the day in the time zone', async () => {
  const ticket = await make(mixed, 'Processing');
  const { data, pagination, ticket: described } = await list(`ticket_number=${ticket.number}`);
  assert.deepEqual(data[0], {
    _id: data[0]._id,
    position: 1,
    serial_number: '350000000000001',
    type: 'iPhone 15',
    activation_status: 'activated',
    purchase_date: null,
    warranty_title: 'Limited Warranty',
    coverage_start_date: null,
    coverage_end_date: '2026-11-22',
    coverage_expires: '1 days',
    timestamp: '2026-11-20T10:00:00.000Z',
    state: 'done',
    reason: null,
    details: null,
    original: null,
    sheet_row: 2,
    source: 'sandbox',
    attempts: 1,
    egress: 'direct',
    cached: false,
    fields: {},
  });
  const expiries = data.map((row: { coverage_expires: string | null }) => row.coverage_expires);
  assert.deepEqual(expiries, ['1 days', 'Expires today', 'N/A', 'N/A', null]);
  assert.equal(new Set(data.map((row: { _id: string }) => row._id)).size, 5);
  assert.deepEqual(pagination, {
    page: 1,
    limit: 10,
    totalPages: 1,
    totalItems: 5,
    hasNextPage: false,
    hasPrevPage: false,
  });
  assert.equal(described.ticket_number, ticket.number);
});

test('rows are filtered by status and by a part of the serial', async () => {
  const ticket = await make(mixed, 'Processing');
  const find = async (narrow: string) => {
    const answer = await list(`ticket_number=${ticket.number}&${narrow}`);
    assert.equal(answer.pagination.totalItems, answer.data.length, narrow);
    return positionsOf(answer);
  };
  assert.deepEqual(await find('status=activated'), [1]);
  assert.deepEqual(await find('status=active'), [1]);
  assert.deepEqual(await find('status=inactive'), [2]);
  assert.deepEqual(await find('status=unactivated'), [2]);
  assert.deepEqual(await find('status=failed'), [4]);
  assert.deepEqual(await find('status=pending'), [5]);
  assert.deepEqual(await find('status=all'), [1, 2, 3, 4, 5]);
  assert.deepEqual(await find('q=777'), [4]);
  assert.deepEqual(await find('q=c123'), [3]);
  assert.deepEqual(await find('q=35000%200000'), [1, 2, 4, 5]);
  assert.deepEqual(await find('q=350&status=pending'), [5]);
  assert.deepEqual(await find('q=%25'), []);
  assert.equal((await api.send('GET /api/imei?status=nonsense', { token: user.token })).statusCode, 400);
});

test('a search accepts serials as written in the sheet or on the screen', async () => {
  const invalid = { state: 'failed', reason: 'Invalid serial number' } as const;
  const long = `no serial ${'x'.repeat(90)}`;
  const ticket = await make([
    { serial: '356938035643809', state: 'done' },
    { serial: 'ABC123XYZ', state: 'done' },
    { serial: 'abc 123', ...invalid },
    { serial: `35-69\u00a038 (lost)`, ...invalid },
    { serial: long, ...invalid },
  ]);
  const find = async (q: string) => {
    const answer = await list(`ticket_number=${ticket.number}&q=${encodeURIComponent(q)}`);
    assert.equal(answer.pagination.totalItems, answer.data.length, q);
    return positionsOf(answer);
  };
  assert.deepEqual(await find('abc 123'), [2, 3]);
  assert.deepEqual(await find('ABC123'), [2, 3]);
  for (const typed of [
    '35-693803-564380-9',
    '35 693803 5643809',
    '35.6938/03',
    '803-',
    '\uff13\uff156938',
    '35\u20116938',
  ]) {
    assert.deepEqual(await find(typed), [1], typed);
  }
  assert.deepEqual(await find('35-69 38 (LOST)'), [4]);
  assert.deepEqual(await find('35-69'), [1, 4]);
  assert.deepEqual(await find('(lost)'), [4]);
  assert.deepEqual(await find(long), [5]);
  assert.deepEqual(await find('-'), [4]);
  assert.deepEqual(await find('x'.repeat(500)), []);
});

test('every page has the right rows, also after rows were deleted', async () => {
  const ticket = await make(
    Array.from({ length: 25 }, (_, index) => (index < 20 ? { state: 'done' as const } : {})),
    'Cancelled',
  );
  const page = async (number: number) =>
    positionsOf(await list(`ticket_number=${ticket.number}&limit=10&page=${number}`));
  assert.deepEqual(await page(1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(await page(3), [21, 22, 23, 24, 25]);
  assert.deepEqual(await page(4), []);
  assert.deepEqual(await page(1_000_000_000), []);
  // Deletes the rows without a result, which are all rows of the third page.
  await query('DELETE FROM serials WHERE ticket_id = $1 AND position > 20', ticket.id);
  await query('UPDATE tickets SET serial_deleted = true WHERE id = $1', ticket.id);
  assert.deepEqual(await page(2), [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
  assert.deepEqual(await page(3), []);
  const { pagination } = await list(`ticket_number=${ticket.number}&limit=10&page=2`);
  assert.deepEqual([pagination.totalItems, pagination.totalPages, pagination.hasNextPage], [20, 2, false]);
  assert.equal((await list(`ticket_number=${ticket.number}&status=pending`)).pagination.totalItems, 0);
  // Rows that were finished in another order than in the sheet.
  await query('DELETE FROM serials WHERE ticket_id = $1 AND position BETWEEN 3 AND 7', ticket.id);
  await query('UPDATE tickets SET done = done - 5 WHERE id = $1', ticket.id);
  assert.deepEqual(await page(1), [1, 2, 8, 9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(await page(2), [16, 17, 18, 19, 20]);
});

test('without a ticket number the list has the results of the newest ticket, and is empty without tickets', async () => {
  const other = await createUser(api);
  const nothing = await list('', other.token);
  assert.deepEqual(nothing.data, []);
  assert.equal(nothing.ticket, null);
  assert.equal(nothing.pagination.totalItems, 0);
  const ticket = await make(mixed, 'Processing', other);
  assert.equal((await list('', other.token)).ticket.ticket_number, ticket.number);
  const foreign = await api.send(`GET /api/imei?ticket_number=${ticket.number}`, { token: user.token });
  assert.equal(foreign.statusCode, 404);
});

const remove = (number: string, token = user.token) => api.send(`DELETE /api/imei/${number}`, { token });

test('deleting results removes them from the database and keeps money and counts', async () => {
  const ticket = await make(mixed);
  const before = (await list(`ticket_number=${ticket.number}`)).ticket;
  assert.deepEqual((await remove(ticket.number)).json(), { message: 'All data of this ticket was deleted' });
  const answer = await list(`ticket_number=${ticket.number}`);
  assert.deepEqual(answer.data, []);
  assert.equal(answer.pagination.totalItems, 0);
  assert.deepEqual(answer.ticket, { ...before, coverage_deleted: true, retryable: false });
  const rows = await query('SELECT * FROM serials WHERE ticket_id = $1 ORDER BY position', ticket.id);
  assert.equal(rows.length, 5);
  for (const row of rows) {
    assert.deepEqual(
      [row.state, row.type, row.warranty_title, row.activation_status, row.source, row.fetched_at],
      ['pending', null, null, null, null, null],
    );
  }
  assert.deepEqual(await query('SELECT FROM row_deletions'), []);
  assert.equal((await remove(ticket.number)).statusCode, 200);
});

test('deleting both uploaded rows and results deletes the rows', async () => {
  const ticket = await make(mixed);
  await query('INSERT INTO duplicates VALUES ($1, 9, $2, 2)', ticket.id, '350000000000001');
  await query('UPDATE tickets SET serial_deleted = true WHERE id = $1', ticket.id);
  await remove(ticket.number);
  assert.deepEqual(await query('SELECT FROM serials WHERE ticket_id = $1', ticket.id), []);
  // Invalid cells stay for the import report.
  assert.equal((await query('SELECT FROM duplicates WHERE ticket_id = $1', ticket.id)).length, 1);
});

test('deleting the results of a running ticket or of another company is refused', async () => {
  for (const status of ['Pending', 'Processing'] as const) {
    const ticket = await make(mixed, status);
    const answer = await remove(ticket.number);
    assert.equal(answer.statusCode, 409);
    assert.equal(answer.json().message, 'This ticket is still processing');
    assert.equal((await list(`ticket_number=${ticket.number}`)).data.length, 5);
  }
  const ticket = await make(mixed);
  const stranger = await createUser(api);
  assert.equal((await remove(ticket.number, stranger.token)).statusCode, 404);
  assert.equal((await remove('99999999')).statusCode, 404);
  const admin = await createUser(api, { superadmin: true });
  assert.equal((await remove(ticket.number, admin.token)).statusCode, 200);
});

test('rows that are being deleted are invisible everywhere', async () => {
  const ticket = await make(mixed, 'Processing');
  const { db } = api.context;
  const holder = await db.connect();
  try {
    await holder.query('BEGIN');
    await holder.query("SELECT FROM serials WHERE ticket_id = $1 AND state = 'pending' FOR UPDATE", [
      ticket.id,
    ]);
    const deletion = api.send(`DELETE /api/data/${ticket.number}`, { token: user.token });
    await waitFor('the deletion to begin', async () => {
      const [row] = await query('SELECT serial_deleted FROM tickets WHERE id = $1', ticket.id);
      return row?.serial_deleted;
    });
    const at = `ticket_number=${ticket.number}`;
    for (const [narrow, positions] of [
      ['', [1, 2, 3, 4]],
      ['&limit=3&page=2', [4]],
      ['&status=pending', []],
      ['&q=350', [1, 2, 4]],
      ['&q=350&status=pending', []],
    ] as const) {
      const answer = await list(at + narrow);
      assert.deepEqual(positionsOf(answer), positions, narrow);
    }
    assert.equal((await list(`${at}&q=350`)).pagination.totalItems, 3);
    const exported = await api.send(`GET /api/imei/download?format=json&${at}`, { token: user.token });
    assert.deepEqual(positionsOf({ data: exported.json() }), [1, 2, 3, 4]);
    await holder.query('ROLLBACK');
    assert.equal((await deletion).statusCode, 200);
  } finally {
    holder.release(true);
  }
});
