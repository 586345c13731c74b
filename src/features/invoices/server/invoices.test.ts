import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dayIn } from '#shared/calendar-day.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { readResultsSheet } from '#tests/support/api/exports.ts';
import { callerOf, createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { issueDueOn } from '#tests/support/api/invoices.ts';
import type { Invoice, OpenAmounts } from '../invoices.contract.ts';
import { issueInvoice } from './issue-invoice.service.ts';

let api: TestApi;
let superadmin: TestUser;
const month = '2026-10';
const timeZone = 'Asia/Jakarta';
const year = dayIn(timeZone, new Date()).slice(0, 4);
const seller = {
  name: 'PT Cakupan Nusantara',
  address: 'Jalan Sudirman 1\nJakarta',
  tax_number: '01.234.567.8-901.000',
  bank: 'Bank Mandiri 123',
  ppn_percent: null,
};

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (call: string, body?: unknown, who = superadmin) =>
  api.send(call, { token: who.token, ...(body !== undefined && { body }) });

/** Makes a Completed ticket of a company, of 3 billed rows at 806.15 rupiah. @returns its number */
async function endTicket({ companyCode, id }: TestUser, finishedAt = '2026-10-10T00:00:00Z', discount = 0) {
  const rows = [{ state: 'done' }, { state: 'done' }, { state: 'done' }, { state: 'failed' }] as const;
  const ticket = await createTicketWithRows(api, {
    companyCode,
    createdBy: id,
    status: 'Completed',
    rows: [...rows],
  });
  await api.context.db.query(
    `UPDATE tickets SET finished_at = $2, price = '0.05', current_dollar_price = 16123, discount = $3 WHERE id = $1`,
    [ticket.id, finishedAt, discount],
  );
  return ticket;
}

async function draft({ companyCode }: TestUser): Promise<Invoice> {
  const made = await send('POST /api/invoices', { company_code: companyCode, month });
  assert.equal(made.statusCode, 201, made.body);
  return made.json();
}

/** Changes an invoice. @returns the invoice, or the status and code of a refusal */
async function act(call: string, body?: unknown): Promise<Invoice> {
  const answer = await send(call, body);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
}
const issue = ({ _id }: Invoice) => act(`POST /api/invoices/${_id}/issue`);
const refusal = async (call: string, body?: unknown, who = superadmin) => {
  const { statusCode, ...answer } = await send(call, body, who);
  return `${statusCode} ${answer.json().code}`;
};
const list = async (query: string, who = superadmin) =>
  (await send(`GET /api/invoices?${query}`, undefined, who)).json<{ data: Invoice[]; open: OpenAmounts }>();

test('a draft has the tickets of the statement at their rounded amounts, and follows them and the seller', async () => {
  const owner = await createUser(api);
  const first = await endTicket(owner, '2026-10-01T00:00:00Z', 7);
  const second = await endTicket(owner);
  await endTicket(owner, '2026-10-31T17:00:00Z');
  const made = await draft(owner);
  assert.deepEqual(
    made.tickets.map(({ ticket_number, total }) => [ticket_number, total]),
    [
      [first.number, 2249],
      [second.number, 2418],
    ],
  );
  const { status, number, subtotal, ppn, total, issued_at, due_at, note } = made;
  assert.deepEqual(
    { status, number, subtotal, ppn, total, issued_at, due_at, note, month: made.month },
    {
      status: 'draft',
      number: null,
      subtotal: 4667,
      ppn: 0,
      total: 4667,
      issued_at: null,
      due_at: null,
      note: '',
      month,
    },
  );
  assert.equal((await send('PUT /api/invoices/seller', { ...seller, ppn_percent: 11 })).statusCode, 200);
  await api.context.db.query('UPDATE tickets SET discount = 0 WHERE id = $1', [first.id]);
  const now = (await send(`GET /api/invoices/${made._id}`)).json<Invoice>();
  // 4836 x 11 percent is 531.96, rounded once.
  assert.deepEqual([now.subtotal, now.ppn, now.total, now.seller.name], [4836, 532, 5368, seller.name]);
  const terms = { note: 'Terima kasih', due_at: '2099-12-01' };
  assert.deepEqual(await act(`PUT /api/invoices/${made._id}`, terms), { ...now, ...terms });
  assert.equal((await act(`PUT /api/invoices/${made._id}`, { due_at: null })).note, 'Terima kasih');
  await send('PUT /api/invoices/seller', seller);
});

test('a ticket is on one invoice that stands; a credit note and a deleted draft free it', async () => {
  const owner = await createUser(api);
  const body = { company_code: owner.companyCode, month };
  assert.equal(await refusal('POST /api/invoices', body), '409 nothing_to_invoice');
  const unknown = await send('POST /api/invoices', { ...body, company_code: 'NONE9' });
  assert.deepEqual([unknown.statusCode, unknown.json().details[0].path], [400, 'company_code']);
  const { number } = await endTicket(owner);
  const first = await draft(owner);
  assert.equal(await refusal('POST /api/invoices', body), '409 already_invoiced');
  const later = await endTicket(owner, '2026-10-30T00:00:00Z');
  const second = await draft(owner);
  assert.deepEqual(
    second.tickets.map((line) => line.ticket_number),
    [later.number],
  );
  assert.equal((await send(`DELETE /api/invoices/${second._id}`)).statusCode, 200);
  assert.equal(await refusal(`GET /api/invoices/${second._id}`), '404 invoice_not_found');
  const issued = await issue(first);
  assert.equal(await refusal(`DELETE /api/invoices/${first._id}`), '409 invoice_issued');
  const credited = await act(`POST /api/invoices/${first._id}/credit`, { reason: 'Wrong discount' });
  assert.equal(credited.status, 'credited');
  assert.match(credited.credit_note?.number ?? '', new RegExp(`^CN/${year}/\\d{4}$`));
  assert.deepEqual({ ...issued, status: 'credited', credit_note: credited.credit_note }, credited);
  assert.equal(
    await refusal(`POST /api/invoices/${first._id}/credit`, { reason: 'Again' }),
    '409 invoice_not_standing',
  );
  const third = await draft(owner);
  assert.deepEqual(
    third.tickets.map((line) => line.ticket_number),
    [number, later.number],
  );
});

test('an invoice of nothing is neither drafted nor issued', async () => {
  const owner = await createUser(api);
  const body = { company_code: owner.companyCode, month };
  const setDiscount = (discount: number) =>
    api.context.db.query('UPDATE tickets SET discount = $2 WHERE company_code = $1', [
      owner.companyCode,
      discount,
    ]);
  await endTicket(owner);
  await setDiscount(100);
  assert.equal(await refusal('POST /api/invoices', body), '409 nothing_to_invoice');
  assert.deepEqual((await list(`company_code=${owner.companyCode}`)).data, []);
  await setDiscount(0);
  const { _id } = await draft(owner);
  await setDiscount(100);
  assert.equal(await refusal(`POST /api/invoices/${_id}/issue`), '409 nothing_to_invoice');
  const batch = await send('POST /api/invoices/batch', { month, do: 'issue' });
  const line = { company_code: owner.companyCode, invoice: null, error: 'nothing_to_invoice' };
  assert.deepEqual(
    batch
      .json()
      .data.filter(({ company_code: code }: { company_code: string }) => code === owner.companyCode),
    [line],
  );
});

test('an issued invoice has the next number of the year of APP_TIMEZONE, and never changes', async () => {
  const owner = await createUser(api);
  const ticket = await endTicket(owner);
  const gone = await endTicket(owner);
  const made = await draft(owner);
  await act(`PUT /api/invoices/${made._id}`, { note: 'Note', due_at: '2099-11-20' });
  await api.context.db.query(`UPDATE tickets SET status = 'Processing', finished_at = NULL WHERE id = $1`, [
    gone.id,
  ]);
  const issued = await issue(made);
  assert.match(issued.number ?? '', new RegExp(`^INV/${year}/\\d{4}$`));
  assert.equal(issued.status, 'issued');
  assert.deepEqual(
    issued.tickets.map((line) => line.ticket_number),
    [ticket.number],
  );
  await send('PUT /api/invoices/seller', { ...seller, name: 'Another', ppn_percent: 12 });
  const { rows } = await api.context.db.query('SELECT id FROM clients WHERE company_code = $1', [
    owner.companyCode,
  ]);
  await send(`PUT /api/clients/${rows[0].id}`, { company_name: 'Renamed' });
  await api.context.db.query('UPDATE tickets SET discount = 50 WHERE id = $1', [ticket.id]);
  assert.deepEqual((await send(`GET /api/invoices/${made._id}`)).json(), issued);
  await send('PUT /api/invoices/seller', seller);
  for (const [call, body] of [
    [`PUT /api/invoices/${made._id}`, { note: 'Other' }],
    [`POST /api/invoices/${made._id}/issue`, undefined],
  ] as const) {
    assert.equal(await refusal(call, body), '409 invoice_issued');
  }
  const change = api.context.db.query('UPDATE invoices SET total = 1 WHERE id = $1', [made._id]);
  await assert.rejects(change, /was issued and cannot change/);

  // In Jakarta the next year has begun.
  const now = () => new Date('2030-12-31T17:00:00Z');
  await endTicket(owner);
  const next = await issueInvoice(
    { ...api.context, now },
    callerOf({ ...superadmin, superadmin: true }),
    Number((await draft(owner))._id),
  );
  assert.equal(next.number, 'INV/2031/0001');
});

test('issuing freezes address and tax number of the client, and sets the due day by its terms unless it is set', async () => {
  const owner = await createUser(api);
  const call = `PUT /api/terms/${owner.companyCode}`;
  await endTicket(owner);
  const made = await draft(owner);
  assert.deepEqual(made.client, { name: 'Acme', address: '', tax_number: '' });
  const terms = { payment_days: 30, address: 'Jalan Thamrin 1\nJakarta', tax_number: '01.1' };
  await act(call, terms);
  const { client, payment_days, due_at } = await act(`GET /api/invoices/${made._id}`);
  assert.deepEqual(
    [client, payment_days, due_at],
    [{ name: 'Acme', address: terms.address, tax_number: '01.1' }, 30, null],
  );
  const as = callerOf({ ...superadmin, superadmin: true });
  const now = () => new Date('2029-01-31T17:00:00Z');
  const issued = await issueInvoice({ ...api.context, now }, as, Number(made._id));
  assert.deepEqual([issued.due_at, issued.client, issued.payment_days], ['2029-03-03', client, null]);
  await act(call, { payment_days: 7, address: 'Elsewhere', tax_number: '' });
  assert.deepEqual(await act(`GET /api/invoices/${made._id}`), issued);
  const change = api.context.db.query(`UPDATE invoices SET client_address = '' WHERE id = $1`, [made._id]);
  await assert.rejects(change, /was issued and cannot change/);
  await endTicket(owner);
  const second = await draft(owner);
  await act(`PUT /api/invoices/${second._id}`, { due_at: '2099-12-01' });
  assert.equal((await issue(second)).due_at, '2099-12-01');
});

test('the seller’s data are not replaced by a form that was read before another change', async () => {
  const call = 'PUT /api/invoices/seller';
  const { version, ...read } = (await send('GET /api/invoices/seller')).json();
  const changed = (await send(call, { ...read, ppn_percent: 12, version })).json();
  assert.deepEqual(changed, { ...read, ppn_percent: 12, version: version + 1 });
  const stale = await send(call, { ...read, bank: 'Bank BCA 456', version });
  assert.deepEqual(
    [stale.statusCode, stale.json().code, stale.json().message],
    [
      409,
      'changed_meanwhile',
      'These settings were changed by someone else. Reload to see them. Nothing was saved.',
    ],
  );
  for (const name of ['\u200b', 'PT \u202eCakupan'])
    assert.equal((await send(call, { ...read, name, version: changed.version })).statusCode, 400);
  assert.deepEqual((await send('GET /api/invoices/seller')).json(), changed);
  const [again, other] = await Promise.all([
    send(call, { ...seller, version: changed.version }),
    send(call, { ...seller, version: changed.version }),
  ]);
  assert.deepEqual([again.statusCode, other.statusCode].toSorted(), [200, 409]);
  assert.equal((await send(call, seller)).json().version, changed.version + 2);
});

test('the seller’s data are stored once for the first time', async () => {
  await api.context.db.query('DELETE FROM seller');
  assert.equal((await send('GET /api/invoices/seller')).json().version, 0);
  const first = { ...seller, version: 0 };
  const answers = await Promise.all([first, first].map((body) => send('PUT /api/invoices/seller', body)));
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [200, 409]);
});

test('a draft is issued only at the total that was confirmed, if the call says one', async () => {
  const owner = await createUser(api);
  const { id } = await endTicket(owner);
  const made = await draft(owner);
  const call = `POST /api/invoices/${made._id}/issue`;
  await api.context.db.query('UPDATE tickets SET discount = 50 WHERE id = $1', [id]);
  const refused = await send(`${call}?total=${made.total}`);
  assert.deepEqual(
    [refused.statusCode, refused.json().code, refused.json().message],
    [
      409,
      'changed_meanwhile',
      'The total of this draft has changed. Check the new one, then issue it. Nothing was issued.',
    ],
  );
  const { status, total } = (await send(`GET /api/invoices/${made._id}`)).json<Invoice>();
  assert.deepEqual([status, total], ['draft', made.total / 2]);
  assert.equal(await refusal(`${call}?total=x`), '400 invalid');
  assert.equal((await act(`${call}?total=${total}`)).total, total);
});

test('invoices that are issued at the same time have numbers without gap and double; a refused one takes none', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => createUser(api)));
  for (const owner of owners) await endTicket(owner);
  const drafts = await Promise.all(owners.map(draft));
  const [emptied] = drafts;
  await api.context.db.query('DELETE FROM invoice_tickets WHERE invoice_id = $1', [emptied?._id]);
  const answers = await Promise.all(
    [...drafts, ...drafts].map(({ _id }) => send(`POST /api/invoices/${_id}/issue`)),
  );
  assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 7);
  const { rows } = await api.context.db.query(
    `SELECT right(number, 4)::int AS n FROM invoices WHERE number LIKE $1 ORDER BY number`,
    [`INV/${year}/%`],
  );
  assert.deepEqual(
    rows.map(({ n }) => n),
    rows.map((_, index) => index + 1),
  );
});

test('an invoice may be dated back and paid in advance, but not paid in the future', async () => {
  const owner = await createUser(api);
  await endTicket(owner);
  const made = await draft(owner);
  const day = (daysFromNow: number) => dayIn(timeZone, new Date(Date.now() + daysFromNow * 86_400_000));
  const refused = async (call: string, body?: unknown) => {
    const answer = await send(call, body);
    return [answer.statusCode, answer.json().details?.[0]?.path];
  };
  const terms = `PUT /api/invoices/${made._id}`;
  for (const due_at of ['1999-12-31', '2100-01-02']) {
    assert.deepEqual(await refused(terms, { due_at }), [400, 'due_at'], due_at);
  }
  assert.equal((await act(terms, { due_at: '2100-01-01' })).due_at, '2100-01-01');
  assert.equal((await act(terms, { due_at: '2000-01-01' })).due_at, '2000-01-01');
  const { due_at, overdue } = await issue(made);
  assert.deepEqual([due_at, overdue], ['2000-01-01', true]);
  const pay = `POST /api/invoices/${made._id}/pay`;
  for (const paid_at of ['1999-12-31', day(2)]) {
    assert.deepEqual(await refused(pay, { paid_at }), [400, 'paid_at'], paid_at);
  }
  assert.equal((await act(pay, { paid_at: '2000-01-01' })).paid_at, '2000-01-01');

  await endTicket(owner);
  const next = await issue(await draft(owner));
  const paid = await act(`POST /api/invoices/${next._id}/pay`, { paid_at: day(1) });
  assert.equal(paid.paid_at, day(1));
});

test('a list leaves out the lines when asked to, with the same amounts', async () => {
  const owner = await createUser(api);
  await endTicket(owner);
  await issue(await draft(owner));
  await endTicket(owner);
  await draft(owner);
  const query = `company_code=${owner.companyCode}`;
  const whole = await list(query);
  assert.deepEqual(
    whole.data.map(({ tickets }) => tickets.length),
    [1, 1],
  );
  const listed = whole.data.map(({ tickets: _, ...invoice }) => invoice);
  assert.deepEqual((await list(`${query}&lines=0`)).data, listed);
  assert.equal(await refusal(`GET /api/invoices?lines=some`), '400 invalid');
});

test('an issued invoice is paid once, and can be credited after that', async () => {
  const owner = await createUser(api);
  await endTicket(owner);
  const made = await draft(owner);
  const payment = { paid_at: dayIn(timeZone, new Date()), note: 'Transfer 4711' };
  assert.equal(await refusal(`POST /api/invoices/${made._id}/pay`, payment), '409 invoice_not_open');
  await issueDueOn(api, superadmin, made._id, '2020-11-02');
  const issued = await act(`GET /api/invoices/${made._id}`);
  assert.equal(issued.overdue, true);
  const { open } = await list(`company_code=${owner.companyCode}`);
  assert.deepEqual(open, { count: 1, total: 2418, overdue_count: 1, overdue_total: 2418 });
  assert.equal((await list(`company_code=${owner.companyCode}&overdue=true`)).data.length, 1);
  assert.equal(await refusal(`POST /api/invoices/${made._id}/pay`, { paid_at: 'soon' }), '400 invalid');
  const paid = await act(`POST /api/invoices/${made._id}/pay`, payment);
  const { status, paid_at, payment_note, overdue } = paid;
  assert.deepEqual(
    [status, paid_at, payment_note, overdue],
    ['paid', payment.paid_at, 'Transfer 4711', false],
  );
  assert.equal(await refusal(`POST /api/invoices/${made._id}/pay`, payment), '409 invoice_not_open');
  assert.equal((await list(`company_code=${owner.companyCode}`)).open.count, 0);
  assert.equal(
    (await act(`POST /api/invoices/${made._id}/credit`, { reason: 'Returned' })).status,
    'credited',
  );
  const entries = await readAuditLog(api, superadmin, `?object_id=${made._id}&object_type=invoice`);
  assert.deepEqual(
    entries.data.map(({ action }) => action),
    ['invoice.credit', 'invoice.pay', 'invoice.issue', 'invoice.update', 'invoice.create'],
  );
  assert.deepEqual([...new Set(entries.data.map(({ object_name }) => object_name))], [issued.number]);
  const unwanted = await draft(owner);
  const nameInLog = async () =>
    (await readAuditLog(api, superadmin, `?object_id=${unwanted._id}&object_type=invoice`)).data[0]
      ?.object_name;
  assert.equal(await nameInLog(), month);
  assert.equal((await send(`DELETE /api/invoices/${unwanted._id}`)).statusCode, 200);
  assert.equal(await nameInLog(), month);
});

test('company administrators see their own invoices once issued, users none, and the list is filtered', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const other = await createUser(api, { companyAdmin: true });
  const user = await createUser(api, { companyCode: admin.companyCode });
  await endTicket(admin);
  const made = await draft(admin);
  assert.deepEqual((await list('', admin)).data, []);
  assert.equal(await refusal(`GET /api/invoices/${made._id}`, undefined, admin), '404 invoice_not_found');
  const issued = await issue(made);
  await endTicket(admin);
  const second = await draft(admin);
  const day = dayIn(timeZone, new Date(issued.issued_at ?? ''));
  const ids = async (query: string, who?: TestUser) => (await list(query, who)).data.map(({ _id }) => _id);
  assert.deepEqual(await ids('', admin), [issued._id]);
  assert.deepEqual((await send(`GET /api/invoices/${made._id}`, undefined, admin)).json(), issued);
  assert.equal(await refusal(`GET /api/invoices/${made._id}`, undefined, other), '404 invoice_not_found');
  assert.deepEqual(await ids(`company_code=${admin.companyCode}`, other), []);
  assert.equal(await refusal('GET /api/invoices', undefined, user), '403 admin_only');
  const own = `company_code=${admin.companyCode}`;
  assert.deepEqual(await ids(own), [second._id, issued._id]);
  assert.deepEqual(await ids(`${own}&status=draft`), [second._id]);
  assert.deepEqual(await ids('status=draft', admin), []);
  assert.deepEqual(await ids(`${own}&from=${day}&to=${day}`), [issued._id]);
  assert.deepEqual(await ids(`${own}&from=9999-01-01`), []);
  assert.deepEqual(await ids(`${own}&to=2001-01-01`), []);

  const download = (format: string, who: TestUser) =>
    send(`GET /api/invoices/download?${own}&format=${format}`, undefined, who);
  assert.deepEqual((await download('json', superadmin)).json(), (await list(own)).data);
  assert.deepEqual((await download('json', admin)).json(), [issued]);
  const rows = readResultsSheet((await download('excel', superadmin)).rawPayload);
  assert.deepEqual(
    rows.map((cells) => cells[0]),
    ['Number', null, issued.number],
  );
});

test('a client with invoices cannot be deleted', async () => {
  const owner = await createUser(api);
  const ticket = await endTicket(owner);
  await issue(await draft(owner));
  const { db } = api.context;
  await db.query('DELETE FROM users WHERE company_code = $1', [owner.companyCode]);
  await db.query('DELETE FROM tickets WHERE id = $1', [ticket.id]);
  const { rows } = await db.query('SELECT id FROM clients WHERE company_code = $1', [owner.companyCode]);
  assert.equal(await refusal(`DELETE /api/clients/${rows[0].id}`), '409 client_in_use');
});
