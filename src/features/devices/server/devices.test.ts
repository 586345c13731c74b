import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { registerSome, registerTicket } from './devices.service.ts';
import { forgetUncheckedDevices } from './forgetting/forget-devices.ts';

let api: TestApi;
let user: TestUser;
let colleague: TestUser;
let stranger: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api, { companyCode: await createCompany(api) });
  colleague = await createUser(api, { companyCode: user.companyCode });
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

/** Creates a ticket whose results were fetched at `at`, and registers them. */
async function look(owner: TestUser, rows: TestRow[], at = '2026-11-20T10:00:00Z') {
  const { db } = api.context;
  const ticket = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Cancelled',
    rows: rows.map((row) => ({ state: 'done', ...row })),
  });
  await db.query('UPDATE serials SET fetched_at = $2 WHERE ticket_id = $1', [ticket.id, at]);
  await registerSome(db);
  return ticket;
}
const ask = async (query: string, { token }: TestUser = user) => {
  const answer = await api.send(`GET /api/devices${query}`, { token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const serials = async (query: string, caller?: TestUser): Promise<string[]> =>
  (await ask(query, caller)).data.map((device: { serial_number: string }) => device.serial_number);

test('a device has its latest answer, its history and its tickets', async () => {
  const first = await look(user, [{ serial: 'HISTORY1', type: 'iPad', activation: 'unactivated' }]);
  const second = await look(
    user,
    [{ serial: 'HISTORY1', type: 'iPad', activation: 'activated', end: '2027-01-31' }],
    '2026-11-21T10:00:00Z',
  );
  const third = await look(
    user,
    [{ serial: 'HISTORY1', type: 'iPad', activation: 'activated', end: '2027-01-31' }],
    '2026-11-22T10:00:00Z',
  );
  const [device] = (await ask('?q=history1')).data;
  assert.partialDeepStrictEqual(device, {
    company_code: user.companyCode,
    activation_status: 'activated',
    coverage_end_date: '2027-01-31',
    first_seen: '2026-11-20T10:00:00.000Z',
    last_checked: '2026-11-22T10:00:00.000Z',
    changed_at: '2026-11-21T10:00:00.000Z',
    source: 'sandbox',
  });
  const details = await ask(`/${device._id}`);
  assert.deepEqual(details.tickets, [first.number, second.number, third.number]);
  assert.deepEqual(details.history, [
    {
      at: '2026-11-20T10:00:00.000Z',
      source: 'sandbox',
      ticket_number: first.number,
      changes: {
        type: [null, 'iPad'],
        activation_status: [null, 'unactivated'],
        warranty_title: [null, 'Limited Warranty'],
      },
    },
    {
      at: '2026-11-21T10:00:00.000Z',
      source: 'sandbox',
      ticket_number: second.number,
      changes: { activation_status: ['unactivated', 'activated'], coverage_end_date: [null, '2027-01-31'] },
    },
  ]);
});

test('the tickets of a device are in their order, whichever registers it first', async () => {
  const owner = await createUser(api);
  const ticket = { companyCode: owner.companyCode, createdBy: owner.id, status: 'Cancelled' } as const;
  const rows = [{ serial: 'TURN1', state: 'done' } as const];
  const first = await createTicketWithRows(api, { ...ticket, rows });
  const second = await createTicketWithRows(api, { ...ticket, rows });
  await registerTicket(api.context.db, second.id);
  await registerTicket(api.context.db, first.id);
  const [device] = (await ask('?q=TURN1', owner)).data;
  const answer = await api.send(`GET /api/devices/${device._id}`, { token: owner.token });
  assert.deepEqual(answer.json().tickets, [first.number, second.number]);
});

test('an answer that is older than the device’s answer only adds its ticket', async () => {
  await look(user, [{ serial: 'LATE1', type: 'new' }], '2026-11-22T10:00:00Z');
  const { number } = await look(user, [{ serial: 'LATE1', type: 'old' }], '2026-11-21T10:00:00Z');
  const [device] = (await ask('?q=LATE1')).data;
  assert.partialDeepStrictEqual(device, { type: 'new', changed_at: null });
  assert.ok((await ask(`/${device._id}`)).tickets.includes(number));
});

test('a device keeps its values when a later row is not found', async () => {
  await look(user, [{ serial: 'KEPT1', type: 'iPhone' }]);
  await look(user, [{ serial: 'KEPT1', state: 'failed' }], '2026-11-23T10:00:00Z');
  const [device] = (await ask('?q=KEPT1')).data;
  assert.partialDeepStrictEqual(device, { type: 'iPhone', last_checked: '2026-11-20T10:00:00.000Z' });
});

test('filters apply together, and the counts are those of the scope', async (t) => {
  const owner = await createUser(api);
  const { number } = await look(owner, [
    { serial: 'AB123456', type: 'iPad', activation: 'activated', end: '2026-01-31' },
    { serial: 'CD123456', type: 'iPhone', activation: 'unactivated', end: '2999-01-31', title: 'AppleCare+' },
    { serial: 'EF999', type: null, activation: null },
  ]);
  await look(owner, [{ serial: 'CD123456', type: 'iPhone', end: '2999-02-28' }], '2026-11-22T20:00:00Z');
  const [first, , last] = (await ask('', owner)).data;
  const cases: [query: string, found: string[]][] = [
    ['', ['AB123456', 'CD123456', 'EF999']],
    ['q=ab-12', ['AB123456']],
    ['q=56', ['AB123456', 'CD123456']],
    ['q=12', []],
    ['q=12345', ['AB123456', 'CD123456']],
    ['activation=activated', ['AB123456']],
    ['activation=unknown', ['CD123456', 'EF999']],
    ['type=iPad', ['AB123456']],
    ['warranty=AppleCare%2B', []],
    ['ends_from=2026-01-31&ends_to=2026-01-31', ['AB123456']],
    ['ends_within=3650', []],
    ['expired=true', ['AB123456']],
    ['expired=false', ['CD123456']],
    ['never_covered=true', ['EF999']],
    ['never_covered=false', ['AB123456', 'CD123456']],
    ['checked_before=2026-11-21', ['AB123456', 'EF999']],
    // The change was on the 23rd in Jakarta.
    ['changed_since=2026-11-23', ['CD123456']],
    ['changed_since=2026-11-24', []],
    [`ticket_number=${number}`, ['AB123456', 'CD123456', 'EF999']],
    ['source=sandbox&type=iPhone', ['CD123456']],
    ['source=other', []],
    [`ids=${first._id},${last._id}`, ['AB123456', 'EF999']],
    [`ids=${first._id}&activation=unknown`, []],
    ['sort=coverage_end_date', ['AB123456', 'CD123456', 'EF999']],
    ['sort=coverage_end_date&order=desc', ['CD123456', 'AB123456', 'EF999']],
    ['sort=last_checked&order=desc', ['CD123456', 'AB123456', 'EF999']],
    ['sort=type', ['AB123456', 'CD123456', 'EF999']],
    [`company_code=${owner.companyCode}`, ['AB123456', 'CD123456', 'EF999']],
    [`company_code=${user.companyCode}`, []],
  ];
  for (const [query, found] of cases) {
    await t.test(query, async () => assert.deepEqual(await serials(`?${query}`, owner), found));
  }
  const { counts, pagination } = await ask('?counts=1&type=iPad', owner);
  assert.deepEqual(counts, { all: 3, activated: 1, unactivated: 0, unknown: 2, ending_30: 0, expired: 1 });
  assert.equal(pagination.totalItems, 1);
  assert.equal((await ask(`?counts=1&company_code=${owner.companyCode}`, admin)).counts.all, 3);
});

test('an invalid filter is refused with its name', async () => {
  for (const query of ['activation=on', 'ends_from=31/01/2027', 'sort=price', 'ticket_number=x']) {
    const answer = await api.send(`GET /api/devices?${query}`, { token: user.token });
    assert.equal(answer.statusCode, 400, query);
    assert.equal(answer.json().details[0].path, query.split('=')[0]);
  }
});

test('a company neither sees nor deletes the devices of another', async () => {
  await look(user, [{ serial: 'OURS1' }]);
  const [device] = (await ask('?q=OURS1', colleague)).data;
  assert.deepEqual(await serials('?q=OURS1', stranger), []);
  for (const call of ['GET', 'DELETE'] as const) {
    const answer = await api.send(`${call} /api/devices/${device._id}`, { token: stranger.token });
    assert.equal(answer.statusCode, 404);
  }
  assert.deepEqual(await serials('?q=OURS1', admin), ['OURS1']);
});

test('one device, or all devices that pass a filter, are deleted with their history', async () => {
  const owner = await createUser(api);
  const other = await createUser(api);
  await look(owner, [{ serial: 'FORGET1' }, { serial: 'FORGET2' }, { serial: 'STAY1' }]);
  await look(other, [{ serial: 'OTHERS1' }]);
  const [device] = (await ask('?q=FORGET1', owner)).data;
  const one = await api.send(`DELETE /api/devices/${device._id}`, { token: owner.token });
  assert.equal(one.statusCode, 200);
  const forget = (filter: string, count: number) =>
    api.send('POST /api/devices/forget', { token: owner.token, body: { filter, count } });
  assert.equal((await forget('q=FORGET', 2)).statusCode, 409);
  assert.equal((await forget('expired=perhaps', 1)).statusCode, 400);
  assert.deepEqual(await serials('', owner), ['FORGET2', 'STAY1']);
  assert.equal((await forget('q=FORGET', 1)).statusCode, 200);
  assert.deepEqual(await serials('', owner), ['STAY1']);
  const [{ _id: stays }] = (await ask('', owner)).data;
  const { _id: strange } = (await ask('', other)).data[0];
  assert.equal((await forget('ids=', 2)).statusCode, 409);
  assert.equal((await forget(`ids=${stays},x`, 1)).statusCode, 400);
  assert.equal((await forget(`ids=${stays},${strange}`, 2)).statusCode, 409);
  assert.equal((await forget(`ids=${stays}`, 1)).statusCode, 200);
  assert.deepEqual(await serials('', owner), []);
  assert.deepEqual(await serials('', other), ['OTHERS1']);
  const { rows } = await api.context.db.query(
    `SELECT action FROM audit_log WHERE action = 'devices.forget' AND company_code = $1`,
    [owner.companyCode],
  );
  assert.equal(rows.length, 3);
});

test('of calls at the same time that forget the same devices, one succeeds and is recorded', async () => {
  const owner = await createUser(api);
  const other = await createUser(api, { companyCode: owner.companyCode });
  await look(owner, [{ serial: 'ATONCE1' }, { serial: 'ATONCE2' }, { serial: 'ATONCE3' }]);
  const [device] = (await ask('?q=ATONCE1', owner)).data;
  const sendBoth = async (call: string, body?: object) => {
    const answers = await Promise.all([owner, other].map(({ token }) => api.send(call, { token, body })));
    return answers.map(({ statusCode }) => statusCode).toSorted();
  };
  assert.deepEqual(await sendBoth(`DELETE /api/devices/${device._id}`), [200, 404]);
  assert.deepEqual(await sendBoth('POST /api/devices/forget', { filter: '', count: 2 }), [200, 409]);
  const { rows } = await api.context.db.query(
    `SELECT before, after FROM audit_log WHERE action = 'devices.forget' AND company_code = $1 ORDER BY id`,
    [owner.companyCode],
  );
  assert.deepEqual(rows, [
    { before: { serial: 'ATONCE1' }, after: null },
    { before: null, after: { count: 2 } },
  ]);
});

test('nothing is forgotten by a filter that the list would read in another way', async () => {
  const owner = await createUser(api);
  await look(owner, [{ serial: 'MISREAD1', activation: 'activated' }, { serial: 'MISREAD2' }]);
  const wrong: [filter: string, message: string][] = [
    ['activation=activated&activation=activated', 'filter has activation more than once'],
    ['activaton=activated', 'filter has an unknown parameter: activaton'],
    ['activaton=', 'filter has an unknown parameter: activaton'],
    ['__proto__=1', 'filter has an unknown parameter: __proto__'],
    ['type=iPad&activation=maybe', 'filter has an invalid value of activation'],
    ['type=%00', 'filter has an invalid value of type'],
    ['page=0', 'filter has an invalid value of page'],
    ['counts=2', 'filter has an invalid value of counts'],
  ];
  for (const [filter, message] of wrong) {
    for (const count of [1, 2]) {
      const body = { filter, count };
      const answer = await api.send('POST /api/devices/forget', { token: owner.token, body });
      assert.equal(answer.statusCode, 400, `${filter}: ${answer.body}`);
      assert.deepEqual(answer.json().details, [{ path: 'filter', message }]);
    }
  }
  assert.deepEqual(await serials('', owner), ['MISREAD1', 'MISREAD2']);
  const body = { filter: 'activation=&activation=activated&page=2&limit=10&counts=1', count: 1 };
  const answer = await api.send('POST /api/devices/forget', { token: owner.token, body });
  assert.equal(answer.statusCode, 200, answer.body);
  assert.deepEqual(await serials('', owner), ['MISREAD2']);
});

test('a user’s entries are in the log of their company alone, even if a call names another company', async () => {
  const owner = await createUser(api);
  const query = `company_code=${user.companyCode}`;
  const download = await api.send(`GET /api/devices/download?format=json&${query}`, { token: owner.token });
  assert.deepEqual(download.json(), []);
  const body = { filter: query, count: 0 };
  const forget = await api.send('POST /api/devices/forget', { token: owner.token, body });
  assert.equal(forget.statusCode, 200, forget.body);
  const { rows } = await api.context.db.query(
    `SELECT DISTINCT action, company_code FROM audit_log WHERE actor_id = $1 AND object_type = 'devices' ORDER BY action`,
    [owner.id],
  );
  assert.deepEqual(rows, [
    { action: 'devices.export', company_code: owner.companyCode },
    { action: 'devices.forget', company_code: owner.companyCode },
  ]);
});

test('a filter of any length is recorded', async () => {
  const owner = await createUser(api);
  await look(owner, [{ serial: 'LONG1', type: 'iPad' }]);
  // Unlike texts, which PostgreSQL compresses, these characters are all different.
  const text = (from: number) =>
    String.fromCodePoint(...Array.from({ length: 1000 }, (_, at) => 0x4e00 + from + at));
  const filter = `type=${text(0)}&warranty=${text(1000)}&source=${text(2000)}`;
  const body = { filter, count: 0 };
  const answer = await api.send('POST /api/devices/forget', { token: owner.token, body });
  assert.equal(answer.statusCode, 200, answer.body);
  const { data } = (await api.send('GET /api/audit?action=devices.forget', { token: admin.token })).json();
  assert.deepEqual(data[0].after, { count: 0, query: filter });
  assert.equal(data[0].object_id, null);
});

test('deleting a ticket deletes its devices only on request', async () => {
  const owner = await createUser(api);
  const shared = await look(owner, [{ serial: 'ONCE1' }, { serial: 'TWICE1' }]);
  await look(owner, [{ serial: 'TWICE1' }]);
  await api.send(`DELETE /api/imei/${shared.number}`, { token: owner.token });
  assert.deepEqual(await serials('', owner), ['ONCE1', 'TWICE1']);
  const { statusCode } = await api.send(`DELETE /api/data/${shared.number}?forget_devices=true`, {
    token: owner.token,
  });
  assert.equal(statusCode, 200);
  assert.deepEqual(await serials('', owner), ['TWICE1']);
  const single = await look(owner, [{ serial: 'SINGLE1' }]);
  await api.send(`DELETE /api/tickets/${single.id}?forget_devices=true`, { token: admin.token });
  assert.deepEqual(await serials('', owner), ['TWICE1']);
});

test('a ticket that was deleted has no devices any more', async () => {
  const owner = await createUser(api);
  const [first, second, third] = [
    await look(owner, [{ serial: 'GONE1' }, { serial: 'KEPT1' }]),
    await look(owner, [{ serial: 'GONE1' }, { serial: 'KEPT1' }]),
    await look(owner, [{ serial: 'KEPT1' }]),
  ];
  const remove = ({ id }: { id: number }, query: string) =>
    api.send(`DELETE /api/tickets/${id}${query}`, { token: admin.token });
  await remove(first, '?forget_devices=true');
  assert.deepEqual(await serials('', owner), ['GONE1', 'KEPT1']);
  await remove(second, '?forget_devices=true');
  assert.deepEqual(await serials('', owner), ['KEPT1']);
  await remove(third, '');
  assert.deepEqual(await serials('', owner), ['KEPT1']);
});

test('results are registered before they are deleted', async () => {
  const owner = await createUser(api);
  const ticket = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ serial: 'UNREGISTERED1', state: 'done' }],
  });
  await api.send(`DELETE /api/imei/${ticket.number}`, { token: owner.token });
  assert.deepEqual(await serials('', owner), ['UNREGISTERED1']);
});

test('results that the database refuses to register hold up no others', async () => {
  const owner = await createUser(api);
  const { db } = api.context;
  const make = (serial: string) =>
    createTicketWithRows(api, {
      companyCode: owner.companyCode,
      createdBy: owner.id,
      rows: [{ serial, state: 'done' }],
    });
  await db.query("ALTER TABLE devices ADD CONSTRAINT refused CHECK (serial <> 'REFUSED1')");
  await make('REFUSED1');
  await make('AFTER1');
  await assert.rejects(registerSome(db));
  await assert.rejects(registerSome(db));
  assert.deepEqual(await serials('', owner), ['AFTER1']);
  await db.query('ALTER TABLE devices DROP CONSTRAINT refused');
  await registerSome(db);
  assert.deepEqual(await serials('', owner), ['AFTER1', 'REFUSED1']);
});

test('results of a company that was deleted before their registration are skipped', async () => {
  const { db } = api.context;
  await db.query(
    `INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions) VALUES (1, 1, 'GONE', '{1}')`,
  );
  await registerSome(db);
  const { rows } = await db.query('SELECT FROM unregistered_results');
  assert.equal(rows.length, 0);
});

test('devices are deleted with their company, and answers with their device', async () => {
  const { db } = api.context;
  const count = async (table: string) =>
    Number((await db.query(`SELECT count(*) FROM ${table}`)).rows[0]?.count);
  const before = [await count('devices'), await count('device_answers')] as const;
  const owner = await createUser(api);
  const ticket = await look(owner, [{ serial: 'CASCADE1' }, { serial: 'CASCADE2' }]);
  assert.deepEqual([await count('devices'), await count('device_answers')], [before[0] + 2, before[1] + 2]);
  await db.query("DELETE FROM devices WHERE serial = 'CASCADE1'");
  assert.deepEqual([await count('devices'), await count('device_answers')], [before[0] + 1, before[1] + 1]);
  await db.query('DELETE FROM serials WHERE ticket_id = $1', [ticket.id]);
  await db.query('DELETE FROM tickets WHERE id = $1', [ticket.id]);
  await db.query('DELETE FROM users WHERE company_code = $1', [owner.companyCode]);
  await db.query('DELETE FROM clients WHERE company_code = $1', [owner.companyCode]);
  assert.deepEqual([await count('devices'), await count('device_answers')], before);
});

test('the download has the devices of the list in the same order', async () => {
  const owner = await createUser(api);
  await look(owner, [
    { serial: 'FILE1', type: 'iPad' },
    { serial: 'FILE2', type: 'iPhone' },
    { serial: 'X' },
  ]);
  const answer = await api.send('GET /api/devices/download?format=json&q=FILE&order=desc', {
    token: owner.token,
  });
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-disposition']), /devices_\d{4}-\d\d-\d\d\.json/);
  const rows = answer.json<{ serial_number: string }[]>();
  assert.deepEqual(
    rows.map((row) => row.serial_number),
    ['FILE2', 'FILE1'],
  );
  assert.deepEqual(rows[0], (await ask('?q=FILE2', owner)).data[0]);
  const book = await api.send('GET /api/devices/download?q=FILE', { token: owner.token });
  assert.equal(book.statusCode, 200);
  assert.equal(book.rawPayload.subarray(0, 2).toString(), 'PK');
});

test('the figures count the devices behind each choice', async () => {
  const owner = await createUser(api);
  const end = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await look(
    owner,
    [
      { serial: 'FIG1', type: 'iPad', end: end(10) },
      { serial: 'FIG2', type: 'iPad', end: end(75), title: 'AppleCare+' },
      { serial: 'FIG3', type: null, end: null },
      { serial: 'FIG4', type: 'iPhone', end: end(-10) },
    ],
    new Date(Date.now() - 60 * 86_400_000).toISOString(),
  );
  await look(owner, [{ serial: 'FIG3', type: 'iPhone' }], new Date().toISOString());
  const figures = await ask('/figures?values=1', owner);
  assert.partialDeepStrictEqual(figures, {
    ending_30: 1,
    ending_60: 1,
    ending_90: 2,
    ending_180: 2,
    covered: 2,
    never_covered: 1,
    changed_7: 1,
    changed_30: 1,
    types: [
      { value: 'iPad', count: 2 },
      { value: 'iPhone', count: 2 },
    ],
    warranties: [
      { value: 'Limited Warranty', count: 3 },
      { value: 'AppleCare+', count: 1 },
    ],
    sources: [{ value: 'sandbox', count: 4 }],
  });
  assert.deepEqual(await serials(`?changed_since=${figures.since_7}`, owner), ['FIG3']);
  for (const caller of [owner, admin]) {
    const { activated, unactivated, unknown, ending_months: months } = await ask('/figures', caller);
    for (const [activation, count] of Object.entries({ activated, unactivated, unknown })) {
      const { pagination } = await ask(`?activation=${activation}`, caller);
      assert.equal(pagination.totalItems, count, activation);
    }
    assert.equal(months.length, 24);
    for (const { from, to, devices } of months) {
      const { pagination } = await ask(`?ends_from=${from}&ends_to=${to}`, caller);
      assert.equal(pagination.totalItems, devices, from);
    }
  }
  const { ending_months } = await ask('/figures', owner);
  assert.equal(ending_months.filter(({ devices }: { devices: number }) => devices > 0).length, 2);
  assert.equal((await ask('/figures', owner)).types, undefined);
  assert.equal((await ask(`/figures?company_code=${user.companyCode}`, owner)).covered, 0);
  assert.equal((await ask(`/figures?company_code=${owner.companyCode}`, admin)).covered, 2);
});

test('a device of a ticket whose rows were deleted counts as had by it', async () => {
  const owner = await createUser(api);
  const first = await look(owner, [{ serial: 'HAD1' }]);
  const second = await look(owner, [{ serial: 'HAD1' }, { serial: 'HAD2' }]);
  await api.send(`DELETE /api/imei/${first.number}`, { token: owner.token });
  await api.send(`DELETE /api/data/${first.number}`, { token: owner.token });
  const { statusCode } = await api.send(`DELETE /api/imei/${second.number}?forget_devices=true`, {
    token: owner.token,
  });
  assert.equal(statusCode, 200);
  assert.deepEqual(await serials('', owner), ['HAD1']);
});

test('a device that another ticket has as a row without a result is not forgotten with a ticket', async () => {
  const owner = await createUser(api);
  const companyCode = owner.companyCode;
  const { number } = await look(
    owner,
    ['PENDING1', 'FAILED1', 'ALONE1'].map((serial) => ({ serial })),
  );
  await createTicketWithRows(api, {
    companyCode,
    createdBy: owner.id,
    status: 'Processing',
    rows: [{ serial: 'PENDING1' }, { serial: 'FAILED1', state: 'failed', reason: 'Not found' }],
  });
  const { statusCode } = await api.send(`DELETE /api/imei/${number}?forget_devices=true`, {
    token: owner.token,
  });
  assert.equal(statusCode, 200);
  assert.deepEqual(await serials('', owner), ['FAILED1', 'PENDING1']);
});

test('devices that were not checked for DEVICE_DAYS are deleted', async () => {
  const owner = await createUser(api);
  await look(owner, [{ serial: 'OLD1' }], new Date(Date.now() - 3000 * 86_400_000).toISOString());
  await look(owner, [{ serial: 'NEW1' }], new Date().toISOString());
  await forgetUncheckedDevices(api.context.db, 2999);
  assert.deepEqual(await serials('', owner), ['NEW1']);
});

test('a part with case, spaces and dashes finds its serials', async () => {
  const owner = await createUser(api);
  await look(owner, [{ serial: '356303489012342' }, { serial: 'C02ABCD1EF' }]);
  const cases: [typed: string, found: string[]][] = [
    ['35 630348-901234-2', ['356303489012342']],
    ['c02-abcd', ['C02ABCD1EF']],
    ['C0', ['C02ABCD1EF']],
    ['ef', ['C02ABCD1EF']],
    ['2a', []],
    ['abcd1', ['C02ABCD1EF']],
    ['abcd', []],
    ['-', []],
  ];
  for (const [typed, found] of cases) {
    assert.deepEqual(await serials(`?q=${encodeURIComponent(typed)}`, owner), found, typed);
  }
});
