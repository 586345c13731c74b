import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Db } from '#server/db/db.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  callerOf,
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { takeMails } from '#tests/support/api/outbox.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Invoice } from '../../invoices.contract.ts';
import type { BatchLine, MonthEndLine, MonthEndSums } from '../../month-end.contract.ts';
import { draftMonth } from './batch.service.ts';

let api: TestApi;
let superadmin: TestUser;

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta', PRICE_USD: '0.05', DOLLAR_RATE: '16000' });
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (call: string, body?: unknown) =>
  api.send(call, { token: superadmin.token, ...(body !== undefined && { body }) });
const batch = async (body: object) => {
  const answer = await send('POST /api/invoices/batch', body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: BatchLine[] }>().data;
};
const read = async (month: string, paging = 'limit=1000') => {
  const answer = await send(`GET /api/invoices/month-end?month=${month}&${paging}`);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ data: MonthEndLine[]; sums: MonthEndSums }>();
};
/** Makes a Completed ticket with so many billed rows at 800 rupiah. */
async function endTicket(companyCode: string, month: string, done = 1): Promise<void> {
  const rows = Array.from(
    { length: Math.max(done, 1) },
    () => ({ state: done > 0 ? 'done' : 'failed' }) as const,
  );
  const { id } = await createTicketWithRows(api, {
    companyCode,
    createdBy: superadmin.id,
    status: 'Completed',
    rows,
  });
  await api.context.db.query('UPDATE tickets SET finished_at = $2 WHERE id = $1', [id, `${month}-10`]);
}
const setEmails = (code: string, ...invoice_emails: string[]) =>
  send(`PUT /api/terms/${code}`, { invoice_emails });

test('the month’s end: all companies are drafted, looked through, issued and sent; who cannot be billed is named', async () => {
  const month = '2026-03';
  const [first, second, unreachable, idle, gone] = await Promise.all(
    ['Aaa', 'Bbb', 'Ccc', 'Ddd', 'Eee'].map((name) => createCompany(api, name)),
  );
  const codes = [first, second, unreachable, idle, gone].map((code) => code ?? assert.fail());
  const [a = '', b = '', c = '', d = '', e = ''] = codes;
  await endTicket(a, '2026-02', 2);
  await endTicket(e, '2026-02', 1);
  for (const code of [a, b, c]) await endTicket(code, month, 3);
  await endTicket(a, month);
  await endTicket(d, month, 0);
  await setEmails(a, 'a@example.test');
  await setEmails(b, 'b@example.test', 'bb@example.test');

  const before = await read(month);
  assert.deepEqual(
    before.data.map(({ company_code, statement, before: last, open, invoices, has_address }) => [
      company_code,
      statement.total,
      last.total,
      open,
      invoices,
      has_address,
    ]),
    [
      [a, 3200, 1600, 3200, [], true],
      [b, 2400, 0, 2400, [], true],
      [c, 2400, 0, 2400, [], false],
      [d, 0, 0, 0, [], false],
      [e, 0, 800, 0, [], false],
    ],
  );
  assert.deepEqual((await read(month, 'page=2&limit=2')).data.length, 2);

  const drafted = await batch({ month, do: 'draft' });
  assert.deepEqual(
    drafted.map(({ company_code, invoice, error }) => [company_code, invoice?.number, invoice?.total, error]),
    [
      [a, null, 3200, null],
      [b, null, 2400, null],
      [c, null, 2400, null],
      [d, undefined, undefined, 'nothing_to_invoice'],
    ],
  );
  assert.deepEqual(
    (await batch({ month, do: 'draft' })).map(({ company_code, error }) => [company_code, error]),
    [[d, 'nothing_to_invoice']],
  );

  const draftOf = async (code: string) =>
    (await read(month)).data.find(({ company_code }) => company_code === code)?.invoices[0] ?? assert.fail();
  const totals = {
    [(await draftOf(a))._id]: 3200,
    [(await draftOf(b))._id]: 1,
    [(await draftOf(c))._id]: 2400,
  };
  const issued = await batch({ month, do: 'issue', send: true, totals });
  assert.deepEqual(
    issued.map(({ company_code, invoice, error }) => [company_code, invoice?.number?.slice(-4), error]),
    [
      [a, '0001', null],
      [b, undefined, 'changed_meanwhile'],
      [c, undefined, 'no_invoice_emails'],
    ],
  );
  assert.deepEqual(await batch({ month, do: 'issue', totals: {} }), []);
  const rest = await batch({ month, do: 'issue', send: true });
  assert.deepEqual(
    rest.map(({ company_code, error }) => [company_code, error]),
    [
      [b, null],
      [c, 'no_invoice_emails'],
    ],
  );
  const [last] = await batch({ month, do: 'issue' });
  // A refused one takes no number.
  assert.equal(last?.invoice?.number?.slice(-4), '0003');
  const lines = await waitFor('the mails', async () => {
    const { data } = await read(month);
    const invoices = data.flatMap((line) => line.invoices);
    return invoices.some(({ sent }) => sent?.status === 'queued') ? undefined : data;
  });
  assert.deepEqual(
    lines.map(({ open, invoices: [invoice] }) => [open, invoice?.status, invoice?.sent?.status]),
    [
      [0, 'issued', 'sent'],
      [0, 'issued', 'sent'],
      [0, 'issued', undefined],
      [0, undefined, undefined],
      [0, undefined, undefined],
    ],
  );
  assert.deepEqual(
    (await takeMails(api)).map(({ to }) => to?.[0]?.address),
    ['a@example.test', 'b@example.test', 'bb@example.test'],
  );
});

test('a ticket that ended after its company was billed gets a draft of its own, and no ticket is billed twice', async () => {
  const month = '2026-05';
  const code = await createCompany(api);
  await endTicket(code, month, 3);
  await batch({ month, do: 'draft' });
  await batch({ month, do: 'issue' });
  assert.deepEqual(await batch({ month, do: 'draft' }), []);
  await endTicket(code, month, 2);
  const [late, ...others] = await batch({ month, do: 'draft' });
  assert.deepEqual([late?.company_code, late?.invoice?.total, others], [code, 1600, []]);
  await endTicket(code, month);
  assert.equal((await batch({ month, do: 'draft' }))[0]?.invoice?.total, 800, 'also beside a draft');
  const [line] = (await read(month)).data;
  assert.deepEqual(
    [line?.open, line?.invoices.map(({ status, total }) => [status, total])],
    [
      0,
      [
        ['issued', 2400],
        ['draft', 1600],
        ['draft', 800],
      ],
    ],
  );
  const { rows } = await api.context.db.query(
    `SELECT count(*)::int AS placed, count(DISTINCT ticket_number)::int AS tickets FROM invoice_tickets
     JOIN invoices ON id = invoice_id WHERE company_code = $1`,
    [code],
  );
  assert.deepEqual(rows, [{ placed: 3, tickets: 3 }]);
  const issued = await batch({ month, do: 'issue' });
  assert.deepEqual(
    issued.map(({ company_code, invoice }) => [company_code, invoice?.total]),
    [
      [code, 1600],
      [code, 800],
    ],
  );
});

test('an amount that is not exact in JSON is neither drafted nor issued, and names its ticket', async () => {
  const month = '2026-06';
  const [small, large] = [await createCompany(api, 'Fff'), await createCompany(api, 'Ggg')];
  for (const code of [small, large]) await endTicket(code, month, 2);
  const setPrice = (price: string, rate: number) =>
    api.context.db.query('UPDATE tickets SET price = $2, current_dollar_price = $3 WHERE company_code = $1', [
      large,
      price,
      rate,
    ]);
  const outcomes = (lines: BatchLine[]) =>
    lines.map(({ company_code, error }) => [company_code, error] as const);
  await setPrice('99999999', 1_000_000_000);
  const created = await send('POST /api/invoices', { company_code: large, month });
  assert.equal(created.statusCode, 409, created.body);
  assert.equal(created.json().code, 'invoice_too_large');
  assert.match(
    created.json().message,
    /^The total is above Rp 9.007.199.254.740.991\. Check the price and rate of ticket \d+/,
  );
  assert.deepEqual(outcomes(await batch({ month, do: 'draft' })), [
    [small, null],
    [large, 'invoice_too_large'],
  ]);

  await setPrice('0.05', 16_000);
  await batch({ month, do: 'draft' });
  await setPrice('99999999', 1_000_000_000);
  const drafts = (await read(month)).data.flatMap(({ invoices }) => invoices);
  const { _id, total } = drafts.find((one) => one.total > Number.MAX_SAFE_INTEGER) ?? assert.fail();
  for (const body of [{}, { total }]) {
    const issued = await send(`POST /api/invoices/${_id}/issue`, body);
    assert.deepEqual([issued.statusCode, issued.json().code], [409, 'invoice_too_large'], issued.body);
  }
  const totals = Object.fromEntries(drafts.map((draft) => [draft._id, draft.total]));
  assert.deepEqual(outcomes(await batch({ month, do: 'issue', totals })), [
    [small, null],
    [large, 'invoice_too_large'],
  ]);
});

test('the sums of a month are those of all companies, on whatever page', async () => {
  const month = '2026-07';
  const codes = [await createCompany(api, 'Hhh'), await createCompany(api, 'Iii'), await createCompany(api)];
  for (const code of codes) await endTicket(code, month, 2);
  await endTicket(await createCompany(api), month, 0);
  const seller = { name: 'Seller', address: '', tax_number: '', bank: '' };
  await send('PUT /api/invoices/seller', { ...seller, ppn_percent: 11 });
  const sums = async () => (await read(month, 'page=2&limit=1')).sums;
  const none = { companies: 0, total: 0, ppn: 0 };
  assert.deepEqual(await sums(), {
    open: { companies: 3, total: 4800, ppn: 0 },
    drafts: none,
    issued: none,
  });
  await batch({ month, do: 'draft' });
  const [draft] = (await read(month)).data.flatMap(({ invoices }) => invoices);
  await send(`POST /api/invoices/${draft?._id}/issue`, {});
  await endTicket(codes[0] ?? assert.fail(), month);
  assert.deepEqual(await sums(), {
    open: { companies: 1, total: 800, ppn: 0 },
    drafts: { companies: 2, total: 3552, ppn: 352 },
    issued: { companies: 1, total: 1776, ppn: 176 },
  });
  await send('PUT /api/invoices/seller', { ...seller, ppn_percent: null });
});

test('a batch ends when the database fails twice in a row, and names the companies that are left', async () => {
  const month = '2026-08';
  const codes = [];
  for (const name of ['Jjj', 'Kkk', 'Lll', 'Mmm']) codes.push(await createCompany(api, name));
  for (const code of codes) await endTicket(code, month);
  let transactions = 0;
  const failing: Db = Object.create(api.context.db, {
    // `query` connects by a callback.
    connect: {
      value: (callback?: never) => {
        if (callback) return api.context.db.connect(callback);
        transactions += 1;
        return Promise.reject(new Error('timeout exceeded when trying to connect'));
      },
    },
  });
  const lines = await draftMonth({ ...api.context, db: failing }, callerOf(superadmin), month);
  assert.deepEqual(
    lines.map(({ company_code, error }) => [company_code, error]),
    codes.map((code) => [code, 'internal']),
  );
  assert.equal(transactions, 2);
});

test('two companies in a row whose drafts fail with an answer of the database stop no other one', async () => {
  const month = '2026-09';
  const { db } = api.context;
  const codes = [];
  for (const name of ['Nnn', 'Ooo', 'Ppp']) codes.push(await createCompany(api, name));
  for (const code of codes) await endTicket(code, month);
  const refused = codes.slice(0, 2).map((code) => `'${code}'`);
  await db.query(`ALTER TABLE invoices ADD CONSTRAINT refused CHECK (company_code NOT IN (${refused}))`);
  const lines = await batch({ month, do: 'draft' });
  await db.query('ALTER TABLE invoices DROP CONSTRAINT refused');
  assert.deepEqual(
    lines.map(({ error }) => error),
    ['internal', 'internal', null],
  );
});

test('two batches at once make one draft of each company and give each one number', async () => {
  const month = '2026-04';
  const companies = await Promise.all(Array.from({ length: 6 }, () => createCompany(api)));
  for (const code of companies) await endTicket(code, month);
  await Promise.all([1, 2].map(() => batch({ month, do: 'draft' })));
  const drafts = (await send(`GET /api/invoices?status=draft&limit=100`)).json<{ data: Invoice[] }>().data;
  assert.deepEqual(
    drafts
      .filter((one) => one.month === month)
      .map(({ company_code }) => company_code)
      .toSorted(),
    companies.toSorted(),
  );
  await Promise.all([1, 2].map(() => batch({ month, do: 'issue' })));
  const { rows } = await api.context.db.query(
    `SELECT split_part(number, '/', 3)::int AS n FROM invoices WHERE number IS NOT NULL ORDER BY n`,
  );
  assert.deepEqual(
    rows.map(({ n }) => n),
    rows.map((_, index) => index + 1),
  );
});
