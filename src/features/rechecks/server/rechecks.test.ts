import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { importOwnList } from '#features/imports/server/own-imports/own-imports.service.ts';
import { ImportThreads } from '#features/imports/server/reading/import-threads.ts';
import { sendWatchMails } from '#features/watch/server/send-mails.ts';
import { inTransaction } from '#server/db/db.ts';
import { openMailer } from '#server/mail/mail.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { readColumn, readResultsSheet } from '#tests/support/api/exports.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { takeMails } from '#tests/support/api/outbox.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { queueReports } from './changes/queue-reports.ts';
import { beginDueRuns, createDueTickets } from './runs/due-runs.ts';
import { insertRunByHand, postponeRun, takeDueRun } from './runs/runs.queries.ts';

let api: TestApi;
let user: TestUser;
let stranger: TestUser;
let admin: TestUser;
let threads: ImportThreads;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
  threads = new ImportThreads(api.context);
  at(start);
});
after(async () => {
  await threads.drain();
  await api.close();
});

const start = '2026-11-22T03:00:00Z';
const at = (instant: string) => api.clock.set(new Date(instant));
const settings = { active: true, cadence: 'monthly', view_id: null, cap: 100 };
const routeOf = (owner: TestUser) => `/api/rechecks/${owner.companyCode}`;
const get = async (owner: TestUser, caller = owner) =>
  (await api.send(`GET ${routeOf(owner)}`, { token: caller.token })).json();
const put = (owner: TestUser, change: object = {}, caller = owner) =>
  api.send(`PUT ${routeOf(owner)}`, { token: caller.token, body: { ...settings, ...change } });
const run = (owner: TestUser, caller = owner, key?: string) =>
  api.send(`POST ${routeOf(owner)}/run`, {
    token: caller.token,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });
const endTickets = ({ companyCode }: TestUser) =>
  api.context.db.query(
    "UPDATE tickets SET status = 'Completed', finished_at = now() WHERE company_code = $1 AND status = 'Pending'",
    [companyCode],
  );
const listTickets = async ({ companyCode }: TestUser) => {
  const query = 'SELECT ticket_number, created_by FROM tickets WHERE company_code = $1 AND file_name LIKE $2';
  return (await api.context.db.query(query, [companyCode, 'recheck%'])).rows;
};

/** Stores a run of the schedule that has to make its ticket. */
const addDueRun = (companyCode: string | null, dueOn = '2026-11-01') =>
  api.context.db.query('INSERT INTO recheck_runs (company_code, due_on, started_at) VALUES ($1, $2, now())', [
    companyCode,
    dueOn,
  ]);

/** Gives a device a value in an own column of its company. */
async function setEmployee({ companyCode, token }: TestUser, serial: string, employee: string) {
  const body = { fields: [{ key: 'employee', name: 'Employee' }] };
  assert.equal((await api.send(`PUT /api/fields/${companyCode}`, { token, body })).statusCode, 200);
  await api.context.db.query('INSERT INTO device_fields (company_code, serial, fields) VALUES ($1, $2, $3)', [
    companyCode,
    serial,
    { employee },
  ]);
}

async function addDevices(owner: TestUser, rows: TestRow[]): Promise<void> {
  await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: rows.map((row) => ({ state: 'done', ...row })),
  });
  await registerSome(api.context.db);
}

/** Stores the mails about ended runs and sends them, as every API process does. */
async function sendReports() {
  const mailer = openMailer(api.context.config, api.context.log);
  await Promise.all([queueReports(api.context), queueReports(api.context)]);
  await sendWatchMails(api.context, mailer.send).finally(() => mailer.close());
  return takeMails(api);
}

/** Gives the rows of a ticket their results, as workers would. */
async function finish(number: string, answers: Record<string, Record<string, string | null> | null>) {
  const { db } = api.context;
  for (const [serial, fields] of Object.entries(answers)) {
    const result = fields
      ? { state: 'done', type: 'iPhone 15', warranty_title: 'Limited Warranty', ...fields }
      : { state: 'failed', reason: 'Not found' };
    const names = Object.keys(result);
    await db.query(
      `UPDATE serials SET ${names.map((name, nth) => `${name} = $${nth + 3}`).join(', ')},
         fetched_at = '2026-12-01T02:00:00Z', source = 'sandbox', attempts = 1
       WHERE serial = $2 AND ticket_id = (SELECT id FROM tickets WHERE ticket_number = $1)`,
      [number, serial, ...Object.values(result)],
    );
  }
  await db.query(
    `INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
     SELECT t.id, t.ticket_number, t.company_code, array_agg(s.position)
     FROM tickets t JOIN serials s ON s.ticket_id = t.id WHERE t.ticket_number = $1 AND s.state = 'done' GROUP BY t.id`,
    [number],
  );
  await db.query(
    `UPDATE tickets t SET status = 'Completed', finished_at = now(),
       failed = (SELECT count(*) FROM serials WHERE ticket_id = t.id AND state = 'failed') WHERE ticket_number = $1`,
    [number],
  );
}

test('a schedule has defaults, is replaced, and belongs to its company and superadmins', async () => {
  assert.deepEqual(await get(user), {
    active: false,
    cadence: 'monthly',
    view_id: null,
    view_name: null,
    cap: 10_000,
    next_on: null,
    count: 0,
    runs: [],
    version: 1,
  });
  const stored = await put(user, { cadence: 'quarterly' });
  assert.equal(stored.statusCode, 200, stored.body);
  assert.partialDeepStrictEqual(stored.json(), { active: true, cap: 100, next_on: '2027-01-01' });
  assert.equal((await put(user)).json().next_on, '2026-12-01');
  assert.deepEqual(await get(user, admin), await get(user));
  const answers = [
    await api.send(`GET ${routeOf(user)}`, stranger),
    await put(user, {}, stranger),
    await run(user, stranger),
    await api.send(`GET ${routeOf(user)}/changes`, stranger),
    await api.send(`GET ${routeOf(user)}/changes/download`, stranger),
    await api.send('GET /api/rechecks/NONE01', admin),
  ];
  for (const { statusCode } of answers) assert.equal(statusCode, 404);
  for (const change of [
    { cadence: 'weekly' },
    { cap: 0 },
    { cap: 1_000_001 },
    { view_id: 'x' },
    { active: 1 },
  ]) {
    const answer = await put(user, change);
    assert.equal(answer.statusCode, 400);
    assert.equal(answer.json().details[0].path, Object.keys(change)[0]);
  }
  assert.equal((await put(user, { active: false })).json().next_on, null);
});

test('a form that was read before another change of the schedule does not set it back', async () => {
  const owner = await createUser(api);
  const { version } = await get(owner);
  const changed = (await put(owner, { cap: 5, version })).json();
  assert.equal(changed.version, version + 1);
  const stale = await put(owner, { cadence: 'quarterly', version });
  assert.deepEqual(
    [stale.statusCode, stale.json().code, stale.json().message],
    [
      409,
      'changed_meanwhile',
      'These settings were changed by someone else. Reload to see them. Nothing was saved.',
    ],
  );
  assert.deepEqual(await get(owner), changed);
  // A run of the schedule changes its next day, but no setting.
  at('2026-12-02T03:00:00Z');
  await beginDueRuns(api.context);
  at(start);
  const { next_on, version: kept } = await get(owner);
  assert.deepEqual([next_on, kept], ['2027-01-01', changed.version]);
  assert.equal((await put(owner)).json().version, version + 2);
  await api.context.db.query('DELETE FROM rechecks WHERE company_code = $1', [owner.companyCode]);
});

test('the audit log names the view of a schedule, also a private one', async () => {
  const owner = await createUser(api);
  const colleague = await createUser(api, { companyCode: owner.companyCode });
  const body = { name: 'iPads', query: 'type=iPad' };
  const { view } = (await api.send('POST /api/views', { token: owner.token, body })).json();
  await put(owner, { view_id: view._id });
  await put(owner, { view_id: view._id, cap: 5 }, colleague);
  await put(owner);
  await put(owner, { view_id: view._id });
  await api.send(`DELETE /api/views/${view._id}`, owner);
  await put(owner, { view_id: view._id, cap: 5 });
  const query = `SELECT before->'view_name' AS before, after->'view_name' AS after FROM audit_log
    WHERE action = 'recheck.update' AND company_code = $1 ORDER BY id`;
  const { rows } = await api.context.db.query(query, [owner.companyCode]);
  assert.deepEqual(
    rows.map((row) => [row.before, row.after]),
    [
      [null, 'iPads'],
      ['iPads', 'iPads'],
      ['iPads', null],
      [null, 'iPads'],
      [null, null],
    ],
  );
});

test('the audit log tells two views of the same name apart', async () => {
  const owner = await createUser(api);
  const colleague = await createUser(api, { companyCode: owner.companyCode });
  const body = { name: 'iPads', query: 'type=iPad' };
  const ids: string[] = [];
  for (const user of [owner, colleague]) {
    const { view } = (await api.send('POST /api/views', { token: user.token, body })).json();
    await put(owner, { view_id: view._id }, user);
    ids.push(view._id);
  }
  const query = `SELECT before, after FROM audit_log
    WHERE action = 'recheck.update' AND company_code = $1 ORDER BY id DESC LIMIT 1`;
  const { rows } = await api.context.db.query(query, [owner.companyCode]);
  const [{ before, after }] = rows;
  assert.deepEqual([before.view_name, after.view_name], ['iPads', 'iPads']);
  assert.deepEqual([before.view_id, after.view_id].map(String), ids);
});

test('a schedule takes a view that its user sees in the company, and outlives its sharing', async () => {
  const owner = await createUser(api);
  const colleague = await createUser(api, { companyCode: owner.companyCode });
  const [first = '', second = ''] = makeImeis(2);
  await addDevices(owner, [
    { serial: first, type: 'iPad' },
    { serial: second, type: 'iPhone' },
  ]);
  const save = async ({ token }: TestUser, body: object) =>
    (
      await api.send('POST /api/views', { token, body: { name: 'iPads', query: 'type=iPad', ...body } })
    ).json().view._id as string;
  const view_id = await save(owner, { shared: false });
  const stored = await put(owner, { view_id });
  assert.partialDeepStrictEqual(stored.json(), { view_id, view_name: 'iPads', count: 1 });
  // A colleague neither sees nor chooses a private view, and may keep it.
  assert.partialDeepStrictEqual(await get(owner, colleague), { view_id, view_name: null, count: 1 });
  assert.equal((await put(owner, { view_id, cap: 5 }, colleague)).statusCode, 200);
  const foreign = await save(stranger, { shared: true });
  const hidden = await save(colleague, { shared: false });
  for (const unseen of [foreign, hidden, '999999']) {
    const answer = await put(owner, { view_id: unseen });
    assert.deepEqual([answer.statusCode, answer.json().details?.[0].path], [400, 'view_id']);
  }
  const made = await run(owner);
  assert.equal(made.json().ticket.total, 1, made.body);
  await endTickets(owner);
  await api.send(`DELETE /api/views/${view_id}`, owner);
  assert.partialDeepStrictEqual(await get(owner), { view_id, count: null });
  const gone = await run(owner);
  assert.deepEqual([gone.statusCode, gone.json().code], [409, 'view_gone']);
});

test('a run by hand makes one ticket of the devices that may change, within the cap', async () => {
  const owner = await createUser(api);
  const [ended = '', covered = '', unactivated = '', unknown = ''] = makeImeis(4);
  const none = await run(owner);
  assert.deepEqual([none.statusCode, none.json().code], [409, 'no_devices'], none.body);
  await addDevices(owner, [
    { serial: ended, activation: 'activated', end: '2026-11-21' },
    { serial: covered, activation: 'activated', end: '2026-11-22' },
    { serial: unactivated, activation: 'unactivated', end: '2026-01-01' },
    { serial: unknown },
  ]);
  await put(owner, { active: false, cap: 2 });
  const refused = await run(owner);
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'too_many_devices']);
  assert.match(refused.json().message, /^3 devices .* limit is 2\b/);
  await put(owner, { active: false, cap: 3 });
  const answer = await run(owner, admin);
  assert.equal(answer.statusCode, 201, answer.body);
  const { ticket } = answer.json();
  assert.partialDeepStrictEqual(ticket, {
    company_code: owner.companyCode,
    total: 3,
    file_name: `recheck_${owner.companyCode}_2026-11-22`,
  });
  const rows = await api.send(`GET /api/data/${ticket.ticket_number}?limit=10`, owner);
  assert.deepEqual(
    rows.json().data.map(({ serial }: { serial: string }) => serial),
    [covered, unactivated, unknown].toSorted(),
  );
  const asked = await api.context.db.query('SELECT answers_from FROM tickets WHERE ticket_number = $1', [
    ticket.ticket_number,
  ]);
  assert.ok(asked.rows[0].answers_from, 'the sources are asked again, whatever the cache has');
  const { data } = await readAuditLog(api, admin, `?object_id=${ticket.ticket_number}`);
  assert.deepEqual([data[0]?.action, data[0]?.actor?.email], ['data.upload', admin.email]);
  const { runs } = await get(owner);
  assert.deepEqual(runs, [
    {
      at: '2026-11-22T03:00:00.000Z',
      due_on: null,
      ticket_number: ticket.ticket_number,
      status: 'Pending',
      refusal: null,
      count: null,
    },
  ]);
  await endTickets(owner);
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
    owner.companyCode,
  ]);
  const inactive = await run(owner);
  assert.deepEqual([inactive.statusCode, inactive.json().code], [403, 'client_inactive']);
  assert.match(inactive.json().message, /^Your company is Inactive/);
  const refusedAdmin = await run(owner, admin);
  assert.deepEqual([refusedAdmin.statusCode, refusedAdmin.json().code], [403, 'client_inactive']);
  assert.match(refusedAdmin.json().message, /^The company is Inactive/);
  assert.equal((await get(owner)).runs.length, 1);
});

test('no run by hand begins while the latest ticket runs; a repeat under its key gets the first answer', async () => {
  const owner = await createUser(api);
  const other = await createUser(api);
  for (const company of [owner, other]) await addDevices(company, [{ serial: makeImeis(1)[0] ?? '' }]);
  const [first, repeated] = await Promise.all([run(owner, admin, 'again'), run(owner, admin, 'again')]);
  assert.equal(first.statusCode, 201, first.body);
  assert.deepEqual([repeated.statusCode, repeated.json()], [201, first.json()]);
  for (const status of ['Pending', 'Processing']) {
    await api.context.db.query('UPDATE tickets SET status = $2 WHERE id = $1', [
      first.json().ticket._id,
      status,
    ]);
    const refused = await run(owner, admin);
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'recheck_running'], status);
    assert.equal((await run(owner, admin, 'another')).statusCode, 409, status);
    assert.deepEqual((await run(owner, admin, 'again')).json(), first.json());
  }
  const taken = await run(other, admin, 'again');
  assert.deepEqual([taken.statusCode, taken.json().code], [422, 'idempotency_key_taken']);
  await api.context.db.query("UPDATE tickets SET status = 'Completed', finished_at = now() WHERE id = $1", [
    first.json().ticket._id,
  ]);
  assert.deepEqual((await run(owner, admin, 'again')).json(), first.json());
  assert.equal((await listTickets(owner)).length, 1);
  // A key whose run was refused is free, and so is the same key of another user.
  assert.equal((await run(owner, admin, 'another')).statusCode, 201);
  await endTickets(owner);
  assert.equal((await run(owner, owner, 'again')).statusCode, 201);
});

test('a run that names the confirmed number of devices makes no ticket of another number', async () => {
  const owner = await createUser(api);
  await addDevices(
    owner,
    makeImeis(3).map((serial) => ({ serial })),
  );
  const confirm = (count: number) =>
    api.send(`POST ${routeOf(owner)}/run`, { token: owner.token, body: { count } });
  const refused = await confirm(1);
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'other_count'], refused.body);
  assert.match(refused.json().message, / now \(3\)\. No ticket was made\b/);
  assert.deepEqual((await get(owner)).runs, []);
  assert.equal((await confirm(-1)).statusCode, 400);
  const made = await confirm(3);
  assert.deepEqual([made.statusCode, made.json().ticket?.total], [201, 3], made.body);
});

test('a repeat under the key of a run with another confirmed number is another request', async () => {
  const owner = await createUser(api);
  await addDevices(
    owner,
    makeImeis(3).map((serial) => ({ serial })),
  );
  const confirm = (body?: { count: number }) =>
    api.send(`POST ${routeOf(owner)}/run`, {
      token: owner.token,
      headers: { 'idempotency-key': 'confirmed' },
      ...(body && { body }),
    });
  const first = await confirm({ count: 3 });
  assert.equal(first.statusCode, 201, first.body);
  assert.deepEqual((await confirm({ count: 3 })).json(), first.json());
  for (const other of [{ count: 5 }, { count: 0 }, undefined]) {
    const { statusCode, body } = await confirm(other);
    assert.deepEqual([statusCode, JSON.parse(body).code], [422, 'idempotency_key_taken'], body);
  }
});

test('a run by hand takes in results that are not registered yet', async () => {
  const owner = await createUser(api);
  const [serial = ''] = makeImeis(1);
  const row: TestRow = { serial, state: 'done' };
  await createTicketWithRows(api, {
    ...{ companyCode: owner.companyCode, createdBy: owner.id, status: 'Completed', rows: [row] },
  });
  const made = await run(owner);
  assert.deepEqual([made.statusCode, made.json().ticket?.total], [201, 1], made.body);
});

test('a run of the schedule waits while a run by hand makes its ticket, and while that ticket runs', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  const { db } = api.context;
  await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
  await get(owner);
  await insertRunByHand.first(db, { companyCode, now: api.context.now() });
  await addDueRun(companyCode);
  await createDueTickets(api.context, threads);
  assert.equal((await listTickets(owner)).length, 0);
  await db.query('UPDATE recheck_runs SET making_until = now() WHERE company_code = $1', [companyCode]);
  assert.equal((await run(owner)).statusCode, 201);
  await createDueTickets(api.context, threads);
  assert.equal((await listTickets(owner)).length, 1);
  await endTickets(owner);
  await createDueTickets(api.context, threads);
  assert.equal((await listTickets(owner)).length, 2);
});

test('a schedule makes one ticket of the runs that waited, and none once it is switched off', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
  assert.equal((await put(owner)).statusCode, 200);
  assert.equal((await run(owner)).statusCode, 201);
  for (const day of ['2026-12-01', '2027-01-01']) {
    at(`${day}T03:00:00Z`);
    await beginDueRuns(api.context);
    await createDueTickets(api.context, threads);
  }
  assert.equal((await listTickets(owner)).length, 1);
  await endTickets(owner);
  for (const tickets of [2, 2]) {
    await createDueTickets(api.context, threads);
    assert.equal((await listTickets(owner)).length, tickets);
    await endTickets(owner);
  }
  // Sessions would be over by then.
  at(start);
  await addDueRun(companyCode, '2027-02-01');
  const { version } = await get(owner);
  assert.equal((await put(owner, { active: false, version })).statusCode, 200);
  await createDueTickets(api.context, threads);
  assert.equal((await listTickets(owner)).length, 2);
});

test('no run by hand begins while one of the schedule makes its ticket', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  const { db } = api.context;
  await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
  await get(owner);
  await addDueRun(companyCode);
  const taken = await takeDueRun(db);
  assert.equal(taken?.company_code, companyCode);
  assert.equal((await run(owner)).statusCode, 409);
  // Nothing is being made between two attempts.
  await postponeRun.run(db, { id: taken.id, seconds: 600 });
  assert.equal((await run(owner)).statusCode, 201);
});

test('of two due runs of a company one begins, and none while a run by hand begins', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  const { db } = api.context;
  await get(owner);
  await addDueRun(companyCode);
  await addDueRun(companyCode, '2026-10-01');
  const takeWhile = (sql: string) =>
    inTransaction(db, async (tx) => {
      await tx.query(sql, [companyCode]);
      return takeDueRun(db);
    });
  assert.equal(await takeWhile('SELECT FROM rechecks WHERE company_code = $1 FOR UPDATE'), undefined);
  const taken = await Promise.all([takeDueRun(db), takeDueRun(db)]);
  assert.equal(taken.filter((one) => one !== undefined).length, 1);
  assert.equal(await takeDueRun(db), undefined);
});

test('the latest ticket is the newest, also if the run of a schedule that began earlier made it later', async () => {
  const owner = await createUser(api);
  await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
  await get(owner);
  await addDueRun(owner.companyCode);
  assert.equal((await run(owner)).statusCode, 201);
  await endTickets(owner);
  await createDueTickets(api.context, threads);
  assert.equal((await listTickets(owner)).length, 2);
  assert.equal((await run(owner)).statusCode, 409);
});

test('a running recheck is told before any other refusal', async () => {
  const owner = await createUser(api);
  await addDevices(
    owner,
    makeImeis(2).map((serial) => ({ serial })),
  );
  const begun = (await run(owner)).json();
  assert.ok(begun.ticket, JSON.stringify(begun));
  const runWith = (body: object) => api.send(`POST ${routeOf(owner)}/run`, { token: owner.token, body });
  const codes = [(await runWith({ count: 1 })).json().code];
  assert.equal((await put(owner, { cap: 1, version: (await get(owner)).version })).statusCode, 200);
  codes.push((await run(owner)).json().code);
  await api.context.db.query('DELETE FROM devices WHERE company_code = $1', [owner.companyCode]);
  codes.push((await run(owner)).json().code);
  assert.deepEqual(codes, Array(3).fill('recheck_running'));
});

test('one run by hand makes its ticket at a time, and a failed or killed one leaves room for the next', async () => {
  const owner = await createUser(api);
  const { companyCode } = owner;
  const { db } = api.context;
  await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
  await get(owner);
  await insertRunByHand.first(db, { companyCode, now: api.context.now() });
  const refused = await run(owner);
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'recheck_running']);
  await db.query('UPDATE recheck_runs SET making_until = now() WHERE company_code = $1', [companyCode]);
  assert.equal((await run(owner)).statusCode, 201);
  await endTickets(owner);
  const setActive = (active: boolean) =>
    db.query('UPDATE clients SET active = $2 WHERE company_code = $1', [companyCode, active]);
  await setActive(false);
  assert.equal((await run(owner)).statusCode, 403);
  await setActive(true);
  assert.equal((await run(owner)).statusCode, 201);
  assert.equal((await listTickets(owner)).length, 2);
});

test('a due schedule makes one ticket without an actor, whatever the number of processes and crashes', async () => {
  const owner = await createUser(api);
  const { db } = api.context;
  const lapse = () => db.query('UPDATE recheck_runs SET next_at = now(), making_until = now()');
  // Sessions end soon after the start.
  const runRound = async (instant: string) => {
    at(instant);
    await beginDueRuns(api.context);
    await createDueTickets(api.context, threads);
    at(start);
  };
  await addDevices(
    owner,
    makeImeis(3).map((serial) => ({ serial })),
  );
  await put(owner);
  await runRound('2026-11-30T23:59:00Z');
  assert.deepEqual(await listTickets(owner), [], 'nothing is due before 7:00 in Jakarta');
  const due = '2026-12-01T00:01:00Z';
  await Promise.all([runRound(due), runRound(due), runRound(due), runRound(due)]);
  // The lease of a process that died right after the ticket was stored has ended.
  await lapse();
  await runRound(due);
  const [ticket, ...more] = await listTickets(owner);
  assert.deepEqual([ticket?.created_by, more], [null, []]);
  const { data } = await readAuditLog(api, admin, `?object_id=${ticket.ticket_number}`);
  assert.deepEqual([data[0]?.action, data[0]?.actor], ['data.upload', null]);
  assert.partialDeepStrictEqual(await get(owner), {
    next_on: '2027-01-01',
    runs: [{ due_on: '2026-12-01', ticket_number: String(ticket.ticket_number) }],
  });

  await endTickets(owner);
  // Two months were missed. The process that began the run dies before its import.
  at('2027-02-10T03:00:00Z');
  await beginDueRuns(api.context);
  at(start);
  assert.equal((await get(owner)).next_on, '2027-03-01');
  const dying = Object.create(db);
  dying.query = async (query: { text: string }, ...rest: unknown[]) => {
    if (query.text.includes('FROM devices')) throw new Error('crash');
    return db.query(query as never, ...(rest as []));
  };
  await createDueTickets({ ...api.context, db: dying }, threads);
  await lapse();
  await lapse();
  await runRound('2027-02-10T04:00:00Z');
  assert.equal((await listTickets(owner)).length, 2);
  await endTickets(owner);

  await put(owner, { cap: 1 });
  await runRound('2027-03-01T05:00:00Z');
  assert.equal((await listTickets(owner)).length, 2);
  const { runs } = await get(owner);
  assert.partialDeepStrictEqual(runs[0], {
    due_on: '2027-03-01',
    ticket_number: null,
    refusal: 'too_many_devices',
    count: 3,
  });
});

test('a run that cannot begin, and a report that cannot be stored, stop no other company', async (t) => {
  const { db } = api.context;
  const owners = [await createUser(api), await createUser(api)];
  at(start);
  for (const owner of owners) {
    await addDevices(owner, [{ serial: makeImeis(1)[0] ?? '' }]);
    await put(owner, { cap: 100 });
  }
  const fail = async (table: string, company = owners[0]?.companyCode) => {
    await db.query(
      `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`,
    );
    await db.query(
      `CREATE TRIGGER fail BEFORE INSERT ON ${table} FOR EACH ROW WHEN (NEW.company_code = '${company}') EXECUTE FUNCTION fail()`,
    );
  };
  const heal = async (table: string) => {
    await db.query(`DROP TRIGGER IF EXISTS fail ON ${table}`);
    await db.query('UPDATE put_off_work SET next_at = now()');
  };
  t.after(() => Promise.all(['recheck_runs', 'watch_mails'].map(heal)));
  const begin = async () => {
    await beginDueRuns(api.context).catch(() => undefined);
    const codes = owners.map(({ companyCode }) => companyCode);
    return (await db.query('SELECT FROM recheck_runs WHERE company_code = ANY ($1)', [codes])).rowCount;
  };
  at('2026-12-01T00:01:00Z');
  await fail('recheck_runs');
  assert.equal(await begin(), 1);
  await heal('recheck_runs');
  assert.equal(await begin(), 2);

  at(start);
  for (const { companyCode, token } of owners) {
    const watch = { active: false, cadence: 'weekly', day: 1, horizon_days: 30, language: 'en' };
    const body = { ...watch, receivers: [`${companyCode}@example.test`.toLowerCase()] };
    assert.equal((await api.send(`PUT /api/watch/${companyCode}`, { token, body })).statusCode, 200);
    await db.query("UPDATE recheck_runs SET refusal = 'view_gone' WHERE company_code = $1", [companyCode]);
  }
  const report = async () => {
    await queueReports(api.context).catch(() => undefined);
    const mails = await db.query(
      "SELECT company_code FROM watch_mails WHERE address LIKE '%@example.test' AND company_code = ANY ($1)",
      [owners.map(({ companyCode }) => companyCode)],
    );
    return mails.rowCount;
  };
  await fail('watch_mails');
  assert.equal(await report(), 1);
  await heal('watch_mails');
  assert.equal(await report(), 2);
  await db.query('DELETE FROM watch_mails');
});

test('two processes that import under one key make one ticket', async () => {
  const { companyCode } = await createUser(api);
  const list = {
    companyCode,
    serials: makeImeis(2),
    fileName: 'twice',
    caller: null,
    idempotencyKey: null,
    locale: 'en',
  } as const;
  const other = new ImportThreads(api.context);
  const imports = [threads, other].map((own) => importOwnList(api.context, own, { ...list, key: 'twice' }));
  const ends = await Promise.allSettled(imports);
  await other.drain();
  const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []));
  assert.deepEqual(failures, ['already_imported']);
  const { rows } = await api.context.db.query('SELECT FROM tickets WHERE company_code = $1', [companyCode]);
  assert.equal(rows.length, 1);
});

test('the changes of a ticket have their kinds, counts, filter, pages and files', async () => {
  const owner = await createUser(api);
  const [fresh = '', longer = '', over = '', gone = '', lost = '', renamed = '', same = ''] =
    makeImeis(7).toSorted();
  const future = { activation: 'activated', end: '2027-01-01' } as const;
  await addDevices(owner, [
    { serial: fresh, activation: 'unactivated' },
    ...[longer, over, gone, lost, renamed, same].map((serial) => ({ serial, ...future })),
  ]);
  const changesOf = async (query = '', caller = owner) => {
    const answer = await api.send(`GET ${routeOf(owner)}/changes${query}`, caller);
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const counts = { activated: 0, extended: 0, ended: 0, not_found: 0, other: 0 };
  assert.partialDeepStrictEqual(await changesOf(), { data: [], counts, ticket_number: null });
  const { ticket_number: number } = (await run(owner)).json().ticket;
  assert.partialDeepStrictEqual(await changesOf(), { data: [], counts, ticket_number: number });

  const now = { activation_status: 'activated', coverage_end_date: '2027-01-01' };
  await finish(number, {
    [fresh]: { ...now, coverage_end_date: '2027-12-01' },
    [longer]: { ...now, coverage_end_date: '2028-01-01', warranty_title: 'AppleCare+' },
    [over]: { ...now, coverage_end_date: '2026-11-30' },
    [gone]: { ...now, coverage_end_date: null },
    [lost]: null,
    [renamed]: { ...now, type: 'iPhone 16' },
    [same]: now,
  });
  const all = await changesOf();
  assert.deepEqual(
    all.data.map(({ serial_number, kind, changes }: Record<string, unknown>) => [
      serial_number,
      kind,
      changes,
    ]),
    [
      [
        fresh,
        'activated',
        { activation_status: ['unactivated', 'activated'], coverage_end_date: [null, '2027-12-01'] },
      ],
      [
        longer,
        'extended',
        {
          warranty_title: ['Limited Warranty', 'AppleCare+'],
          coverage_end_date: ['2027-01-01', '2028-01-01'],
        },
      ],
      [over, 'ended', { coverage_end_date: ['2027-01-01', '2026-11-30'] }],
      [gone, 'ended', { coverage_end_date: ['2027-01-01', null] }],
      [lost, 'not_found', {}],
      [renamed, 'other', { type: ['iPhone 15', 'iPhone 16'] }],
    ],
  );
  const found = { activated: 1, extended: 1, ended: 2, not_found: 1, other: 1 };
  assert.deepEqual(all.counts, found);
  assert.equal(all.pagination.totalItems, 6);
  // As on a ticket of before these rows were counted.
  await api.context.db.query('UPDATE tickets SET unavailable = NULL WHERE ticket_number = $1', [number]);
  assert.deepEqual((await changesOf()).counts, found);
  const second = await changesOf(`?ticket_number=${number}&kind=ended&limit=1&page=2`, admin);
  assert.deepEqual([second.data[0].serial_number, second.pagination.totalItems], [gone, 2]);
  assert.deepEqual(second.counts, found);
  const other = await api.send(`GET ${routeOf(stranger)}/changes?ticket_number=${number}`, stranger);
  assert.equal(other.statusCode, 404);

  const file = await api.send(`GET ${routeOf(owner)}/changes/download?kind=extended`, owner);
  assert.match(
    String(file.headers['content-disposition']),
    new RegExp(`changes_${owner.companyCode}_${number}.xlsx`),
  );
  const [head = [], ...rows] = readResultsSheet(file.rawPayload);
  assert.equal(rows.length, 1);
  assert.deepEqual(Object.fromEntries(head.map((name, place) => [name, rows[0]?.[place] ?? null])), {
    'Serial Number': longer,
    Change: 'Extended',
    'Status (before)': null,
    'Status (now)': null,
    'Coverage End (before)': '2027-01-01',
    'Coverage End (now)': '2028-01-01',
    'Coverage Start (before)': null,
    'Coverage Start (now)': null,
    'Warranty (before)': 'Limited Warranty',
    'Warranty (now)': 'AppleCare+',
    'Type (before)': null,
    'Type (now)': null,
    'Purchase Date (before)': null,
    'Purchase Date (now)': null,
  });
  const json = await api.send(`GET ${routeOf(owner)}/changes/download?format=json`, owner);
  assert.deepEqual(json.json(), all.data);

  await setEmployee(owner, gone, 'Siti');
  const withValues = await api.send(`GET ${routeOf(owner)}/changes/download?kind=ended`, owner);
  assert.deepEqual(readColumn(withValues.rawPayload, 'Employee'), [
    [over, null],
    [gone, 'Siti'],
  ]);
});

test('a change counts for every ticket that ran, and a device first seen later was not lost before', async () => {
  const owner = await createUser(api);
  const [longer = '', later = ''] = makeImeis(2);
  await addDevices(owner, [{ serial: longer, activation: 'activated', end: '2027-01-01' }]);
  const { ticket_number: number } = (await run(owner)).json().ticket;
  const { db } = api.context;
  const ticket = { companyCode: owner.companyCode, createdBy: owner.id, status: 'Completed' } as const;
  const change = { serial: longer, activation: 'activated', end: '2029-01-01' } as const;
  const missing = await createTicketWithRows(api, { ...ticket, rows: [{ serial: later, state: 'failed' }] });
  // Another ticket gets the same answers a moment before.
  const other = await createTicketWithRows(api, {
    ...ticket,
    rows: [change, { serial: later }].map((row) => ({ state: 'done', ...row })),
  });
  await db.query('UPDATE serials SET fetched_at = clock_timestamp() WHERE ticket_id = $1', [other.id]);
  while (await registerSome(db));
  await finish(number, {
    [longer]: { activation_status: 'activated', coverage_end_date: '2029-01-01' },
  });
  const changesOf = async (ticketNumber: string) =>
    (await api.send(`GET ${routeOf(owner)}/changes?ticket_number=${ticketNumber}`, owner)).json();
  const { data } = await changesOf(number);
  assert.deepEqual(
    data.map(({ serial_number, kind }: Record<string, unknown>) => [serial_number, kind]),
    [[longer, 'extended']],
  );
  assert.deepEqual((await changesOf(missing.number)).data, []);
});

test('a report is mailed once to the receivers of the watch, when all results of the ticket are registered', async () => {
  const owner = await createUser(api);
  const [longer = '', same = ''] = makeImeis(2);
  await addDevices(owner, [{ serial: longer }, { serial: same }]);
  const watch = { active: false, cadence: 'weekly', day: 1, horizon_days: 30, language: 'en' };
  const setWatch = (change: object) =>
    api.send(`PUT /api/watch/${owner.companyCode}`, {
      token: owner.token,
      body: { ...watch, receivers: ['ayu@example.test', 'budi@example.test'], ...change },
    });
  assert.equal((await setWatch({})).statusCode, 200);
  const { ticket_number: number } = (await run(owner)).json().ticket;
  assert.deepEqual(await sendReports(), [], 'the ticket is still running');
  await setEmployee(owner, longer, 'Siti');
  await finish(number, { [longer]: { coverage_end_date: '2028-01-01' }, [same]: {} });
  // As the registration does, which other tests may have left work.
  while (await registerSome(api.context.db));
  const mails = await sendReports();
  assert.deepEqual(
    mails.map(({ to, subject }) => [to?.[0]?.address, subject]),
    ['ayu', 'budi'].map((name) => [`${name}@example.test`, '1 device changed since the last check']),
  );
  const [mail = assert.fail()] = mails;
  assert.match(
    mail.text ?? '',
    new RegExp(`Recheck of [A-Z][a-z]+ \\d{4} #${number} .*\n\nDevices checked: 2\n[^]*Extended: 1\n`),
  );
  assert.match(
    mail.html ?? '',
    new RegExp(`/dashboard/rechecks\\?company=${owner.companyCode}&(amp|#38);ticket=${number}`),
  );
  const [list = assert.fail()] = mail.attachments;
  assert.equal(list.filename, `changes_${owner.companyCode}_${number}.xlsx`);
  assert.deepEqual(readColumn(Buffer.from(list.content as ArrayBuffer), 'Employee'), [[longer, 'Siti']]);
  assert.deepEqual(await sendReports(), [], 'a report is mailed once');

  const cancelled = (await run(owner)).json().ticket.ticket_number;
  await finish(cancelled, { [longer]: { coverage_end_date: '2028-01-01' } });
  await api.context.db.query(
    "UPDATE tickets SET status = 'Cancelled', total = 12345, done = 1234 WHERE ticket_number = $1",
    [cancelled],
  );
  while (await registerSome(api.context.db));
  const [first = assert.fail()] = await sendReports();
  assert.match(first.text ?? '', /was cancelled before its end\.\n\nDevices checked: 1,234 of 12,345\n/);

  // A refused run of the schedule is told too, in the language of the watch, and without a list.
  await setWatch({ language: 'id' });
  await put(owner, { cap: 1 });
  at('2026-12-01T05:00:00Z');
  await beginDueRuns(api.context);
  at(start);
  await createDueTickets(api.context, threads);
  const [refused = assert.fail()] = await sendReports();
  assert.equal(refused.subject, 'Perangkat tidak dicek ulang');
  assert.match(refused.text ?? '', /^2 perangkat akan dicek, tetapi batasnya 1\./m);
  assert.deepEqual(refused.attachments, []);

  await put(owner, { cap: 10 });
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
    owner.companyCode,
  ]);
  at('2027-01-01T05:00:00Z');
  await beginDueRuns(api.context);
  await createDueTickets(api.context, threads);
  const [inactive = assert.fail()] = await sendReports();
  assert.match(inactive.text ?? '', /^Perusahaan Anda Nonaktif sehingga perangkatnya tidak dapat dicek\./m);
});
