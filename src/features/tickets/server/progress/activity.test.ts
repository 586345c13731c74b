import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { forgetUncheckedDevices } from '#features/devices/server/forgetting/forget-devices.ts';
import type { Activity } from '#features/tickets/tickets.contract.ts';
import { inTransaction } from '#server/db/db.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { sumRunningTickets } from './activity.queries.ts';

let api: TestApi;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

type Status = 'Pending' | 'Processing' | 'Completed' | 'Cancelled';
const make = (owner: TestUser, status: Status, rows: TestRow[]) =>
  createTicketWithRows(api, { companyCode: owner.companyCode, createdBy: owner.id, rows, status });
const set = (id: number, change: string) =>
  api.context.db.query(`UPDATE tickets SET ${change} WHERE id = $1`, [id]);
const ask = (who: TestUser, query = '', headers = {}) =>
  api.send(`GET /api/tickets/activity${query}`, { token: who.token, headers });
const read = async (who: TestUser, query = '', headers = {}) =>
  (await ask(who, query, headers)).json<Activity>();
const done = { state: 'done' } as const;
/** Creates an order. */
const order = ({ companyCode }: TestUser) =>
  api.send('POST /api/tickets', {
    token: admin.token,
    body: { data_count: 7, company_code: companyCode },
  });
/** Saves a view. */
const saveView = ({ token }: TestUser, shared: boolean) =>
  api.send('POST /api/views', { token, body: { name: 'All', screen: 'devices', query: '', shared } });
/** Saves the schedule of checking the company's devices again. */
const schedule = ({ token, companyCode }: TestUser) =>
  api.send(`PUT /api/rechecks/${companyCode}`, {
    token,
    body: { active: true, cadence: 'monthly', view_id: null, cap: 5 },
  });
/** Stores a run of the schedule that made no ticket. */
const refuseRun = ({ companyCode }: TestUser) =>
  api.context.db.query(
    "INSERT INTO recheck_runs (company_code, started_at, refusal) VALUES ($1, now(), 'too_many_devices')",
    [companyCode],
  );
/** Adds a device to the register without any note. @returns its id */
async function addDevice({ companyCode }: TestUser, serial: string) {
  const { rows } = await api.context.db.query<{ id: number }>(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     VALUES ($1, $2, now(), now(), '{1}') RETURNING id`,
    [companyCode, serial],
  );
  return rows[0]?.id;
}
/** Adds a device, and forgets it. */
const forget = async (user: TestUser) =>
  api.send(`DELETE /api/devices/${await addDevice(user, 'FORGET1')}`, { token: user.token });
/** Forgets all devices of a company. */
async function forgetAll({ token, companyCode }: TestUser) {
  const { rows } = await api.context.db.query<{ count: number }>(
    'SELECT count(*)::int FROM devices WHERE company_code = $1',
    [companyCode],
  );
  const answer = await api.send('POST /api/devices/forget', {
    token,
    body: { filter: '', count: rows[0]?.count },
  });
  assert.equal(answer.statusCode, 200, answer.body);
}
/** Adds an own column. */
const addColumn = ({ companyCode, token }: TestUser) =>
  api.send(`PUT /api/fields/${companyCode}`, { token, body: { fields: [{ key: 'site', name: 'Site' }] } });
/** Adds a device, and gives it a value. */
const setValue = async (user: TestUser) =>
  api.send(`PATCH /api/devices/${await addDevice(user, 'VALUE1')}`, {
    token: user.token,
    body: { fields: { site: 'Depok' } },
  });
/** Notes the first row's result of a ticket, and registers it. */
async function register({ id }: { id: number }) {
  await api.context.db.query(
    `INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
     SELECT id, ticket_number, company_code, '{1}' FROM tickets WHERE id = $1`,
    [id],
  );
  while (await registerSome(api.context.db));
}

test('activity is empty while nothing runs: orders and long ended tickets do not count', async () => {
  const user = await createUser(api);
  await order(user);
  const old = await make(user, 'Completed', [done]);
  await set(old.id, "finished_at = now() - interval '2 minutes'");
  await make(user, 'Cancelled', [{}]);
  const { as_of, today, revision, register_revision, fields_revision, ...told } = await read(user);
  assert.deepEqual(told, {
    running: 0,
    remaining: 0,
    ticket_number: null,
    only: null,
    percent: null,
    waiting_reason: null,
    waiting_source: null,
    waiting_cause: null,
    waiting_since: null,
    ended: [],
  });
  assert.ok(Date.parse(as_of) > 0);
  assert.equal(today, dayIn('Asia/Jakarta', new Date()));
  assert.ok(revision.length > 0);
  assert.ok(register_revision.length > 0);
  assert.ok(fields_revision.length > 0);
});

test('activity counts the running tickets in the scope, with the percent of all their rows', async () => {
  const user = await createUser(api);
  const first = await make(user, 'Processing', [done, { state: 'failed' }, {}]);
  const one = await read(user);
  assert.deepEqual([one.running, one.remaining, one.ticket_number, one.percent], [1, 1, first.number, 66]);
  assert.partialDeepStrictEqual(one.only, { file_name: 'sheet.xlsx', kind: 'order', total: 3 });
  await make(user, 'Pending', [{}]);
  const two = await read(user);
  assert.deepEqual([two.running, two.remaining, two.ticket_number, two.percent], [2, 2, first.number, 50]);
  assert.equal(two.only, null);
  const stranger = await createUser(api);
  assert.equal((await read(stranger)).running, 0);
  assert.ok((await read(admin)).running >= 2);
});

test('one revision changes with tickets, the client and the day, one with the register, views and rechecks, one with own columns', async () => {
  api.clock.set(new Date('2026-11-25T23:30:00+07:00'));
  const user = await createUser(api);
  const colleague = await createUser(api, { companyCode: user.companyCode });
  const stranger = await createUser(api);
  const first = await make(user, 'Processing', [done, {}]);
  const other = await make(user, 'Completed', [done]);
  const changes: (() => Promise<unknown>)[] = [
    () => set(first.id, 'done = done + 1'),
    () => set(first.id, "status = 'Completed', finished_at = now()"),
    () => set(first.id, 'coverage_deleted = true'),
    () => set(first.id, 'discount = 5, version = version + 1'),
    () => make(user, 'Pending', [{}]),
    () => make(user, 'Completed', [{}]),
    () => order(user),
    () =>
      api.context.db.query('UPDATE tickets SET data_count = 8 WHERE company_code = $1 AND total = 0', [
        user.companyCode,
      ]),
    () => api.context.db.query('DELETE FROM tickets WHERE id = $1', [first.id]),
    () =>
      api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [user.companyCode]),
    async () => api.clock.set(new Date('2026-11-26T00:30:00+07:00')),
  ];
  const changesOfRegister: typeof changes = [
    () => register(other),
    () => forget(user),
    () => saveView(user, true),
    () => saveView(user, false),
    () =>
      api.context.db.query("UPDATE device_views SET name = 'Mine' WHERE owner_id = $1 AND NOT shared", [
        user.id,
      ]),
    () => api.context.db.query('DELETE FROM device_views WHERE owner_id = $1 AND NOT shared', [user.id]),
    () => schedule(user),
    () => refuseRun(user),
  ];
  const changesOfFields: typeof changes = [
    () => addColumn(user),
    () => setValue(user),
    () => forgetAll(user),
    () => setValue(user),
    () => forgetUncheckedDevices(api.context.db, 0),
    // Below, a device without values is forgotten.
    () => setValue(user),
  ];
  const readAll = async () => {
    const { revision, register_revision, fields_revision } = await read(user);
    return { revision, register_revision, fields_revision };
  };
  let before = await readAll();
  for (const change of [...changes, ...changesOfFields, ...changesOfRegister]) {
    await change();
    const now = await readAll();
    const isOfFields = changesOfFields.includes(change);
    const [changed, kept] = [...changesOfRegister, ...changesOfFields].includes(change)
      ? (['register_revision', 'revision'] as const)
      : (['revision', 'register_revision'] as const);
    assert.notEqual(now[changed], before[changed], String(change));
    assert.equal(now[kept], before[kept], String(change));
    assert.equal(now.fields_revision !== before.fields_revision, isOfFields, String(change));
    assert.deepEqual(await readAll(), now);
    before = now;
  }
  // Who is told of an end shows on no screen.
  await set(other.id, 'completion_told = NOT completion_told');
  await make(stranger, 'Processing', [{}]);
  await make(stranger, 'Completed', [done]);
  await register(await make(stranger, 'Completed', [done]));
  await forget(stranger);
  await saveView(stranger, true);
  await saveView(colleague, false);
  await schedule(stranger);
  await refuseRun(stranger);
  // Whether a mail told of the run shows on no screen.
  await api.context.db.query('UPDATE recheck_runs SET reported = NOT reported');
  await addColumn(stranger);
  await setValue(stranger);
  assert.deepEqual(await readAll(), before);
  api.clock.set(undefined);
});

test('the revision changes with the invoice of a ticket', async () => {
  const user = await createUser(api);
  const stranger = await createUser(api);
  const { id } = await make(user, 'Completed', [done]);
  await set(id, "finished_at = '2026-10-10T00:00:00Z'");
  const send = async (call: string, body?: unknown) => {
    const answer = await api.send(call, { token: admin.token, ...(body !== undefined && { body }) });
    assert.ok(answer.statusCode < 300, answer.body);
    return answer.statusCode === 204 ? undefined : answer.json();
  };
  let invoice: string;
  const draft = async () => {
    const made = await send('POST /api/invoices', { company_code: user.companyCode, month: '2026-10' });
    invoice = `/api/invoices/${made._id}`;
  };
  const changes = [
    draft,
    () => send(`DELETE ${invoice}`),
    draft,
    () => send(`POST ${invoice}/issue`),
    () => send(`POST ${invoice}/credit`, { reason: 'Repeat the rows' }),
  ];
  const ofStranger = (await read(stranger)).revision;
  let before = (await read(user)).revision;
  for (const change of changes) {
    await change();
    const now = (await read(user)).revision;
    assert.notEqual(now, before, String(change));
    before = now;
  }
  assert.equal((await read(stranger)).revision, ofStranger);
});

test('the percent stays below 100 until the end', async () => {
  const user = await createUser(api);
  await make(user, 'Processing', [done]);
  assert.equal((await read(user)).percent, 99);
});

test('activity has a waiting reason, in the language of the caller, only while every running ticket waits', async () => {
  const user = await createUser(api);
  const first = await make(user, 'Processing', [done, {}]);
  const second = await make(user, 'Processing', [{}]);
  await set(
    first.id,
    "waiting_for = 'source', waiting_source = 'Acme', waiting_cause = 'paused', waiting_since = '2026-01-02T03:04:05Z'",
  );
  const { waiting_reason, waiting_source, waiting_cause, waiting_since } = await read(user);
  assert.deepEqual([waiting_reason, waiting_source, waiting_cause, waiting_since], [null, null, null, null]);
  await set(second.id, "waiting_for = 'proxies'");
  const waits = await read(user);
  assert.equal(waits.waiting_reason, 'waiting for source: Acme');
  assert.deepEqual(
    [waits.waiting_source, waits.waiting_cause, waits.waiting_since],
    ['Acme', 'paused', '2026-01-02T03:04:05.000Z'],
  );
  const indonesian = await read(user, '', { 'accept-language': 'id' });
  assert.equal(indonesian.waiting_reason, 'menunggu sumber: Acme');
});

test('activity lists the tickets completed since, newest first, and repeats those of the last minute', async () => {
  const user = await createUser(api);
  const tickets = [];
  for (const minutes of [30, 20, 0]) {
    const ticket = await make(user, 'Completed', [done]);
    await set(ticket.id, `finished_at = now() - interval '${minutes} minutes'`);
    tickets.push(ticket.number);
  }
  const [oldest, middle, newest] = tickets;
  const since = (minutes: number) => `?since=${new Date(Date.now() - minutes * 60_000).toISOString()}`;
  const endedSince = async (query: string) =>
    (await read(user, query)).ended.map(({ ticket_number }) => ticket_number);
  assert.deepEqual(await endedSince(''), [newest]);
  const [named] = (await read(user)).ended;
  assert.deepEqual([named?.file_name, named?.kind, named?.total], ['sheet.xlsx', 'order', 1]);
  assert.deepEqual(await endedSince(since(25)), [newest, middle]);
  assert.deepEqual(await endedSince(since(30)), [newest, middle, oldest]);
  const stranger = await createUser(api);
  assert.deepEqual((await read(stranger, since(60))).ended, []);
  assert.equal((await ask(user, '?since=yesterday')).statusCode, 400);
});

test('activity reads the running tickets only, however many have ended', async () => {
  const user = await createUser(api);
  await api.context.db.query(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, status, price, current_dollar_price,
       imported_at, finished_at)
     SELECT 2000000 + n, $1, 10, 10, 10, 'Completed', 0.05, 16000, now(), now() FROM generate_series(1, 10000) n`,
    [user.companyCode],
  );
  await api.context.db.query('ANALYZE tickets');
  for (const scope of [null, user.companyCode]) {
    const read = await inTransaction(api.context.db, async (tx) => {
      await sumRunningTickets.one(tx, { scope, userId: user.id, today: '2026-11-25' });
      const { rows } = await tx.query<{ read: number }>(
        "SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'tickets'",
      );
      return rows[0]?.read ?? 0;
    });
    assert.ok(read < 1000, `${read} tickets`);
  }
});

test('of 10,000 tickets, half of them running, the answer takes a few hundred bytes', async () => {
  const user = await createUser(api);
  await api.context.db.query(
    `INSERT INTO tickets (ticket_number, company_code, data_count, total, done, status, price, current_dollar_price,
       imported_at, finished_at)
     SELECT 1000000 + n, $1, 10, 10, CASE WHEN n % 2 = 0 THEN 10 ELSE 5 END,
       CASE WHEN n % 2 = 0 THEN 'Completed' ELSE 'Processing' END::ticket_status, 0.05, 16000, now(),
       CASE WHEN n % 2 = 0 THEN now() END
     FROM generate_series(1, 10000) n`,
    [user.companyCode],
  );
  for (const who of [user, admin]) {
    const answer = await ask(who, '?since=2026-01-01T00:00:00Z');
    const { running, ended } = answer.json<Activity>();
    assert.ok(running >= 5000);
    assert.equal(ended.length, 5);
    assert.ok(answer.body.length < 1100, `${answer.body.length} bytes`);
  }
});
