import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readResultsSheet } from '#tests/support/api/exports.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import type { Statement } from '../statements.contract.ts';
import { readStatements } from './statements.service.ts';

let api: TestApi;
let superadmin: TestUser;
let admin: TestUser;
let other: TestUser;
const month = '2026-10';

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  superadmin = await createUser(api, { superadmin: true });
  admin = await createUser(api, { companyAdmin: true });
  other = await createUser(api, { companyAdmin: true });
});
after(() => api.close());

const read = async (who: TestUser, query = `month=${month}`) => {
  const answer = await api.send(`GET /api/statements?${query}&limit=100`, { token: who.token });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: Statement[] }>().data;
};

/** Makes a ticket of a company that ended at an instant. @returns its number */
async function endTicket(
  { companyCode, id }: TestUser,
  finishedAt: string,
  terms: {
    status?: 'Completed' | 'Cancelled';
    price?: string;
    rate?: number;
    discount?: number;
    unbilled?: number;
  } = {},
): Promise<string> {
  const { status = 'Completed', price = '0.05', rate = 16_123, discount = 0, unbilled = 0 } = terms;
  const rows = [{ state: 'done' }, { state: 'done' }, { state: 'done' }, { state: 'failed' }] as const;
  const ticket = await createTicketWithRows(api, { companyCode, createdBy: id, status, rows: [...rows] });
  await api.context.db.query(
    `UPDATE tickets SET finished_at = $2, price = $3, current_dollar_price = $4, discount = $5, unbilled_count = $6, import_kind = 'upload',
       known_count = $6 WHERE id = $1`,
    [ticket.id, finishedAt, price, rate, discount, unbilled],
  );
  return ticket.number;
}

test('a statement has the tickets that ended in the month of APP_TIMEZONE, at their rounded amounts', async () => {
  const first = await endTicket(admin, '2026-09-30T17:00:00Z', { discount: 7 });
  const last = await endTicket(admin, '2026-10-31T16:59:59Z', { status: 'Cancelled', unbilled: 1 });
  await endTicket(admin, '2026-09-30T16:59:59Z');
  await endTicket(admin, '2026-10-31T17:00:00Z');
  await createTicketWithRows(api, {
    companyCode: admin.companyCode,
    createdBy: admin.id,
    status: 'Processing',
    rows: [{ state: 'done' }],
  });
  const line = { file_name: 'sheet.xlsx', kind: 'upload', rows: 4, price: 806 };
  const statements = await read(superadmin);
  assert.equal(statements.length, 1);
  assert.equal(statements[0]?.tickets.length, 2);
  assert.partialDeepStrictEqual(statements, [
    {
      company_code: admin.companyCode,
      company_name: 'Acme',
      tickets: [
        // 3 x 0.05 x 16,123 = 2,418.45, less 7 percent, 169.2915.
        {
          ...line,
          ticket_number: first,
          date: '2026-10-01',
          billable: 3,
          subtotal: 2418,
          discount: 169,
          total: 2249,
        },
        {
          ...line,
          ticket_number: last,
          date: '2026-10-31',
          billable: 2,
          subtotal: 1612,
          discount: 0,
          total: 1612,
        },
      ],
      total: 3861,
    },
  ]);
  const ticket = (
    await api.send(`GET /api/tickets/by-number?ticket_number=${first}`, { token: admin.token })
  ).json();
  assert.equal(Math.round((ticket.ticket ?? ticket).total_amount), 2249);
});

test('administrators of a company see only its statement', async () => {
  await endTicket(other, '2026-10-10T00:00:00Z');
  assert.equal((await read(superadmin)).length, 2);
  assert.deepEqual((await read(superadmin, `month=${month}&company_code=${other.companyCode}`)).length, 1);
  const codes = (await read(other)).map(({ company_code }) => company_code);
  assert.deepEqual(codes, [other.companyCode]);
  assert.deepEqual(await read(other, `month=${month}&company_code=${admin.companyCode}`), []);
  assert.deepEqual(await read(superadmin, 'month=2026-01'), []);
});

test('a month that is none is refused', async () => {
  for (const query of ['', 'month=2026', 'month=2026-13', 'month=0000-01']) {
    const refused = await api.send(`GET /api/statements?${query}`, { token: superadmin.token });
    assert.deepEqual([refused.statusCode, refused.json().details[0].path], [400, 'month'], query);
  }
});

test('the download has what the list has, as JSON and as a workbook with a sum per company and of all', async () => {
  const download = (format: string, who = superadmin) =>
    api.send(`GET /api/statements/download?month=${month}&format=${format}`, { token: who.token });
  assert.deepEqual((await download('json')).json(), await read(superadmin));
  assert.deepEqual((await download('json', other)).json(), await read(other));
  const rows = readResultsSheet((await download('excel')).rawPayload);
  const statements = await read(superadmin);
  assert.equal(rows.length, 2 + statements.reduce((sum, { tickets }) => sum + tickets.length + 1, 0));
  assert.equal(rows.at(-2)?.at(-1), statements.at(-1)?.total);
  assert.ok(rows.at(-1)?.includes('All companies'));
  assert.equal(
    rows.at(-1)?.at(-1),
    statements.reduce((sum, { total }) => sum + total, 0),
  );
  const own = readResultsSheet((await download('excel', other)).rawPayload);
  assert.equal(own.at(-1)?.at(-1), statements.at(-1)?.total, 'a single company has no second sum');
});

test('a file has each company once, although one gets its first ticket while the file is written', async (t) => {
  const owners: string[] = [];
  for (let count = 0; count < 52; count++) owners.push(await createCompany(api));
  const [late = '', ...others] = owners.toSorted();
  for (const companyCode of others) await endTicket({ ...superadmin, companyCode }, '2026-03-10T00:00:00Z');
  const codes: string[] = [];
  const scopedQuery = { firstDay: '2026-03-01', timeZone: 'Asia/Jakarta', companyCode: null };
  const client = await api.context.db.connect();
  t.after(() => client.release());
  for await (const statements of readStatements(client, scopedQuery)) {
    codes.push(...statements.map(({ company_code }) => company_code));
    if (codes.length === 50) await endTicket({ ...superadmin, companyCode: late }, '2026-03-10T00:00:00Z');
  }
  assert.deepEqual(codes, others);
});

test('the summary of a month sums all statements, whatever page is read', async () => {
  const ask = async (who: TestUser, page: string) =>
    (await api.send(`GET /api/statements?month=${month}&${page}`, { token: who.token })).json();
  const whole = await ask(superadmin, 'limit=100');
  const lines = (whole.data as Statement[]).flatMap(({ tickets }) => tickets);
  const sum = (amount: 'billable' | 'subtotal' | 'discount' | 'total') =>
    lines.reduce((total, line) => total + line[amount], 0);
  assert.ok(whole.data.length > 1);
  assert.deepEqual(whole.summary, {
    companies: whole.data.length,
    tickets: lines.length,
    billable: sum('billable'),
    subtotal: sum('subtotal'),
    discount: sum('discount'),
    total: sum('total'),
  });
  assert.deepEqual((await ask(superadmin, 'limit=1&page=2')).summary, whole.summary);
  assert.equal((await ask(admin, 'limit=1')).summary.companies, 1);
});

test('prices and rates of any size leave the statements of the month readable', async () => {
  const owner = await createUser(api);
  const number = await endTicket(owner, '2026-07-10T00:00:00Z', { price: '10000', rate: 1_000_000_000 });
  await api.context.db.query('UPDATE tickets SET total = 1000000, done = 999999 WHERE ticket_number = $1', [
    number,
  ]);
  for (const call of ['statements?month=2026-07', 'invoices/month-end?month=2026-07']) {
    const answer = await api.send(`GET /api/${call}`, { token: superadmin.token });
    assert.equal(answer.statusCode, 200, call);
    const [first] = answer.json().data;
    assert.equal(first.total ?? first.statement.total, 999_999e13, call);
  }
});

test('a workbook names the tickets of a statement as the screens do', async () => {
  const owner = await createUser(api, { companyAdmin: true });
  const kinds = ['paste', 'recheck'] as const;
  for (const [day, kind] of kinds.entries()) {
    const number = await endTicket(owner, `2026-10-1${day}T00:00:00Z`);
    await api.context.db.query(
      `UPDATE tickets SET import_kind = $2, file_name = $3, created_at = '2026-09-30T17:00:00Z' WHERE ticket_number = $1`,
      [number, kind, kind === 'recheck' ? 'recheck_ACM001_2026-10-01' : null],
    );
  }
  const read = await api.send(`GET /api/statements/download?month=${month}&format=excel`, owner);
  const names = readResultsSheet(read.rawPayload).map((row) => row[4]);
  assert.deepEqual(names.slice(1, 3), ['Pasted, 4 serials', 'Recheck of October 2026']);
});
