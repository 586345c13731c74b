import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import PostalMime from 'postal-mime';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { issueDueOn } from '#tests/support/api/invoices.ts';
import { waitFor } from '#tests/support/wait.ts';

let api: TestApi;
let superadmin: TestUser;

before(async () => {
  api = await createTestApi();
  superadmin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const send = (call: string, body?: unknown) =>
  api.send(call, { token: superadmin.token, ...(body !== undefined && { body }) });

/** Issues an invoice of a company. @returns its `_id` */
async function makeInvoice({ companyCode, id }: TestUser, due: string): Promise<string> {
  const ticket = await createTicketWithRows(api, {
    companyCode,
    createdBy: id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  await api.context.db.query(`UPDATE tickets SET finished_at = '2026-10-05' WHERE id = $1`, [ticket.id]);
  const { _id } = (await send('POST /api/invoices', { company_code: companyCode, month: '2026-10' })).json();
  await issueDueOn(api, superadmin, _id, due);
  return _id;
}

async function readMails() {
  const folder = join(api.context.config.DATA_DIR, 'outbox');
  const files = await readdir(folder).catch(() => []);
  const mails = files.filter((name) => name.endsWith('.eml'));
  return Promise.all(mails.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))));
}

test('a reminder goes to the administrators of the company with the PDF, at most once a day', async () => {
  const admin = await createUser(api, { companyAdmin: true });
  await createUser(api, { companyCode: admin.companyCode });
  const call = `POST /api/invoices/${await makeInvoice(admin, '2020-01-31')}/remind`;
  const answers = await Promise.all([1, 2].map(() => send(`${call}?language=id`)));
  assert.deepEqual(answers.map(({ statusCode }) => statusCode).toSorted(), [202, 409]);
  const [mail = assert.fail(), ...others] = await waitFor('the reminder', async () => {
    const mails = await readMails();
    return mails.length > 0 ? mails : undefined;
  });
  assert.deepEqual(others, []);
  assert.deepEqual(
    mail.to?.map(({ address }) => address),
    [admin.email],
  );
  assert.match(mail.subject ?? '', /^Faktur INV\/\d{4}\/0001 lewat jatuh tempo$/);
  assert.match(mail.text ?? '', /Total: Rp 800\nJatuh tempo: 31 Januari 2020/);
  const [file = assert.fail()] = mail.attachments;
  assert.match(file.filename ?? '', /^INV-\d{4}-0001-id\.pdf$/);
  assert.equal(
    Buffer.from(file.content as ArrayBuffer)
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  );
  assert.equal((await send(call)).json().code, 'invoice_reminded');
  api.clock.set(new Date(Date.now() + 86_400_000 * 0.4));
  assert.equal((await send(call)).json().code, 'invoice_reminded');
  api.clock.set(undefined);
});

test('an invoice that is not overdue, or whose company has no administrator, gets no reminder', async () => {
  const codeOf = async (owner: TestUser, due: string) =>
    (await send(`POST /api/invoices/${await makeInvoice(owner, due)}/remind`)).json().code;
  const admin = await createUser(api, { companyAdmin: true });
  assert.equal(await codeOf(admin, '9998-01-31'), 'invoice_not_overdue');
  assert.equal(await codeOf(await createUser(api), '2020-01-31'), 'no_receivers');
  assert.equal((await send('POST /api/invoices/0/remind')).json().code, 'invoice_not_found');
});
