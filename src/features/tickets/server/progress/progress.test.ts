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

before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

const progress = (query = '', token = user.token, headers = {}) =>
  api.send(`GET /api/tickets/progress${query}`, { token, headers });
const set = (id: number, change: string) =>
  api.context.db.query(`UPDATE tickets SET ${change} WHERE id = $1`, [id]);
const make = (rows: TestRow[], status: 'Pending' | 'Processing' | 'Completed' | 'Cancelled', owner = user) =>
  createTicketWithRows(api, { companyCode: owner.companyCode, createdBy: owner.id, rows, status });
const rowsOf = (done: number, failed: number, pending: number): TestRow[] => [
  ...Array.from({ length: done }, () => ({ state: 'done' as const })),
  ...Array.from({ length: failed }, () => ({ state: 'failed' as const })),
  ...Array.from({ length: pending }, () => ({})),
];

test('without any ticket there is no progress', async () => {
  const lonely = await createUser(api);
  assert.equal((await progress('', lonely.token)).statusCode, 404);
  const { data } = (await api.send('GET /api/tickets/all-progress', { token: lonely.token })).json();
  assert.deepEqual(data, []);
});

test('progress counts rows with a result, at most 99 percent until Completed', async () => {
  const ticket = await make(rowsOf(198, 1, 1), 'Processing');
  const answer = (await progress(`?ticket_number=${ticket.number}`)).json();
  assert.deepEqual(answer, {
    ticket_number: ticket.number,
    company_code: user.companyCode,
    date: answer.date,
    file_name: 'sheet.xlsx',
    kind: 'order',
    uploaded_by: null,
    status: 'Processing',
    percent: 99,
    done: 198,
    failed: 1,
    total: 200,
    remaining: 1,
    rate_per_minute: null,
    eta_seconds: null,
    waiting_reason: null,
    waiting_source: null,
    waiting_cause: null,
    waiting_since: null,
  });
  await set(ticket.id, 'failed = 2');
  assert.equal((await progress()).json().percent, 99);
  await set(ticket.id, "status = 'Completed'");
  assert.equal((await progress()).json().percent, 100);
});

test('the rate is that of the last minutes, and the remaining time follows from it', async () => {
  const ticket = await make(rowsOf(100, 0, 50), 'Processing');
  await set(ticket.id, "started_at = now() - interval '2 minutes'");
  await api.context.db.query(
    `INSERT INTO ticket_minutes (ticket_id, minute, finished)
     VALUES ($1, now() - interval '3 minutes', 60), ($1, now() - interval '1 minute', 40),
            ($1, now() - interval '30 minutes', 9000)`,
    [ticket.id],
  );
  const { rate_per_minute, eta_seconds } = (await progress()).json();
  // 100 rows in the two minutes since the start, plus the duration of this test.
  assert.ok(rate_per_minute > 30 && rate_per_minute <= 50, String(rate_per_minute));
  assert.ok(Math.abs(eta_seconds - (50 / rate_per_minute) * 60) <= 1, String(eta_seconds));
  await set(ticket.id, "status = 'Cancelled'");
  const stopped = (await progress()).json();
  assert.deepEqual([stopped.rate_per_minute, stopped.eta_seconds], [null, null]);
});

test('a waiting ticket shows its reason in the language of the caller', async () => {
  const ticket = await make(rowsOf(0, 0, 5), 'Processing');
  await set(
    ticket.id,
    `waiting_for = 'source', waiting_source = 'Acme device check', waiting_cause = 'quota',
     waiting_since = '2026-01-02T03:04:05Z'`,
  );
  const { waiting_reason, waiting_source, waiting_cause, waiting_since } = (await progress()).json();
  assert.equal(waiting_reason, 'waiting for source: Acme device check');
  assert.deepEqual(
    [waiting_source, waiting_cause, waiting_since],
    ['Acme device check', 'quota', '2026-01-02T03:04:05.000Z'],
  );
  const indonesian = await progress('', user.token, { 'accept-language': 'id-ID,id;q=0.9,en;q=0.8' });
  assert.equal(indonesian.json().waiting_reason, 'menunggu sumber: Acme device check');
  await set(ticket.id, "waiting_for = 'proxies', waiting_source = NULL");
  assert.equal((await progress()).json().waiting_reason, 'waiting for proxies');
  await set(ticket.id, "status = 'Cancelled'");
  const ended = (await progress()).json();
  assert.deepEqual([ended.waiting_reason, ended.waiting_cause, ended.waiting_since], [null, null, null]);
});

test('progress lists tickets of the user’s company with rows, newest first, then those whose deleted rows are billed', async () => {
  const admin = await createUser(api, { superadmin: true });
  const other = await createUser(api);
  const first = await make(rowsOf(1, 0, 0), 'Completed', other);
  const second = await make(rowsOf(0, 0, 1), 'Pending', other);
  const billed = await make(rowsOf(1, 0, 0), 'Completed', other);
  const gone = await make(rowsOf(0, 1, 0), 'Completed', other);
  for (const { id } of [billed, gone]) await set(id, 'serial_deleted = true, coverage_deleted = true');
  const body = { data_count: 7, company_code: other.companyCode };
  await api.send('POST /api/tickets', { token: admin.token, body });
  const list = async (token: string, query = '') =>
    (await api.send(`GET /api/tickets/all-progress${query}`, { token }))
      .json()
      .data.map((row: { ticket_number: string }) => row.ticket_number);
  assert.deepEqual(await list(other.token), [second.number, first.number, billed.number]);
  assert.deepEqual(await list(admin.token, `?company_code=${other.companyCode}`), [
    second.number,
    first.number,
    billed.number,
  ]);
  assert.deepEqual(await list(other.token, `?company_code=${user.companyCode}`), []);
  assert.equal((await progress(`?ticket_number=${first.number}`)).statusCode, 404);
  assert.equal((await progress('?ticket_number=99999')).statusCode, 404);
  assert.equal((await progress('?ticket_number=x')).statusCode, 400);
});

test('a running ticket is listed, however many newer ones have ended', async () => {
  const other = await createUser(api);
  const running = await make(rowsOf(0, 0, 1), 'Processing', other);
  await set(running.id, "imported_at = now() - interval '1 day'");
  await api.context.db.query(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, status, price, current_dollar_price,
       imported_at, finished_at)
     SELECT 3000000 + n, $1, 1, 1, 1, 'Completed', 0.05, 16000, now() - n * interval '1 second', now()
     FROM generate_series(1, 200) n`,
    [other.companyCode],
  );
  const { data } = (await api.send('GET /api/tickets/all-progress', { token: other.token })).json();
  const numbers = data.map((row: { ticket_number: string }) => row.ticket_number);
  assert.deepEqual([numbers.length, numbers[0], numbers.at(-2)], [200, '3000001', '3000199']);
  assert.equal(numbers.at(-1), running.number);
});

test('a ticket counts no row for a retry while an invoice has it, draft or issued', async () => {
  const admin = await createUser(api, { superadmin: true });
  const owner = await createUser(api);
  const unavailable = { state: 'failed', reason: 'Source unavailable' } as const;
  const rows = [{ state: 'done' as const }, unavailable, unavailable, unavailable];
  const ticket = await make(rows, 'Completed', owner);
  await set(ticket.id, "finished_at = '2026-10-10T00:00:00Z'");
  const act = async (call: string, body: unknown) => {
    const answer = await api.send(call, { token: admin.token, body });
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.json();
  };
  const expectRetryable = async (count: number, invoice: 'draft' | 'issued' | null) => {
    const { data } = (await api.send('GET /api/tickets/all-progress', { token: owner.token })).json();
    assert.equal(data[0].unavailable, count);
    const find = `GET /api/tickets/find?company_code=${owner.companyCode}`;
    const found = (await api.send(find, { token: admin.token })).json();
    assert.partialDeepStrictEqual(found.data, [{ retryable: count > 0, invoice }]);
  };
  await expectRetryable(3, null);
  const { _id } = await act('POST /api/invoices', { company_code: owner.companyCode, month: '2026-10' });
  await expectRetryable(0, 'draft');
  await act(`POST /api/invoices/${_id}/issue`, {});
  await expectRetryable(0, 'issued');
  await act(`POST /api/invoices/${_id}/pay`, { paid_at: '2026-11-01', note: '' });
  await expectRetryable(0, 'issued');
  await act(`POST /api/invoices/${_id}/credit`, { reason: 'Repeat the rows' });
  await expectRetryable(3, null);
});
