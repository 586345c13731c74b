import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;

before(async () => {
  api = await createTestApi({ PRICE_USD: '0.07', DOLLAR_RATE: '15000' });
  superadmin = await createUser(api, { superadmin: true });
  admin = await createUser(api, { companyAdmin: true });
});
after(() => api.close());

const terms = {
  price: 0.04,
  discount: 10,
  payment_days: 14,
  address: 'Jalan Sudirman 1\nJakarta 10220',
  tax_number: '01.234.567.8-901.000',
  invoice_emails: ['finance@example.test', 'ayu@localhost'],
};
const unset = {
  price: null,
  discount: 0,
  payment_days: null,
  address: '',
  tax_number: '',
  invoice_emails: [],
};
const read = (who: TestUser, code = admin.companyCode) =>
  api.send(`GET /api/terms/${code}`, { token: who.token });
const put = (body: unknown, code = admin.companyCode) =>
  api.send(`PUT /api/terms/${code}`, { token: superadmin.token, body });

test('a superadmin sets the terms of a company, which its administrators read, and others do not', async () => {
  assert.deepEqual((await read(superadmin)).json(), { ...unset, version: 0 });
  assert.deepEqual((await put({ ...terms, version: 0 })).json(), { ...terms, version: 1 });
  assert.deepEqual((await read(admin)).json(), { ...terms, version: 1 });
  const other = await createUser(api, { companyAdmin: true });
  assert.equal((await read(other)).statusCode, 404);
  assert.equal((await read(superadmin, 'NONE9')).statusCode, 404);
  assert.equal((await put(terms, 'NONE9')).statusCode, 404);
  const refused = await api.send(`PUT /api/terms/${admin.companyCode}`, { token: admin.token, body: terms });
  assert.equal(refused.statusCode, 403);

  assert.deepEqual((await put({ discount: 5 })).json(), { ...terms, discount: 5, version: 2 });
  const stale = await put({ ...terms, version: 1 });
  assert.deepEqual([stale.statusCode, stale.json().code], [409, 'changed_meanwhile']);
  const [entry] = (await readAuditLog(api, superadmin, '?action=terms.update')).data;
  assert.deepEqual([entry?.object_id, entry?.company_code], [admin.companyCode, admin.companyCode]);
  assert.deepEqual([entry?.before?.discount, entry?.after?.discount], [10, 5]);
  assert.deepEqual(
    [entry?.after?.price, entry?.after?.invoice_emails],
    ['0.04', 'finance@example.test, ayu@localhost'],
  );
});

test('a price that is too high or too exact is refused for that reason', async () => {
  const messageOf = async (price: number) => (await put({ price })).json().message;
  assert.equal(await messageOf(441_650_591), 'price must be at most 99999999');
  assert.match(await messageOf(0.000_000_1), /at most 6 decimals/);
});

test('terms that cannot be are refused, each by its field', async () => {
  const faults = {
    price: [0, -1, 0.000_000_1, 100_000_000, '0.05', 1e30],
    discount: [-1, 101, 1.5, null],
    payment_days: [-1, 366, 1.5],
    address: ['x'.repeat(1001), null],
    tax_number: ['x'.repeat(101)],
    invoice_emails: [
      ['nobody'],
      ['a@b.test', 'A@b.test'],
      Array.from({ length: 11 }, (_, n) => `a${n}@b.test`),
    ],
  };
  for (const [field, values] of Object.entries(faults)) {
    for (const value of values) {
      const answer = await put({ [field]: value });
      assert.equal(answer.statusCode, 400, `${field}: ${value}`);
      assert.match(answer.json().details[0].path, new RegExp(`^${field}`));
    }
  }
});

test('new tickets of every kind take price and discount of the terms; earlier ones keep theirs', async () => {
  const { companyCode, id } = admin;
  await put({ ...unset, price: 0.123_456, discount: 10 });
  const imeis = makeImeis(4);
  const send = (call: string, who: TestUser, body?: unknown) =>
    api.send(call, { token: who.token, ...(body !== undefined && { body }) });
  const order = { data_count: 3, company_code: companyCode };
  await createTicketWithRows(api, {
    companyCode,
    createdBy: id,
    status: 'Completed',
    rows: [{ state: 'done', serial: imeis[3] ?? '' }],
  });
  await registerSome(api.context.db);
  const answers = [
    await send('POST /api/tickets', superadmin, order),
    await send('POST /api/data/serials', admin, { serials: [imeis[0]] }),
    await uploadSheet(api, admin, makeWorkbook([imeis[1] ?? ''])),
    await send(`POST /api/rechecks/${companyCode}/run`, admin),
  ];
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [201, 201, 201, 201],
    answers.map(({ body }) => body).join(),
  );
  const stored = async () =>
    (
      await api.context.db.query<{ price: string; discount: number }>(
        'SELECT price, discount FROM tickets WHERE company_code = $1 ORDER BY id',
        [companyCode],
      )
    ).rows;
  const made = await stored();
  assert.equal(made.length, 5);
  for (const ticket of made) assert.deepEqual(ticket, { price: '0.123456', discount: 10 });

  await put({ price: null, discount: 0 });
  const { ticket } = (await api.send('POST /api/tickets', { token: superadmin.token, body: order })).json();
  assert.deepEqual([ticket.price, ticket.discount], [0.07, 0]);
  assert.deepEqual((await stored()).slice(0, 5), made);
  const other = await createUser(api);
  const { ticket: theirs } = (
    await api.send('POST /api/data/serials', { token: other.token, body: { serials: [imeis[2]] } })
  ).json();
  assert.deepEqual([theirs.price, theirs.discount], [0.07, 0]);
});

test('terms set at the same time for the first time are stored once', async () => {
  const { companyCode } = await createUser(api);
  const answers = await Promise.all([1, 2].map((discount) => put({ discount, version: 0 }, companyCode)));
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [200, 409]);
});
