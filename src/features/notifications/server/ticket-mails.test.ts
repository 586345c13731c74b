import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { attachWorkbook } from '#features/results/server/export/export.service.ts';
import { findTicketByNumber } from '#features/tickets/server/tickets.service.ts';
import type { Mail } from '#server/mail/mail.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { withoutLoops } from '#tests/support/api/without-loops.ts';
import { queueTicketMails } from './notifications.service.ts';
import { sendTicketMails } from './send-ticket-mails.ts';

let api: TestApi;
let user: TestUser;
let superadmin: TestUser;
const running = new AbortController().signal;

before(async () => {
  api = await withoutLoops(() => createTestApi());
  user = await createUser(api);
  superadmin = await createUser(api, { superadmin: true });
  await set(user, true, 2);
  await set(superadmin, true, 2);
});
beforeEach(async () => {
  await query('DELETE FROM ticket_mails');
  await query('UPDATE tickets SET completion_told = true, wait_told = true');
});
after(() => api.close());

const query = async (sql: string, ...values: unknown[]) => (await api.context.db.query(sql, values)).rows;
const set = async ({ token }: TestUser, completed: boolean, from_rows: number) => {
  const answer = await api.send('PUT /api/notifications', { token, body: { completed, from_rows } });
  assert.deepEqual([answer.statusCode, answer.json()], [200, { completed, from_rows }]);
};
const queue = () => queueTicketMails(api.context);
const send = async (sendMail: (mail: Mail) => Promise<unknown> = async () => undefined) => {
  const sent: Mail[] = [];
  await sendTicketMails(
    api.context,
    async (mail) => {
      await sendMail(mail);
      sent.push(mail);
    },
    running,
  );
  return sent.toSorted((one, other) => one.to.address.localeCompare(other.to.address));
};
/** Finds the entries of the audit log about the workbook of a ticket. */
const exportsOf = (number: string) =>
  query(
    `SELECT actor_id, after FROM audit_log WHERE action = 'results.export' AND object_id = $1 ORDER BY id`,
    number,
  );
const receivers = (mails: Mail[]) => mails.map(({ to }) => to.address);
const rows: TestRow[] = [
  { state: 'done', activation: 'activated' },
  { state: 'failed', reason: 'Not found' },
  { state: 'failed', reason: 'Not found' },
  { state: 'failed', reason: 'Source unavailable' },
];

type Made = { uploader?: TestUser; orderedBy?: TestUser; kind?: string; status?: 'Completed' | 'Processing' };
const upload = async ({ uploader = user, orderedBy = uploader, kind = 'upload', status }: Made = {}) => {
  const ticket = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: orderedBy.id,
    status: status ?? 'Completed',
    rows,
  });
  await query(
    'UPDATE tickets SET imported_by = $2, import_kind = $3 WHERE id = $1',
    ticket.id,
    uploader.id,
    kind,
  );
  return ticket;
};
const wait = (id: number, since: string) =>
  query(
    `UPDATE tickets SET waiting_for = 'source', waiting_source = 'Vendor', waiting_cause = 'down',
       waiting_since = now() - $2::interval WHERE id = $1`,
    id,
    since,
  );

test('the uploader of a Completed ticket gets one mail with counts, reasons, link and workbook', async () => {
  const { number } = await upload();
  await queue();
  const [mail = assert.fail(), ...more] = await send();
  assert.deepEqual([mail.to.address, more], [user.email, []]);
  assert.equal(
    mail.subject,
    `Your check is done: sheet.xlsx #${number} / Pengecekan selesai: sheet.xlsx #${number}`,
  );
  assert.match(
    mail.text,
    /Sheet: sheet\.xlsx\nRows: 4\nDone: 1\n[\s\S]*Failed: 3\n\nFailed, by reason\nNot found: 2\nSource unavailable: 1\n/,
  );
  assert.match(mail.text, /Gagal, per alasan\nTidak ditemukan: 2\n/);
  for (const body of [mail.text, mail.html]) {
    assert.ok(body.includes(`http://coverdesk.test/dashboard/tickets/${number}`), body);
  }
  const [workbook] = mail.attachments ?? [];
  assert.match(workbook?.filename ?? '', new RegExp(`^imei_${number}_\\d{4}-\\d{2}-\\d{2}\\.xlsx$`));
  assert.equal(workbook?.content.subarray(0, 2).toString(), 'PK');
  const { email: receiver } = user;
  const named = { file_name: 'sheet.xlsx', import_kind: 'upload', total: 4 };
  assert.deepEqual(await exportsOf(number), [
    { actor_id: null, after: { format: 'excel', receiver, ...named, rows: 4, complete: true } },
  ]);
  await queue();
  assert.deepEqual(await send(), []);
});

test('a superadmin is told of an order that they made, and the one who uploaded it too', async () => {
  const { number } = await upload({ orderedBy: superadmin });
  await upload({ uploader: superadmin });
  await queue();
  const mails = await send();
  assert.deepEqual(receivers(mails), [superadmin.email, superadmin.email, user.email].toSorted());
  for (const { text } of mails)
    assert.doesNotMatch(text, /your upload|unggahan/i, 'a superadmin uploads nothing');
  const { token } = await createUser(api, { companyCode: user.companyCode, companyAdmin: true });
  const { data } = (
    await api.send(`GET /api/audit?action=results.export&object_id=${number}`, { token })
  ).json();
  assert.deepEqual(
    data.map(({ after }: { after: { receiver?: string } }) => after.receiver).toSorted(),
    [user.email, undefined],
    'the company is not told about superadmins',
  );
});

test('by default mails begin at 1,000 rows; each user sets that, or switches them off', async () => {
  const other = await createUser(api, { companyCode: user.companyCode });
  const read = () => api.send('GET /api/notifications', { token: other.token });
  assert.deepEqual((await read()).json(), { completed: true, from_rows: 1000 });
  const tell = async () => {
    await upload({ uploader: other });
    await queue();
    return receivers(await send());
  };
  assert.deepEqual(await tell(), []);
  await set(other, true, 4);
  assert.deepEqual(await tell(), [other.email]);
  await set(other, true, 5);
  assert.deepEqual(await tell(), []);
  await set(other, false, 1);
  assert.deepEqual(await tell(), []);
  assert.deepEqual((await read()).json(), { completed: false, from_rows: 1 });
  for (const from_rows of [-1, 1.5, '7', null]) {
    const body = { completed: true, from_rows };
    const answer = await api.send('PUT /api/notifications', { token: other.token, body });
    assert.equal(answer.statusCode, 400, answer.body);
  }
});

test('rechecks, and tickets that ended before, tell nobody', async () => {
  await upload({ kind: 'recheck' });
  await queue();
  assert.deepEqual(await send(), []);
});

test('a ticket that has waited for more than an hour tells that once, unless it goes on before the mail is sent', async () => {
  const { id, number } = await upload({ status: 'Processing' });
  await wait(id, '59 minutes');
  await queue();
  assert.deepEqual(await send(), []);
  await wait(id, '61 minutes');
  await queue();
  const [mail = assert.fail()] = await send();
  assert.equal(
    mail.subject,
    `Your check is waiting: sheet.xlsx #${number} / Pengecekan sedang menunggu: sheet.xlsx #${number}`,
  );
  assert.match(
    mail.text,
    /Reason: [^\n]*Vendor\nRows with a result: 4 of 4\n\nFailed, by reason\nNot found: 2\nSource unavailable: 1\n/,
  );
  await queue();
  assert.deepEqual(await send(), []);
  const next = await upload({ status: 'Processing' });
  await wait(next.id, '2 hours');
  await queue();
  await query('UPDATE tickets SET waiting_for = NULL WHERE id = $1', next.id);
  assert.deepEqual(await send(), []);
});

test('a ticket that is Completed before the mail about its wait is sent tells only its end', async () => {
  const { id, number } = await upload({ status: 'Processing' });
  await wait(id, '2 hours');
  await queue();
  await query(`UPDATE tickets SET status = 'Completed', waiting_for = NULL WHERE id = $1`, id);
  await queue();
  const subjects = (await send()).map(({ subject }) => subject);
  assert.deepEqual(subjects, [
    `Your check is done: sheet.xlsx #${number} / Pengecekan selesai: sheet.xlsx #${number}`,
  ]);
});

const retry = async (id: number) => {
  const answer = await api.send(`POST /api/tickets/${id}/retry`, { token: superadmin.token });
  assert.equal(answer.statusCode, 200, answer.body);
};
/** Ends a ticket that was retried, again with a row that may be retried. */
const complete = (id: number) =>
  query(
    `WITH failed AS (UPDATE serials SET state = 'failed', reason = 'Source unavailable' WHERE ticket_id = $1 AND state = 'pending')
     UPDATE tickets SET status = 'Completed', failed = 3, unavailable = 1, finished_at = now() WHERE id = $1`,
    id,
  );

test('a ticket that is retried before its mail is sent tells only the end after that', async () => {
  const { id } = await upload();
  await queue();
  await retry(id);
  await queue();
  assert.deepEqual(await send(), []);
  await complete(id);
  await queue();
  assert.deepEqual(receivers(await send()), [user.email]);
  await retry(id);
  await complete(id);
  await queue();
  assert.deepEqual(await send(), [], 'an end that was told is not told again');
});

test('a ticket that is retried before its mail is sent, and cancelled, tells nothing', async () => {
  const { id } = await upload();
  await queue();
  await retry(id);
  const cancelled = await api.send(`POST /api/tickets/${id}/cancel`, { token: superadmin.token });
  assert.equal(cancelled.statusCode, 200, cancelled.body);
  await queue();
  assert.deepEqual(await send(), []);
  assert.deepEqual(await query('SELECT FROM ticket_mails'), []);
});

test('of two receivers, a retry lets only the one whose mail still waits be told of the next end', async () => {
  const { id } = await upload({ orderedBy: superadmin });
  await queue();
  const sent = await send(async ({ to }) => {
    if (to.address === user.email) throw new Error('no mail server');
  });
  assert.deepEqual(receivers(sent), [superadmin.email]);
  await retry(id);
  await complete(id);
  await queue();
  await query('UPDATE ticket_mails SET next_at = now()');
  assert.deepEqual(receivers(await send()), [user.email]);
});

test('the mail waits until the values of the sheet are stored, which its workbook has, but at most an hour', async () => {
  const { id } = await upload();
  const addBlock = (age: string) =>
    query(
      `INSERT INTO imported_fields (company_code, ticket_id, keys, rows, at) VALUES ($1, $2, '{employee}', '[]', now() - $3::interval)`,
      user.companyCode,
      id,
      age,
    );
  await addBlock('59 minutes');
  await queue();
  assert.deepEqual(await send(), []);
  await query('DELETE FROM imported_fields');
  await addBlock('61 minutes');
  await queue();
  assert.deepEqual(receivers(await send()), [user.email]);
});

test('a workbook beyond the largest size is not attached', async () => {
  const { number } = await upload();
  const ticket = await findTicketByNumber.first(api.context.db, {
    ticketNumber: Number(number),
    scope: null,
  });
  const attach = (maxBytes?: number) =>
    attachWorkbook(api.context, ticket ?? assert.fail(), running, maxBytes);
  const size = (await attach())?.content.length ?? assert.fail();
  assert.equal((await attach(size + 100))?.content.subarray(0, 2).toString(), 'PK');
  assert.equal(await attach(size - 100), undefined);
  assert.deepEqual(await exportsOf(number), [], 'only workbooks that were sent are recorded');
});

test('who was deactivated, moved to another company or switched mails off meanwhile gets none', async () => {
  const [deactivated, moved, off] = [
    await createUser(api, { companyCode: user.companyCode }),
    await createUser(api, { companyCode: user.companyCode }),
    await createUser(api, { companyCode: user.companyCode }),
  ];
  const { companyCode } = await createUser(api);
  for (const uploader of [deactivated, moved, off]) {
    await set(uploader, true, 1);
    await upload({ uploader });
  }
  await queue();
  await query('UPDATE users SET active = false WHERE id = $1', deactivated.id);
  await set(off, false, 1);
  await query('UPDATE users SET company_code = $2 WHERE id = $1', moved.id, companyCode);
  assert.deepEqual(await send(), []);
  assert.deepEqual(await query('SELECT FROM ticket_mails'), []);
});

test('of processes that decide and send at the same time each mail is sent by one', async () => {
  for (let nth = 0; nth < 5; nth++) await upload();
  await Promise.all([queue(), queue(), queue(), queue()]);
  const sent = await Promise.all([send(), send(), send()]);
  assert.equal(sent.flat().length, 5);
});

test('a mail that fails is tried again with the same Message-ID, and stops no other', async () => {
  const other = await createUser(api);
  await set(other, true, 1);
  const { number } = await upload();
  await upload({ uploader: superadmin });
  await queue();
  const tried: Mail[] = [];
  const sent = await send(async (mail) => {
    if (mail.to.address !== user.email) return;
    tried.push(mail);
    throw new Error('no mail server');
  });
  assert.deepEqual([receivers(sent), tried.length], [[superadmin.email], 1]);
  assert.deepEqual(await send(), [], 'it waits for a minute');
  assert.deepEqual(await exportsOf(number), [], 'nobody got the workbook');
  await query('UPDATE ticket_mails SET next_at = now()');
  const [later] = await send();
  assert.equal(later?.messageId, tried[0]?.messageId);
  assert.equal((await exportsOf(number)).length, 1);
});

test('a decision that cannot be stored is tried again later, and stops no other company', async (t) => {
  const { id } = await upload();
  await upload({ uploader: superadmin });
  await query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`);
  await query(
    `CREATE TRIGGER fail BEFORE INSERT ON ticket_mails FOR EACH ROW WHEN (NEW.ticket_id = ${id}) EXECUTE FUNCTION fail()`,
  );
  t.after(() => query('DROP TRIGGER IF EXISTS fail ON ticket_mails'));
  await queue();
  assert.deepEqual(receivers(await send()), [superadmin.email]);
  await query('DROP TRIGGER fail ON ticket_mails');
  await queue();
  assert.deepEqual(await send(), [], 'it waits for a minute');
  await query('UPDATE put_off_work SET next_at = now()');
  await queue();
  assert.deepEqual(receivers(await send()), [user.email]);
});

test('after a crash between the decision and the mail, it is sent once', async () => {
  await upload();
  await queue();
  const dying = async () => {
    throw new Error('crash');
  };
  // A killed process leaves the lease of the mail that it had taken.
  await send(dying);
  await query(`UPDATE ticket_mails SET attempts = 1, next_at = now() - interval '1 second'`);
  await queue();
  assert.equal((await send()).length + (await send()).length, 1);
});
