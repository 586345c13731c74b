import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { requeueLookups } from '#features/lookups/server/lookups.service.ts';
import { inTransaction } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
  user = await createUser(api);
});
after(() => api.close());

type Status = 'Pending' | 'Processing' | 'Completed' | 'Cancelled';
const make = (status: Status, rows: TestRow[]) =>
  createTicketWithRows(api, { companyCode: user.companyCode, createdBy: user.id, rows, status });
const act = (id: number, action: 'cancel' | 'retry') =>
  api.send(`POST /api/tickets/${id}/${action}`, { token: admin.token });
const remove = (id: number) => api.send(`DELETE /api/tickets/${id}`, { token: admin.token });
const query = async (sql: string, ...values: unknown[]) => (await api.context.db.query(sql, values)).rows;
const queuedJobs = (id: number) => query('SELECT FROM lookup_jobs WHERE ticket_id = $1', id);
/** Makes two calls that would both read the ticket before either changes it, if it were not locked. */
const concurrently = (id: number, action: 'cancel' | 'retry') =>
  raceForLock(
    api.context.db,
    ['SELECT FROM tickets WHERE id = $1 FOR UPDATE', [id]],
    [() => act(id, action), () => act(id, action)],
  );
const unavailable: TestRow = { state: 'failed', reason: 'Source unavailable' };

test('cancelling stops a running ticket, keeps finished rows, and notifies the workers', async () => {
  const listener = new pg.Client({ connectionString: api.context.databaseUrl });
  await listener.connect();
  await listener.query('LISTEN tickets');
  const heard = new Promise((resolve) => listener.once('notification', resolve));
  const ticket = await make('Processing', [{ state: 'done' }, {}, {}]);
  const { ticket: cancelled } = (await act(ticket.id, 'cancel')).json();
  assert.deepEqual([cancelled.status, cancelled.done, cancelled.remaining], ['Cancelled', 1, 2]);
  assert.equal(((await heard) as pg.Notification).payload, String(ticket.id));
  await listener.end();
  const again = await act(ticket.id, 'cancel');
  assert.equal(again.statusCode, 409);
  assert.equal(
    again.json().message,
    'Only Pending or Processing tickets can be cancelled. Reload the list to see its status.',
  );
});

test('everybody of its company may cancel a ticket, and nobody of another one', async () => {
  const stranger = await createUser(api);
  const { companyCode } = user;
  const companyAdmin = await createUser(api, { companyAdmin: true, companyCode });
  for (const caller of [user, companyAdmin]) {
    const ticket = await make('Processing', [{ state: 'done' }, {}]);
    const cancel = (token: string) => api.send(`POST /api/tickets/${ticket.id}/cancel`, { token });
    const refused = await cancel(stranger.token);
    assert.deepEqual([refused.statusCode, refused.json().code], [404, 'ticket_not_found']);
    const answer = await cancel(caller.token);
    assert.deepEqual([answer.statusCode, answer.json().ticket?.status], [200, 'Cancelled']);
  }
});

test('one of two concurrent cancels is refused, and a finished ticket cannot be cancelled', async () => {
  const ticket = await make('Pending', [{}]);
  const answers = await concurrently(ticket.id, 'cancel');
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [200, 409]);
  const finished = await make('Completed', [{ state: 'done' }]);
  assert.equal((await act(finished.id, 'cancel')).statusCode, 409);
  assert.equal((await act(999_999_999, 'cancel')).statusCode, 404);
});

test('a retry looks up only pending and unavailable rows again', async () => {
  const ticket = await make('Completed', [
    { state: 'done' },
    unavailable,
    { state: 'failed', reason: 'Not found' },
    unavailable,
  ]);
  await query('UPDATE tickets SET started_at = now() WHERE id = $1', ticket.id);
  const answer = await act(ticket.id, 'retry');
  assert.equal(answer.statusCode, 200);
  const { status, done, failed, remaining, percent } = answer.json().ticket;
  assert.deepEqual([status, done, failed, remaining, percent], ['Processing', 1, 1, 2, 50]);
  const rows = await query(
    'SELECT position, state, reason, attempts, fetched_at IS NULL AS blank FROM serials WHERE ticket_id = $1 ORDER BY 1',
    ticket.id,
  );
  assert.deepEqual(rows, [
    { position: 1, state: 'done', reason: null, attempts: 1, blank: false },
    { position: 2, state: 'pending', reason: null, attempts: 0, blank: true },
    { position: 3, state: 'failed', reason: 'Not found', attempts: 1, blank: false },
    { position: 4, state: 'pending', reason: null, attempts: 0, blank: true },
  ]);
  const jobs = await queuedJobs(ticket.id);
  assert.equal(jobs.length, 1);
  assert.equal((await act(ticket.id, 'retry')).statusCode, 409);
});

test('a ticket cancelled before its first lookup is Pending again', async () => {
  const ticket = await make('Cancelled', [{}, { state: 'failed', reason: 'Invalid serial number' }]);
  const { status, failed, remaining } = (await act(ticket.id, 'retry')).json().ticket;
  assert.deepEqual([status, failed, remaining], ['Pending', 1, 1]);
});

test('one of two concurrent retries is refused', async () => {
  // The pending row makes sure that only the lock can refuse the second retry, because the row could be retried twice.
  const ticket = await make('Cancelled', [{}, unavailable]);
  const answers = await concurrently(ticket.id, 'retry');
  assert.deepEqual(answers.map((answer) => answer.statusCode).sort(), [200, 409]);
  assert.equal((await queuedJobs(ticket.id)).length, 1);
});

test('a ticket shows whether a retry would look up any of its rows', async () => {
  const final: TestRow[] = [
    { state: 'done' },
    { state: 'failed' },
    { state: 'failed', reason: 'Invalid serial number' },
  ];
  const tellsOf = async ({ id }: { id: number }) => {
    const { data } = (await api.send('GET /api/tickets?limit=100', { token: admin.token })).json();
    return data.find((ticket: { _id: string }) => ticket._id === String(id)).retryable;
  };
  assert.equal(await tellsOf(await make('Completed', final)), false);
  assert.equal(await tellsOf(await make('Processing', [unavailable, {}])), false, 'while it runs');
  assert.equal(await tellsOf(await make('Cancelled', [...final, {}])), true, 'a row without a result');
  const ticket = await make('Completed', [...final, unavailable]);
  assert.equal(await tellsOf(ticket), true);
  assert.equal((await act(ticket.id, 'retry')).json().ticket.retryable, false, 'it runs again');
  await act(ticket.id, 'cancel');
  await query(`UPDATE tickets SET total = total - 1 WHERE id = $1`, ticket.id);
  assert.equal(await tellsOf(ticket), false, 'what was reset counts no more');
  const deleted = await make('Completed', [unavailable]);
  await query('UPDATE tickets SET coverage_deleted = true WHERE id = $1', deleted.id);
  assert.equal(await tellsOf(deleted), false, 'its results were deleted');
  // Old tickets have no count, so only a retry finds out.
  const old = await make('Completed', final);
  await query('UPDATE tickets SET unavailable = NULL WHERE id = $1', old.id);
  assert.equal(await tellsOf(old), true);
});

test('a retry is refused without such a row, for a running ticket, and after a deletion of data', async () => {
  const tickets = [
    await make('Completed', [{ state: 'done' }]),
    await make('Completed', [{ state: 'failed', reason: 'Not found' }]),
    await make('Pending', [{}]),
    await make('Processing', [unavailable, {}]),
  ];
  for (const flag of ['serial_deleted', 'coverage_deleted']) {
    const ticket = await make('Completed', [unavailable]);
    await query(`UPDATE tickets SET ${flag} = true WHERE id = $1`, ticket.id);
    tickets.push(ticket);
  }
  for (const ticket of tickets) {
    const before = await query('SELECT * FROM tickets WHERE id = $1', ticket.id);
    assert.equal((await act(ticket.id, 'retry')).statusCode, 409);
    assert.deepEqual(await query('SELECT * FROM tickets WHERE id = $1', ticket.id), before);
  }
});

test('a ticket that is not Completed is deleted with its rows and its queued work', async () => {
  for (const status of ['Pending', 'Processing', 'Cancelled'] as const) {
    const ticket = await make(status, [{ state: 'done' }, {}]);
    await query('INSERT INTO duplicates VALUES ($1, 3, $2, 2)', ticket.id, '350000000000000');
    await inTransaction(api.context.db, (tx) => requeueLookups(tx, ticket.id));
    assert.equal((await queuedJobs(ticket.id)).length, 1);
    const answer = await remove(ticket.id);
    assert.deepEqual(answer.json(), { message: 'Ticket deleted' });
    for (const table of ['serials', 'duplicates', 'ticket_minutes']) {
      assert.deepEqual(await query(`SELECT FROM ${table} WHERE ticket_id = $1`, ticket.id), []);
    }
    assert.deepEqual(await queuedJobs(ticket.id), []);
    assert.equal((await remove(ticket.id)).statusCode, 404);
  }
});

test('deleting a Completed ticket is refused', async () => {
  const ticket = await make('Completed', [{ state: 'done' }]);
  const answer = await remove(ticket.id);
  assert.equal(answer.statusCode, 409);
  assert.equal(answer.json().message, 'Completed tickets cannot be deleted');
  assert.equal((await query('SELECT FROM serials WHERE ticket_id = $1', ticket.id)).length, 1);
});

test('an invalid ticket id is answered like an unknown one', async () => {
  const terms = { data_count: 1, discount: 0, current_dollar_price: 1 };
  for (const id of ['999999999', '0', 'abc', '-1', '99999999999999999999']) {
    const answers = [
      await api.send(`PUT /api/tickets/${id}`, { token: admin.token, body: terms }),
      await api.send(`POST /api/tickets/${id}/cancel`, { token: admin.token }),
      await api.send(`POST /api/tickets/${id}/retry`, { token: admin.token }),
      await api.send(`DELETE /api/tickets/${id}`, { token: admin.token }),
    ];
    assert.deepEqual(
      answers.map((answer) => [answer.statusCode, answer.json().code]),
      answers.map(() => [404, 'ticket_not_found']),
      id,
    );
  }
});
