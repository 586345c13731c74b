import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inTransaction } from '#server/db/db.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { readResultsSheet } from '#tests/support/api/exports.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { takeMails } from '#tests/support/api/outbox.ts';
import { waitFor } from '#tests/support/wait.ts';
import type { Invoice } from '../../invoices.contract.ts';
import { requireLockedInvoice } from '../invoices.service.ts';
import { queueInvoice } from './send-invoice.service.ts';
import { sendInvoiceMails } from './send-invoice-mails.ts';

let api: TestApi;
let superadmin: TestUser;
const never = new AbortController().signal;

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  superadmin = await createUser(api, { superadmin: true });
  const seller = { name: 'PT Cakupan', address: '', tax_number: '', bank: 'Mandiri 1', ppn_percent: null };
  await send('PUT /api/invoices/seller', seller);
});
after(() => api.close());

const send = (call: string, body?: unknown, who = superadmin) =>
  api.send(call, { token: who.token, ...(body !== undefined && { body }) });
const read = async (id: string) => (await send(`GET /api/invoices/${id}`)).json<Invoice>();

/** Drafts an invoice of a company that gets its invoices at some addresses. @returns its `_id` */
async function makeDraft({ companyCode, id }: TestUser, invoice_emails: string[]): Promise<string> {
  const rows = [{ state: 'done' }] as const;
  const ticket = await createTicketWithRows(api, {
    companyCode,
    createdBy: id,
    status: 'Completed',
    rows: [...rows],
  });
  await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, [ticket.id]);
  await send(`PUT /api/terms/${companyCode}`, { invoice_emails });
  return (await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' })).json()._id;
}

/** Reads "Sent" of the first row of the Excel list of a company's invoices. */
async function readSentCell({ companyCode }: TestUser) {
  const file = await send(`GET /api/invoices/download?company_code=${companyCode}`);
  const [head = assert.fail(), row] = readResultsSheet(file.rawPayload);
  return row?.[head.indexOf('Sent')];
}

/** Waits until no mail of an invoice waits. */
const settle = (id: string) =>
  waitFor('the mails', async () => {
    const { sent } = await read(id);
    return sent?.status === 'queued' ? undefined : sent;
  });

test('an invoice is mailed as a PDF to the addresses of its client, and again when asked', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const id = await makeDraft(admin, ['finance@example.test', 'ayu@example.test']);
  const refused = (await send(`POST /api/invoices/${id}/send`)).json();
  assert.equal(refused.code, 'invoice_not_standing');
  assert.match(refused.message, /^Only an issued or paid invoice can be sent\./);
  const issued = (await send(`POST /api/invoices/${id}/issue`)).json<Invoice>();
  assert.equal(issued.sent, null);
  assert.equal((await send(`POST /api/invoices/${id}/send`, undefined, admin)).statusCode, 403);
  assert.equal((await send(`POST /api/invoices/${id}/send?language=id`)).statusCode, 202);
  const { at, ...sent } = (await settle(id)) ?? assert.fail('not sent');
  assert.deepEqual(sent, { to: ['finance@example.test', 'ayu@example.test'], status: 'sent' });
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000);
  const mails = await takeMails(api);
  assert.deepEqual(
    mails.map(({ to }) => to?.[0]?.address),
    ['ayu@example.test', 'finance@example.test'],
  );
  for (const mail of mails) {
    assert.equal(mail.subject, `Faktur ${issued.number} dari PT Cakupan`);
    assert.match(mail.text ?? '', /Oktober 2026.*Total: Rp 800.*Mandiri 1/s);
    assert.doesNotMatch(mail.text ?? '', /dashboard/);
    const [file] = mail.attachments;
    assert.equal(file?.filename, `${issued.number?.replaceAll('/', '-')}-id.pdf`);
    assert.equal(Buffer.from(file.content as ArrayBuffer).toString('latin1', 0, 5), '%PDF-');
  }
  await send(`PUT /api/terms/${admin.companyCode}`, { invoice_emails: ['new@example.test'] });
  await send(`POST /api/invoices/${id}/pay`, { paid_at: dayIn('Asia/Jakarta', new Date()) });
  assert.equal((await send(`POST /api/invoices/${id}/send`)).statusCode, 202);
  assert.deepEqual((await settle(id))?.to, ['new@example.test']);
  assert.equal((await takeMails(api))[0]?.subject, `Invoice ${issued.number} from PT Cakupan`);
  assert.deepEqual((await send(`GET /api/invoices/${id}`, undefined, admin)).json(), await read(id));
  const [entry] = (await readAuditLog(api, superadmin, '?action=invoice.send')).data;
  assert.deepEqual(entry?.after, { number: issued.number, receivers: 'new@example.test' });
  await send(`POST /api/invoices/${id}/credit`, { reason: 'Wrong' });
  assert.equal((await send(`POST /api/invoices/${id}/send`)).json().code, 'invoice_not_standing');
});

test('an invoice that is sent again under its key, because the answer was lost, is mailed once', async () => {
  const id = await makeDraft(await createUser(api, {}), ['lost@example.test']);
  await send(`POST /api/invoices/${id}/issue`);
  const sendUnder = (key: string, query = '') =>
    api.send(`POST /api/invoices/${id}/send${query}`, {
      token: superadmin.token,
      headers: { 'idempotency-key': key },
    });
  assert.equal((await sendUnder('a')).statusCode, 202);
  const sent = await settle(id);
  const repeat = await sendUnder('a');
  assert.deepEqual([repeat.statusCode, await settle(id)], [202, sent]);
  assert.equal((await takeMails(api)).length, 1);
  assert.equal((await sendUnder('a', '?language=id')).statusCode, 422);
  assert.equal((await sendUnder('b')).statusCode, 202);
  await settle(id);
  assert.equal((await takeMails(api)).length, 1);
});

test('an invoice is issued and sent at once; without an address it is neither', async () => {
  const owner = await createUser(api);
  const id = await makeDraft(owner, []);
  const refused = await send(`POST /api/invoices/${id}/issue`, { send: true });
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'no_invoice_emails']);
  assert.equal((await read(id)).number, null);
  await send(`PUT /api/terms/${owner.companyCode}`, { invoice_emails: ['a@example.test'] });
  assert.equal((await send(`POST /api/invoices/${id}/issue`, { total: 1, send: true })).statusCode, 409);
  const answer = await send(`POST /api/invoices/${id}/issue`, { total: 800, send: true });
  assert.equal(answer.json<Invoice>().sent?.status, 'queued');
  assert.equal((await settle(id))?.status, 'sent');
  assert.equal((await takeMails(api)).length, 1);
  await send(`PUT /api/terms/${owner.companyCode}`, { invoice_emails: [] });
  assert.equal((await send(`POST /api/invoices/${id}/send`)).json().code, 'no_invoice_emails');
});

test('an invoice that is asked for again while its mail is being sent is mailed once', async () => {
  const id = await makeDraft(await createUser(api), ['c@example.test']);
  await send(`POST /api/invoices/${id}/issue`);
  const { db } = api.context;
  // Not by the call, whose own round would send it.
  await db.query(
    `INSERT INTO invoice_mails (invoice_id, address, name, language, kind) VALUES ($1, 'c@example.test', '', 'en', 'invoice')`,
    [id],
  );
  await db.query(`UPDATE invoices SET sent_at = now(), sent_to = '{c@example.test}' WHERE id = $1`, [id]);
  let mails = 0;
  const sendAndAskAgain = async () => {
    mails += 1;
    if (mails === 1) assert.equal((await send(`POST /api/invoices/${id}/send`)).statusCode, 202);
  };
  await sendInvoiceMails(api.context, sendAndAskAgain, never);
  assert.equal((await settle(id))?.status, 'sent');
  assert.equal(mails, 1);
  assert.equal((await takeMails(api)).length, 0);
});

test('an invoice is not sent to an address that the terms lost while a mail to another one is being sent', async () => {
  const owner = await createUser(api);
  const id = await makeDraft(owner, ['a@example.test', 'b@example.test']);
  await send(`POST /api/invoices/${id}/issue`);
  const { db } = api.context;
  // Not by the call, whose own round would send it.
  await inTransaction(db, async (tx) =>
    queueInvoice(tx, await requireLockedInvoice(tx, Number(id)), 'en', new Date()),
  );
  let mails = 0;
  const sendAndAskAgain = async () => {
    mails += 1;
    await send(`PUT /api/terms/${owner.companyCode}`, { invoice_emails: ['a@example.test'] });
    assert.equal((await send(`POST /api/invoices/${id}/send`)).statusCode, 202);
  };
  await db.query(`UPDATE invoice_mails SET next_at = 'infinity' WHERE address = 'b@example.test'`);
  await sendInvoiceMails(api.context, sendAndAskAgain, never);
  assert.equal(mails, 1);
  const sent = await settle(id);
  assert.deepEqual([sent?.status, sent?.to], ['sent', ['a@example.test']]);
});

test('an invoice whose second sending a credit note has withdrawn shows the first one', async () => {
  const { db } = api.context;
  const credit = async (isSentBefore: boolean) => {
    const owner = await createUser(api);
    const id = await makeDraft(owner, ['first@example.test']);
    await send(`POST /api/invoices/${id}/issue`, { send: isSentBefore });
    const first = await settle(id);
    await send(`PUT /api/terms/${owner.companyCode}`, { invoice_emails: ['second@example.test'] });
    // Not by the call, whose own round would send it.
    await inTransaction(db, async (tx) =>
      queueInvoice(tx, await requireLockedInvoice(tx, Number(id)), 'en', new Date()),
    );
    await send(`POST /api/invoices/${id}/credit`, { reason: 'Wrong' });
    await sendInvoiceMails(api.context, () => assert.fail('sent'), never);
    return { first, shown: (await read(id)).sent };
  };
  const again = await credit(true);
  assert.equal(again.first?.status, 'sent');
  assert.deepEqual(again.shown, again.first);
  const { shown } = await credit(false);
  assert.deepEqual([shown?.status, shown?.to], ['failed', ['second@example.test']]);
});

test('a mail that the server refuses is tried again, then given up, which the invoice says', async () => {
  const owner = await createUser(api);
  const id = await makeDraft(owner, ['b@example.test']);
  await send(`POST /api/invoices/${id}/issue`);
  const { db } = api.context;
  const refuse = async () => {
    throw new Error('refused');
  };
  // Not by the call, whose own round would send it.
  await db.query(
    `INSERT INTO invoice_mails (invoice_id, address, name, language, kind) VALUES ($1, 'b@example.test', '', 'en', 'invoice')`,
    [id],
  );
  await db.query(`UPDATE invoices SET sent_at = now(), sent_to = '{b@example.test}' WHERE id = $1`, [id]);
  await sendInvoiceMails(api.context, refuse, never);
  assert.equal((await read(id)).sent?.status, 'queued');
  assert.equal(await readSentCell(owner), 'Being sent');
  await db.query('UPDATE invoice_mails SET attempts = 1000, next_at = now()');
  await sendInvoiceMails(api.context, refuse, never);
  assert.equal((await read(id)).sent?.status, 'failed');
  assert.equal(await readSentCell(owner), 'Not sent');
  assert.equal((await send(`POST /api/invoices/${id}/send`)).statusCode, 202);
  assert.equal((await settle(id))?.status, 'sent');
  assert.match(String(await readSentCell(owner)), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

test('an invoice without a seller is mailed under its number alone', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const id = await makeDraft(admin, ['finance@example.test']);
  await api.context.db.query('DELETE FROM seller');
  const { number } = (await send(`POST /api/invoices/${id}/issue`, { send: true })).json<Invoice>();
  await settle(id);
  const subjects = (await takeMails(api)).map(({ subject }) => subject);
  assert.ok(subjects.includes(`Invoice ${number}`), subjects.join('\n'));
});
