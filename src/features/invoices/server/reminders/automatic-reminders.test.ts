import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Mail } from '#server/mail/mail.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { issueDueOn } from '#tests/support/api/invoices.ts';
import { withoutLoops } from '#tests/support/api/without-loops.ts';
import { sendInvoiceMails } from '../mails/send-invoice-mails.ts';
import { queueReminders } from './automatic-reminders.service.ts';

let api: TestApi;
let superadmin: TestUser;
const running = new AbortController().signal;

before(async () => {
  api = await withoutLoops(() => createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' }));
  superadmin = await createUser(api, { superadmin: true });
});
beforeEach(async () => {
  await api.context.db.query('DELETE FROM invoice_mails');
  await api.context.db.query(`UPDATE invoices SET status = 'paid', paid_at = now() WHERE status = 'issued'`);
});
after(() => api.close());

const send = (call: string, body?: unknown, { token } = superadmin) =>
  api.send(call, { token, ...(body !== undefined && { body }) });
const query = async (sql: string, ...values: unknown[]) => (await api.context.db.query(sql, values)).rows;
const setDays = async (...days: number[]) =>
  assert.equal((await send('PUT /api/invoices/reminders', { days, language: 'id' })).statusCode, 200);

/** The clock of the reminders alone: sessions would expire by that of the API. */
let now = new Date();
/** Sets it to an hour of Jakarta. */
const setClock = (day: string, hour = '08') => {
  now = new Date(`${day}T${hour}:00:00+07:00`);
};
const dayMs = 86_400_000;
const dayFromNow = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const queue = () => queueReminders({ ...api.context, now: () => now });

/** Issues an invoice of a company. @returns its `_id` */
async function makeInvoice({ companyCode, id }: TestUser, due: string): Promise<string> {
  const owned = { companyCode, createdBy: id, status: 'Completed' } as const;
  const ticket = await createTicketWithRows(api, { ...owned, rows: [{ state: 'done' }] });
  await query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, ticket.id);
  const made = await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' });
  const { _id } = made.json();
  await issueDueOn(api, superadmin, _id, due);
  return _id;
}

/** Decides on reminders and sends them. @returns the mails, each by its receiver and subject */
async function remind(sendMail = async (_mail: Mail) => {}): Promise<Mail[]> {
  await queue();
  const sent: Mail[] = [];
  const keep = async (mail: Mail) => {
    await sendMail(mail);
    sent.push(mail);
  };
  await sendInvoiceMails({ ...api.context, now: () => now }, keep, running);
  return sent;
}
const receivers = (mails: Mail[]) => mails.map(({ to }) => to.address);

test('without days nobody is reminded, and wrong days are refused', async () => {
  const read = async () => (await send('GET /api/invoices/reminders')).json();
  assert.deepEqual(await read(), { days: [], language: 'id', version: 0 });
  const admin = await createUser(api, { companyAdmin: true });
  await makeInvoice(admin, '2026-12-01');
  setClock('2027-06-01');
  assert.deepEqual(await remind(), []);
  for (const days of [[0], [366], [1.5], [7, 7], [1, 2, 3, 4, 5, 6], ['7'], null]) {
    const answer = await send('PUT /api/invoices/reminders', { days, language: 'id' });
    assert.equal(answer.statusCode, 400, answer.body);
  }
  const change = { days: [14, 7], language: 'en', version: 0 };
  const saved = await send('PUT /api/invoices/reminders', change);
  assert.deepEqual(saved.json(), { days: [7, 14], language: 'en', version: 1 });
  assert.deepEqual(await read(), saved.json());
  const stale = await send('PUT /api/invoices/reminders', { ...change, language: 'id' });
  assert.deepEqual([stale.statusCode, stale.json().code], [409, 'changed_meanwhile']);
  assert.deepEqual(await read(), saved.json());
  await setDays();
  assert.equal((await read()).version, 2);
});

test('each administrator is reminded once at each day from seven o’clock on, until it is paid', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const { companyCode } = admin;
  const colleague = await createUser(api, { companyAdmin: true, companyCode });
  await createUser(api, { companyCode });
  const id = await makeInvoice(admin, '2026-12-01');
  await setDays(7, 14, 30);
  for (const [day, hour, expected] of [
    ['2026-12-02', '12', 0],
    ['2026-12-08', '06', 0],
    ['2026-12-08', '07', 2],
    ['2026-12-08', '23', 0],
    ['2026-12-14', '12', 0],
    ['2026-12-15', '08', 2],
  ] as const) {
    setClock(day, hour);
    const mails = await remind();
    assert.deepEqual(receivers(mails), [admin.email, colleague.email].slice(0, expected), `${day} ${hour}`);
    for (const { subject, attachments } of mails) {
      assert.match(subject, /^Faktur INV\/\d{4}\/\d{4} lewat jatuh tempo$/);
      assert.equal(attachments?.[0]?.content.subarray(0, 5).toString(), '%PDF-');
    }
  }
  const entries = await query(
    `SELECT after FROM audit_log WHERE action = 'invoice.remind' AND object_id = $1 ORDER BY id`,
    id,
  );
  assert.deepEqual(
    entries.map(({ after: values }) => [values.reminder_days, values.receivers.split(', ').sort()]),
    [7, 14].map((days) => [days, [admin.email, colleague.email].sort()]),
  );
  await query(`UPDATE invoices SET status = 'paid', paid_at = '2026-12-20' WHERE id = $1`, id);
  setClock('2027-01-10');
  assert.deepEqual(await remind(), []);
});

test('of several days that have passed the latest is reminded at, and not within a day of another', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const id = await makeInvoice(admin, dayFromNow(-20));
  await setDays(7, 14, 30);
  now = new Date();
  await query('UPDATE invoices SET reminded_at = $2 WHERE id = $1', id, now);
  assert.deepEqual(await remind(), []);
  now = new Date(Date.now() + dayMs);
  assert.deepEqual(receivers(await remind()), [admin.email]);
  assert.equal((await send(`POST /api/invoices/${id}/remind`)).json().code, 'invoice_reminded');
  now = new Date(Date.now() + 3 * dayMs);
  await setDays(3, 7, 14, 30);
  assert.deepEqual(await remind(), []);
});

test('an invoice without an administrator or a due day waits, and a paid one is not sent', async () => {
  const user = await createUser(api);
  await makeInvoice(user, '2026-12-01');
  await setDays(7);
  setClock('2026-12-10');
  assert.deepEqual(await remind(), []);
  const admin = await createUser(api, { companyAdmin: true, companyCode: user.companyCode });
  await queue();
  assert.equal((await query('SELECT FROM invoice_mails')).length, 1);
  await query(
    `UPDATE invoices SET status = 'paid', paid_at = now() WHERE company_code = $1`,
    admin.companyCode,
  );
  assert.deepEqual(await remind(), []);
  assert.equal((await query('SELECT FROM invoice_mails')).length, 0);
});

test('a reminder that cannot be stored is tried again later, and stops no other company', async (t) => {
  const [first, second] = [
    await createUser(api, { companyAdmin: true }),
    await createUser(api, { companyAdmin: true }),
  ];
  const id = await makeInvoice(first, '2026-12-01');
  await makeInvoice(second, '2026-12-01');
  await setDays(7);
  setClock('2026-12-10');
  await query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
  await query(
    `CREATE TRIGGER fail BEFORE INSERT ON invoice_mails FOR EACH ROW WHEN (NEW.invoice_id = ${id}) EXECUTE FUNCTION fail()`,
  );
  t.after(() => query('DROP TRIGGER IF EXISTS fail ON invoice_mails'));
  await queue().catch(() => undefined);
  assert.deepEqual(receivers(await remind()), [second.email]);
  await query('DROP TRIGGER fail ON invoice_mails');
  assert.deepEqual(await remind(), [], 'it waits for a minute');
  await query('UPDATE put_off_work SET next_at = now()');
  assert.deepEqual(receivers(await remind()), [first.email]);
});

test('who is no administrator of the company any more when a mail is sent gets none', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  const { companyCode } = admin;
  const [demoted, deactivated] = await Promise.all(
    [1, 2].map(() => createUser(api, { companyAdmin: true, companyCode })),
  );
  await makeInvoice(admin, '2026-12-01');
  await setDays(7);
  setClock('2026-12-10');
  await queue();
  await send(`PATCH /api/users/${demoted?.id}`, { role: 'user' });
  await send(`PATCH /api/users/${deactivated?.id}`, { active: false });
  assert.deepEqual(receivers(await remind()), [admin.email]);
  assert.equal((await query('SELECT FROM invoice_mails')).length, 0);
});

test('of processes that decide at the same time each invoice is stored by one', async () => {
  const admins = await Promise.all([1, 2, 3].map(() => createUser(api, { companyAdmin: true })));
  for (const admin of admins) await makeInvoice(admin, '2026-12-01');
  await setDays(7);
  setClock('2026-12-10');
  await Promise.all([1, 2, 3, 4].map(() => queue()));
  const stored = await query('SELECT address FROM invoice_mails ORDER BY address');
  assert.deepEqual(
    stored.map(({ address }) => address),
    admins.map(({ email }) => email).toSorted(),
  );
});

test('a mail that fails is tried again with the same Message-ID, and does not delay the others', async () => {
  const first = await createUser(api, { companyAdmin: true });
  const second = await createUser(api, { companyAdmin: true, companyCode: first.companyCode });
  await makeInvoice(first, '2026-12-01');
  await setDays(7);
  setClock('2026-12-10');
  const tried: Mail[] = [];
  const mails = await remind(async (mail) => {
    if (mail.to.address !== first.email) return;
    tried.push(mail);
    throw new Error('no mail server');
  });
  assert.deepEqual([receivers(mails), tried.length], [[second.email], 1]);
  assert.deepEqual(await remind(), []);
  await query(`UPDATE invoice_mails SET next_at = next_at - interval '1 minute'`);
  const [again, ...others] = await remind();
  assert.deepEqual([again?.to.address, again?.messageId, others], [first.email, tried[0]?.messageId, []]);
  await setDays();
});
