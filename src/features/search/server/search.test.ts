import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerTicket } from '#features/devices/server/devices.service.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';

let api: TestApi;
let user: TestUser;
let other: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api, { companyCode: await createCompany(api, 'Blue Harbour') });
  other = await createUser(api, { companyCode: await createCompany(api, 'Harbour Lights') });
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

/** Creates a ticket of finished rows and registers their devices. */
const make = async (owner: TestUser, serials: string[]) => {
  const ticket = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: serials.map((serial) => ({ serial, state: 'done', activation: 'activated', end: '2027-01-31' })),
  });
  await registerTicket(api.context.db, ticket.id);
  return ticket;
};
const find = async (q: string, { token }: TestUser = admin, more = '') => {
  const answer = await api.send(`GET /api/search?q=${encodeURIComponent(q)}${more}`, { token });
  assert.equal(answer.statusCode, 200);
  return answer.json();
};
const serials = async (q: string, caller?: TestUser) =>
  (await find(q, caller)).devices.map((device: { serial_number: string }) => device.serial_number);

test('devices are found by the whole serial first, then by its beginning, then by its end', async () => {
  const { number } = await make(user, [
    ...['990000123456', '123456990000001', '123456', '000123456000', '123456990000002', '123456123456'],
    ...['AB12CD34EF56', 'ab12cd'],
  ]);
  assert.deepEqual(await serials('123456'), [
    '123456',
    '123456123456',
    '123456990000001',
    '123456990000002',
    '990000123456',
  ]);
  assert.deepEqual(await serials('1234-5699 0000/001'), ['123456990000001']);
  assert.deepEqual(await serials('ab12cd'), ['AB12CD34EF56']);
  assert.deepEqual(await serials('cd34ef56'), ['AB12CD34EF56']);
  assert.deepEqual(await serials('12345'), []);
  assert.deepEqual(await serials('12345%'), []);
  const [{ _id, ...device }] = (await find('123456')).devices;
  assert.equal((await api.send(`GET /api/devices/${_id}`, user)).json().device.serial_number, '123456');
  assert.deepEqual(device, {
    serial_number: '123456',
    type: 'iPhone 15',
    activation_status: 'activated',
    coverage_end_date: '2027-01-31',
    ticket_number: number,
    company_code: user.companyCode,
    position: 3,
  });
});

test('a device is found with its newest ticket, and without one after all its rows were deleted', async () => {
  const owner = await createUser(api);
  const [older, newer] = [
    await make(owner, ['350000765432']),
    await make(owner, ['360000765432', '350000765432']),
  ];
  const places = async () =>
    (await find('350000765432', owner)).devices.map(
      ({ ticket_number, position }: { ticket_number: string | null; position: number | null }) => [
        ticket_number,
        position,
      ],
    );
  assert.deepEqual(await places(), [[newer.number, 2]]);
  const deleteResults = (id: number) =>
    api.context.db.query('UPDATE tickets SET coverage_deleted = true WHERE id = $1', [id]);
  await deleteResults(newer.id);
  assert.deepEqual(await places(), [[older.number, 1]]);
  await deleteResults(older.id);
  assert.deepEqual(await places(), [[null, null]]);
  assert.deepEqual(await serials('765432', owner), ['350000765432', '360000765432']);
});

test('a user finds data of their company only, and a superadmin may choose one company', async () => {
  const [mine, theirs] = [await make(user, ['777777000001']), await make(other, ['777777000002'])];
  assert.deepEqual(await serials('777777', user), ['777777000001']);
  assert.deepEqual(await serials('777777', other), ['777777000002']);
  assert.deepEqual(await serials('777777'), ['777777000001', '777777000002']);
  const narrowed = await find('777777', admin, `&company_code=${user.companyCode}`);
  assert.equal(narrowed.devices.length, 1);
  assert.deepEqual((await find('777777', user, `&company_code=${other.companyCode}`)).devices, []);
  const numbers = async (caller: TestUser) =>
    (await find('sheet', caller)).tickets.map((ticket: { ticket_number: string }) => ticket.ticket_number);
  assert.ok((await numbers(user)).includes(mine.number));
  assert.ok(!(await numbers(user)).includes(theirs.number));
  const codes = async (caller: TestUser) =>
    (await find('harbour', caller)).clients.map((client: { company_code: string }) => client.company_code);
  assert.deepEqual(await codes(user), [user.companyCode]);
  assert.deepEqual(await codes(admin), [user.companyCode, other.companyCode]);
});

test('tickets are found by number and file name, and clients by name and code', async () => {
  const { number, id } = await make(user, ['555555000001']);
  await api.context.db.query(
    "UPDATE tickets SET ticket_number = 4711, file_name = 'Gudang Utara.xlsx' WHERE id = $1",
    [id],
  );
  const expected = {
    ticket_number: '4711',
    company_code: user.companyCode,
    file_name: 'Gudang Utara.xlsx',
    status: 'Completed',
  };
  for (const q of ['4711', '471', 'gudang', 'UTARA'])
    assert.deepEqual((await find(q)).tickets, [expected], q);
  assert.notEqual(number, '4711');
  assert.deepEqual((await find('blue harb')).clients, [
    { company_code: user.companyCode, company_name: 'Blue Harbour' },
  ]);
  assert.deepEqual((await find(user.companyCode.toLowerCase())).clients, [
    { company_code: user.companyCode, company_name: 'Blue Harbour' },
  ]);
});

test('administrators find users by name and email and invoices by number, in their scope; users find none', async () => {
  const { db } = api.context;
  const [companyCode, elsewhere] = [await createCompany(api), await createCompany(api)];
  const [owner, stranger] = [
    await createUser(api, { companyCode, companyAdmin: true, name: 'Rina Wulandari' }),
    await createUser(api, { companyCode: elsewhere, name: 'Rina Kartika' }),
  ];
  await createUser(api, { superadmin: true, companyCode, name: 'Rina Root' });
  const colleague = await createUser(api, { companyCode, name: 'Budi' });
  await db.query(
    `INSERT INTO invoices (company_code, month, status, created_at, number, issued_at, issued_on, company_name, tickets,
       subtotal, ppn_percent, ppn, total, seller)
     SELECT code, '2026-10-01', 'issued', now(), number, now(), now(), 'Acme', '[]', 0, 0, 0, 0, '{}'
     FROM unnest($1::text[], $2::text[]) AS made (code, number)`,
    [
      [companyCode, elsewhere],
      ['INV/2026/0041', 'INV/2026/0042'],
    ],
  );
  const names = async (q: string, caller?: TestUser) =>
    (await find(q, caller)).users.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names('rina'), ['Rina Kartika', 'Rina Root', 'Rina Wulandari']);
  assert.deepEqual((await find(stranger.email.toUpperCase())).users, [
    { _id: String(stranger.id), email: stranger.email, name: 'Rina Kartika', company_code: elsewhere },
  ]);
  assert.deepEqual(await names('rina', owner), ['Rina Wulandari']);
  assert.deepEqual(await names('rina', colleague), []);
  const numbers = async (q: string, caller?: TestUser, more = '') =>
    (await find(q, caller, more)).invoices.map(({ number }: { number: string }) => number);
  assert.deepEqual(await numbers('inv/2026/004'), ['INV/2026/0041', 'INV/2026/0042']);
  assert.deepEqual(await numbers('0042'), ['INV/2026/0042']);
  assert.deepEqual(await numbers('2026/004', admin, `&company_code=${elsewhere}`), ['INV/2026/0042']);
  assert.deepEqual(await numbers('2026/004', owner), ['INV/2026/0041']);
  assert.deepEqual(await numbers('2026/004', colleague), []);
});

test('a search without text is refused, a text under three characters finds nothing, and at most ten of each are found', async () => {
  for (const query of ['', '?q=', '?company_code=ACM001']) {
    const answer = await api.send(`GET /api/search${query}`, { token: user.token });
    assert.equal(answer.statusCode, 400, query);
    assert.equal(answer.json().details[0].path, 'q');
  }
  const nothing = { devices: [], tickets: [], clients: [], users: [], invoices: [] };
  for (const q of ['47', ' 4 ', '%']) assert.deepEqual(await find(q), nothing, q);
  await make(
    user,
    Array.from({ length: 12 }, (_, row) => `8888880000${10 + row}`),
  );
  for (let made = 0; made < 11; made++) await createCompany(api, `Many ${made}`);
  for (let made = 0; made < 11; made++) await make(user, []);
  assert.equal((await serials('888888')).length, 10);
  assert.equal((await find('many')).clients.length, 10);
  assert.equal((await find('sheet')).tickets.length, 10);
});

test('only rows with an answer are devices', async () => {
  const ticket = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Cancelled',
    rows: [
      { serial: '666666000001', state: 'done' },
      { serial: '666666000002' },
      { serial: '666666000003', state: 'failed', reason: 'Not found' },
      { serial: '666666X', state: 'failed', reason: 'Invalid serial number' },
    ],
  });
  await registerTicket(api.context.db, ticket.id);
  assert.deepEqual(await serials('666666'), ['666666000001']);
});
