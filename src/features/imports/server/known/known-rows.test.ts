import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import {
  callerOf,
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { importSheet } from '../reading/import-sheet.ts';
import type { ImportTask } from '../reading/import-task.ts';

const [first = '', second = '', third = '', fourth = ''] = makeImeis(4);

let api: TestApi;
let admin: TestUser;
before(async () => {
  api = await createTestApi({ MAX_UPLOAD_ROWS: '20000' });
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

/** Makes a ticket with results that are so many days old; the register does not have them yet. */
async function look(owner: TestUser, days: number, rows: TestRow[]) {
  const ticket = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: rows.map((row) => ({ state: 'done', ...row })),
  });
  await api.context.db.query(
    `UPDATE serials SET fetched_at = date_trunc('day', now()) - make_interval(days => $2) WHERE ticket_id = $1`,
    [ticket.id, days],
  );
  return ticket;
}
const send = ({ token }: TestUser, body: object, key?: string) =>
  api.send('POST /api/data/serials', {
    token,
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });
const read = async (call: string, { token }: TestUser) => {
  const answer = await api.send(call, { token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const jobsOf = async (ticketId: string) =>
  (
    await api.context.db.query<{ lo: number }>('SELECT lo FROM lookup_jobs WHERE ticket_id = $1 ORDER BY 1', [
      ticketId,
    ])
  ).rows.map(({ lo }) => lo);
const deviceOf = async (owner: TestUser, serial: string) => {
  await registerSome(api.context.db);
  const [device] = (await read(`GET /api/devices?q=${serial}`, owner)).data;
  const { tickets, history } = await read(`GET /api/devices/${device._id}`, owner);
  return { ...device, tickets, history };
};
const bill = async ({ companyCode }: TestUser, bill_known: boolean) => {
  const { data } = await read('GET /api/clients?limit=1000', admin);
  const { _id, company_name } = data.find(
    (client: { company_code: string }) => client.company_code === companyCode,
  );
  const body = { company_name, bill_known };
  const answer = await api.send(`PUT /api/clients/${_id}`, { token: admin.token, body });
  assert.equal(answer.json().client.bill_known, bill_known);
  return _id as string;
};

test('an upload takes young answers from the register, and only its other rows are looked up', async () => {
  const user = await createUser(api);
  const earlier = await look(user, 2, [
    { serial: first, type: 'iPad', activation: 'activated', end: '2999-01-31' },
  ]);
  await look(user, 8, [{ serial: second, activation: 'unactivated' }]);
  const before = await deviceOf(user, first);
  const sheet = makeWorkbook(['IMEI', first, second, third, 'unknown']);
  const answer = (await uploadSheet(api, user, sheet, { fields: { fresh_days: '7' } })).json();
  const { ticket } = answer;
  assert.deepEqual([answer.imported_count, answer.invalid_count, answer.known_count], [4, 1, 1]);
  assert.partialDeepStrictEqual(ticket, {
    status: 'Pending',
    done: 1,
    failed: 1,
    remaining: 2,
    percent: 50,
    known_count: 1,
    billable: 1,
    subtotal: 800,
  });
  const number = ticket.ticket_number;
  const { data, counts } = await read(`GET /api/imei?ticket_number=${number}&counts=1`, user);
  assert.partialDeepStrictEqual(data[0], {
    serial_number: first,
    state: 'done',
    type: 'iPad',
    activation_status: 'activated',
    warranty_title: 'Limited Warranty',
    coverage_end_date: '2999-01-31',
    timestamp: before.last_checked,
    source: 'sandbox',
    attempts: 0,
    egress: null,
    cached: true,
  });
  assert.deepEqual(
    data.slice(1).map(({ state, cached }: { state: string; cached: boolean }) => [state, cached]),
    [
      ['pending', null],
      ['pending', null],
      ['failed', null],
    ],
  );
  assert.deepEqual([counts.activated, counts.pending, counts.failed], [1, 2, 1]);
  assert.deepEqual(await jobsOf(ticket._id), [2]);
  assert.equal((await read(`GET /api/data/${number}/import`, user)).known_count, 1);
  const device = await deviceOf(user, first);
  assert.deepEqual(device.tickets, [earlier.number, number]);
  assert.deepEqual({ ...device, tickets: before.tickets }, before);
});

test('a ticket whose every row is known is Completed without a lookup', async () => {
  const user = await createUser(api);
  await look(user, 0, [{ serial: first, activation: 'unactivated' }, { serial: second }]);
  const { ticket, known_count } = (await send(user, { serials: [first, second], fresh_days: 1 })).json();
  assert.equal(known_count, 2);
  assert.partialDeepStrictEqual(ticket, { status: 'Completed', done: 2, percent: 100, retryable: false });
  assert.deepEqual(await jobsOf(ticket._id), []);
  const life = await read(`GET /api/tickets/history?ticket_number=${ticket.ticket_number}`, user);
  assert.ok(life.finished_at >= life.imported_at);
  const activity = await read('GET /api/tickets/activity', user);
  assert.equal(activity.running, 0);
  assert.equal(activity.ended[0].ticket_number, ticket.ticket_number);
  const download = await api.send(
    `GET /api/imei/download?ticket_number=${ticket.ticket_number}&format=json`,
    { token: user.token },
  );
  assert.deepEqual(
    download.json().map((row: { cached: boolean }) => row.cached),
    [true, true],
  );
});

test('without fresh_days, and for another company, all rows are looked up', async () => {
  const user = await createUser(api);
  const stranger = await createUser(api);
  await look(user, 0, [{ serial: first }]);
  for (const [caller, fresh_days] of [
    [user, undefined],
    [stranger, 1000],
  ] as const) {
    const answer = (await send(caller, { serials: [first], fresh_days })).json();
    assert.deepEqual([answer.known_count, answer.ticket.status], [0, 'Pending']);
    assert.deepEqual(await jobsOf(answer.ticket._id), [1]);
  }
});

test('blocks without a pending row are not queued, also when known rows are answered in several statements', async () => {
  const user = await createUser(api);
  const serials = makeImeis(10_500, '35390111');
  await api.context.db.query(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     SELECT $1, serial, now(), now(), '{}' FROM unnest($2::text[]) AS s(serial)`,
    [user.companyCode, serials.filter((_, i) => i !== 250 && i !== 10_400)],
  );
  const { ticket, known_count } = (await send(user, { serials, fresh_days: 1_000_000_000 })).json();
  assert.deepEqual([known_count, ticket.remaining], [10_498, 2]);
  assert.deepEqual(await jobsOf(ticket._id), [251, 10_401]);
  while (await registerSome(api.context.db));
  const { pagination } = await read(`GET /api/devices?ticket_number=${ticket.ticket_number}`, user);
  assert.equal(pagination.totalItems, 10_498);
});

test('known rows are billed by the company’s setting at the import', async () => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: first }, { serial: second }]);
  const upload = async () =>
    (await send(user, { serials: [first, second, third], fresh_days: 7 })).json().ticket;
  const billed = await upload();
  const id = await bill(user, false);
  const unbilled = await upload();
  await bill(user, true);
  const readTicket = async ({ ticket_number }: { ticket_number: string }) =>
    (await read(`GET /api/tickets/by-number?ticket_number=${ticket_number}`, user)).ticket;
  assert.partialDeepStrictEqual(await readTicket(billed), { billable: 2, total_amount: 1600 });
  assert.partialDeepStrictEqual(await readTicket(unbilled), {
    done: 2,
    known_count: 2,
    billable: 0,
    total_amount: 0,
  });
  await api.context.db.query('UPDATE tickets SET done = done + 1 WHERE id = $1', [unbilled._id]);
  assert.partialDeepStrictEqual(await readTicket(unbilled), { done: 3, billable: 1, total_amount: 800 });
  const { revenue } = await read('GET /api/home/summary', admin);
  const own = revenue.find(({ company_code }: { company_code: string }) => company_code === user.companyCode);
  // The ticket with the answers has two rows.
  assert.equal(own.total_amount, 1600 + 1600 + 800);
  const { data } = await readAuditLog(api, admin, `?object_type=client&object_id=${id}&action=client.update`);
  const changes = data.map(({ before, after }) => [before?.bill_known, after?.bill_known]);
  assert.deepEqual(changes, [
    [false, true],
    [true, false],
  ]);
});

test('an upload into an order takes known rows, too', async () => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: first }]);
  const body = { data_count: 5, company_code: user.companyCode };
  const order = (await api.send('POST /api/tickets', { token: admin.token, body })).json().ticket;
  const { ticket_number } = order;
  const { ticket } = (await send(user, { serials: [first], ticket_number, fresh_days: 7 })).json();
  assert.partialDeepStrictEqual(ticket, { ticket_number, status: 'Completed', data_count: 1, done: 1 });
});

test('days that are no whole number from 1 are refused with details', async () => {
  const user = await createUser(api);
  for (const days of ['0', '-1', '1.5', 'seven', '1000000001', '1e3']) {
    const answer = await uploadSheet(api, user, makeWorkbook([first]), { fields: { fresh_days: days } });
    assert.equal(answer.statusCode, 400, days);
    assert.equal(answer.json().details[0].path, 'fresh_days');
  }
  for (const fresh_days of [0, 1.5, '7', null]) {
    const answer = await send(user, { serials: [first], fresh_days });
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().details[0].path, 'fresh_days');
  }
  const empty = await uploadSheet(api, user, makeWorkbook([first]), { fields: { fresh_days: ' ' } });
  assert.equal(empty.statusCode, 201);
});

test('a repeat under an Idempotency-Key with other fresh_days is refused', async () => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: first }]);
  const body = { serials: [first], fresh_days: 7 };
  const answer = await send(user, body, 'once');
  assert.equal((await send(user, body, 'once')).body, answer.body);
  assert.equal((await send(user, { ...body, fresh_days: 8 }, 'once')).statusCode, 422);
  assert.equal((await send(user, { serials: [first] }, 'once')).statusCode, 422);
});

async function connectForImport(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: api.context.databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  return client;
}

const importTask = (user: TestUser, texts: string[]): ImportTask => ({
  databaseUrl: api.context.databaseUrl,
  source: { kind: 'texts', texts },
  fileName: null,
  caller: callerOf(user),
  companyCode: user.companyCode,
  ticketNumber: null,
  key: null,
  ownKey: null,
  freshDays: 7,
  askAgain: false,
  maxRows: 10,
  price: '0.05',
  dollarRate: 16000,
  timeZone: 'Asia/Jakarta',
  locale: 'en',
  origin: { actor: null, token: null, address: null },
});

test('an import no longer reads its rows once it has the number of a ticket, for which others wait', async (t) => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: second }]);
  const client = await connectForImport();
  const query = t.mock.method(client, 'query');
  await importSheet(client, importTask(user, [second, third]), () => undefined);
  await client.end();
  const texts = query.mock.calls.map(({ arguments: [asked] }) => (asked as unknown as { text: string }).text);
  const numbered = texts.findIndex((text) => text?.includes('INTO counters'));
  assert.notEqual(numbered, -1);
  assert.deepEqual(
    texts.slice(numbered).filter((text) => /\bserials\b/.test(text)),
    [],
  );
});

test('an import that ends before its commit leaves nothing, and a repeat answers each row once', async () => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: fourth }]);
  while (await registerSome(api.context.db));
  const client = await connectForImport();
  const { known_count } = await importSheet(client, importTask(user, [fourth, third]), () => undefined);
  assert.equal(known_count, 1);
  await client.end();
  const rest = await api.context.db.query<{ rest: string }>(
    `SELECT (SELECT count(*) FROM serials WHERE serial = $1) || ' ' || (SELECT count(*) FROM unregistered_results) AS rest`,
    [fourth],
  );
  assert.equal(rest.rows[0]?.rest, '1 0');
  const { ticket } = (await send(user, { serials: [fourth, third], fresh_days: 7 })).json();
  const { tickets } = await deviceOf(user, fourth);
  assert.deepEqual([ticket.done, ticket.remaining, tickets.length], [1, 1, 2]);
});

test('answers of the sandbox are not taken once real sources have served the database', async () => {
  const user = await createUser(api);
  await look(user, 1, [{ serial: first }, { serial: second }]);
  while (await registerSome(api.context.db));
  const { db } = api.context;
  await db.query(`UPDATE devices SET source = 'gsx' WHERE company_code = $1 AND serial = $2`, [
    user.companyCode,
    second,
  ]);
  await db.query(`INSERT INTO real_sources (names) VALUES ('{gsx}')`);
  const { known_count } = (await send(user, { serials: [first, second], fresh_days: 7 })).json();
  assert.equal(known_count, 1);
});
