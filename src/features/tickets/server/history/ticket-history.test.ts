import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';

let api: TestApi;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

async function makeTicket(minutes: [minute: string, finished: number][]): Promise<string> {
  const { id, number } = await createTicketWithRows(api, {
    companyCode: admin.companyCode,
    createdBy: admin.id,
    rows: [{}],
  });
  for (const [minute, finished] of minutes) {
    await api.context.db.query(
      'INSERT INTO ticket_minutes (ticket_id, minute, finished) VALUES ($1, $2, $3)',
      [id, minute, finished],
    );
  }
  return number;
}

async function readHistory(number: string): Promise<{ from: string; finished: number }[]> {
  const answer = await api.send(`GET /api/tickets/history?ticket_number=${number}`, { token: admin.token });
  return answer.json().history;
}

test('the history of a short ticket has each minute from the first with work to the last', async () => {
  const number = await makeTicket([
    ['2026-11-20T10:00:00Z', 40],
    ['2026-11-20T10:01:00Z', 60],
    ['2026-11-20T10:05:00Z', 7],
  ]);
  await makeTicket([['2026-11-20T10:00:00Z', 9]]);
  assert.deepEqual(await readHistory(number), [
    { from: '2026-11-20T10:00:00.000Z', finished: 40 },
    { from: '2026-11-20T10:01:00.000Z', finished: 60 },
    { from: '2026-11-20T10:02:00.000Z', finished: 0 },
    { from: '2026-11-20T10:03:00.000Z', finished: 0 },
    { from: '2026-11-20T10:04:00.000Z', finished: 0 },
    { from: '2026-11-20T10:05:00.000Z', finished: 7 },
  ]);
});

test('the history of a long ticket has at most 24 equal spans with all rows', async () => {
  const start = Date.parse('2026-11-20T00:00:00Z');
  const number = await makeTicket(
    Array.from({ length: 250 }, (_, index) => [new Date(start + index * 60_000).toISOString(), 3]),
  );
  const history = await readHistory(number);
  assert.ok(history.length > 12 && history.length <= 24, String(history.length));
  assert.equal(
    history.reduce((sum, { finished }) => sum + finished, 0),
    750,
  );
  const steps = history
    .slice(1)
    .map(({ from }, index) => Date.parse(from) - Date.parse(history[index]?.from ?? ''));
  assert.deepEqual([...new Set(steps)], [11 * 60_000]);
});

test('a ticket without any work has no history', async () => {
  assert.deepEqual(await readHistory(await makeTicket([])), []);
});

test('the history has the times of creation, import, start and end, for the user’s company only', async () => {
  const number = await makeTicket([
    ['2026-11-20T10:00:00Z', 40],
    ['2026-11-20T10:01:00Z', 60],
  ]);
  await api.context.db.query(
    `UPDATE tickets SET created_at = '2026-11-20T09:57:00Z', imported_at = '2026-11-20T09:58:00Z',
       started_at = '2026-11-20T09:59:00Z', finished_at = '2026-11-20T10:02:00Z', status = 'Completed'
     WHERE ticket_number = $1`,
    [number],
  );
  const ask = (token: string) => api.send(`GET /api/tickets/history?ticket_number=${number}`, { token });
  assert.deepEqual((await ask(admin.token)).json(), {
    created_at: '2026-11-20T09:57:00.000Z',
    imported_at: '2026-11-20T09:58:00.000Z',
    started_at: '2026-11-20T09:59:00.000Z',
    finished_at: '2026-11-20T10:02:00.000Z',
    history: [
      { from: '2026-11-20T10:00:00.000Z', finished: 40 },
      { from: '2026-11-20T10:01:00.000Z', finished: 60 },
    ],
  });
  const stranger = await createUser(api);
  assert.equal((await ask(stranger.token)).statusCode, 404);
  const order = { data_count: 7, company_code: stranger.companyCode };
  const { ticket } = (await api.send('POST /api/tickets', { token: admin.token, body: order })).json();
  const own = await api.send(`GET /api/tickets/history?ticket_number=${ticket.ticket_number}`, {
    token: stranger.token,
  });
  const { created_at, ...rest } = own.json();
  assert.ok(Date.parse(created_at) > 0);
  assert.deepEqual(rest, { imported_at: null, started_at: null, finished_at: null, history: [] });
});
