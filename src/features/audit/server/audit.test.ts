import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { addClient, createClosedTicket, readAuditLog } from '#tests/support/api/audit.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { createOldDatabase } from '#tests/support/database/database.ts';
import { deleteExpiredEntries, record } from './audit.service.ts';

let api: TestApi;
let admin: TestUser;
let user: TestUser;

before(async () => {
  api = await createTestApi();
  admin = await createUser(api, { superadmin: true, name: 'Ayu Lestari' });
  user = await createUser(api);
});
after(() => api.close());

const asAdmin = (call: string, send: Send = {}) => api.send(call, { token: admin.token, ...send });
const readAudit = (query?: string) => readAuditLog(api, admin, query);

test('an entry has the values before and after, and the actor', async () => {
  const client = await addClient(api, admin);
  await asAdmin(`PUT /api/clients/${client._id}`, { body: { company_name: 'Other Name' } });
  const { data } = await readAudit(`?object_type=client&object_id=${client._id}`);
  const [renamed = assert.fail(), created = assert.fail()] = data;
  const { _id, at, ...told } = renamed;
  assert.match(_id, /^\d+$/);
  assert.deepEqual(told, {
    actor: { _id: String(admin.id), email: admin.email, name: 'Ayu Lestari' },
    token: null,
    address: '127.0.0.1',
    action: 'client.update',
    object_type: 'client',
    object_id: client._id,
    object_name: 'Other Name',
    company_code: client.company_code,
    company_name: 'Other Name',
    before: { company_name: 'Watched' },
    after: { company_name: 'Other Name' },
  });
  assert.ok(at >= created.at);
  assert.deepEqual([created.action, created.before], ['client.create', null]);
});

test('company administrators read nothing about superadmins and about invoices that were never issued', async () => {
  const boss = await createUser(api, { companyAdmin: true });
  const { companyCode } = boss;
  const above = await createUser(api, { superadmin: true, companyCode });
  const changed = await asAdmin(`PATCH /api/users/${above.id}`, { body: { last_name: 'Above' } });
  assert.equal(changed.statusCode, 200, changed.body);
  const person = { email: 'next@example.test', first_name: 'Next', last_name: '', role: 'superadmin' };
  const invited = await asAdmin('POST /api/invitations', { body: { ...person, company_code: companyCode } });
  assert.equal(invited.statusCode, 201);
  const month = new Date('2026-09-01');
  const { rows } = await api.context.db.query(
    `INSERT INTO invoices (company_code, month, created_at) VALUES ($1, $2, now()) RETURNING id`,
    [companyCode, month],
  );
  const entry = { companyCode, before: null, after: { note: 'internal', total: 5 } };
  const nobody = { actor: null, token: null, address: null };
  await record(api.context.db, { ...entry, action: 'invoice.update', objectId: rows[0].id }, nobody);
  await record(api.context.db, { ...entry, action: 'invoice.delete', objectId: 999_999 }, nobody);
  await api.send('GET /api/invoices/download?format=json', { token: boss.token });
  // A file of another company is empty, and the log of their own company has its entry.
  await api.send('GET /api/invoices/download?format=json&company_code=OTH001', { token: boss.token });
  await api.send('GET /api/statements/download?format=json&month=2026-10&company_code=OTH001', {
    token: boss.token,
  });
  const { data } = await readAuditLog(api, boss);
  assert.deepEqual(
    data.map(({ action }) => action),
    [
      ...['statement.export', 'invoice.export', 'invoice.export'],
      ...['user.sign-in', 'user.register', 'client.create'],
    ],
  );
});

test('an entry with an action of another release is listed under its own name', async () => {
  await api.context.db.query(
    "INSERT INTO audit_log (at, action, object_type, object_id) VALUES (now(), 'thing.done', 'thing', 'newer')",
  );
  const { data } = await readAudit('?object_id=newer');
  assert.deepEqual(
    data.map(({ action }) => action),
    ['thing.done'],
  );
});

test('refused calls leave no entry, except sign-ins, whose entry has no password', async () => {
  const { pagination: past } = await readAudit();
  assert.equal((await asAdmin('DELETE /api/clients/999999')).statusCode, 404);
  const { id } = await createClosedTicket(api, user);
  assert.equal((await asAdmin(`DELETE /api/tickets/${id}`)).statusCode, 409);
  await api.send('POST /api/auth/login', { body: { email: user.email, password: 'hush-hush' } });
  await api.send('POST /api/auth/login', { body: { email: 'nobody@example.test', password: 'hush-hush' } });
  const { data, pagination } = await readAudit();
  assert.equal(pagination.totalItems, past.totalItems + 2);
  const [unknown = assert.fail(), known = assert.fail()] = data;
  assert.deepEqual(
    [known.action, known.actor, known.object_id],
    ['user.sign-in-refused', null, String(user.id)],
  );
  assert.equal(known.after?.email, user.email);
  assert.deepEqual([unknown.object_id, unknown.after?.email], [null, 'nobody@example.test']);
  assert.doesNotMatch(JSON.stringify(data), /hush-hush/);
});

test('an export and an import report leave an entry with filter and row count', async () => {
  const { number } = await createClosedTicket(api, user);
  const download = await api.send(`GET /api/imei/download?format=json&status=all&ticket_number=${number}`, {
    token: user.token,
  });
  assert.equal(download.json().length, 2);
  await api.send(`GET /api/data/${number}/report`, { token: user.token });
  const { data } = await readAudit(`?action=results.export&object_id=${number}`);
  const [report = assert.fail(), rows = assert.fail()] = data;
  assert.deepEqual([rows.after?.format, rows.after?.status, rows.after?.rows], ['json', 'all', 2]);
  assert.equal(rows.after?.complete, true);
  assert.deepEqual([rows.actor?.email, rows.company_code], [user.email, user.companyCode]);
  assert.deepEqual([report.after?.report, report.after?.rows], ['import', 0]);
});

test('a download of the log leaves an entry with its filter', async () => {
  await asAdmin('GET /api/audit/download?format=json&action=client.create&from=2026-01-01');
  const [entry = assert.fail()] = (await readAudit('?action=audit.export')).data;
  assert.deepEqual(entry.after, { format: 'json', action: 'client.create', from: '2026-01-01' });
  assert.deepEqual([entry.actor?.email, entry.object_type], [admin.email, 'audit']);
});

test('a wrong current password leaves an entry without the password', async () => {
  const body = { currentPassword: 'hush-hush', newPassword: 'another password' };
  assert.equal(
    (await api.send('POST /api/auth/change-password', { token: user.token, body })).statusCode,
    400,
  );
  const { data, pagination } = await readAudit('?action=user.password-refused');
  const [entry = assert.fail()] = data;
  assert.equal(pagination.totalItems, 1);
  assert.deepEqual(
    [entry.actor?.email, entry.object_id, entry.company_code],
    [user.email, String(user.id), user.companyCode],
  );
  assert.doesNotMatch(JSON.stringify(data), /hush-hush/);
});

test('each response with proxies leaves an entry, and a 304 leaves none', async () => {
  const content = 'me:hush-hush@203.0.113.7:8080\n203.0.113.8:8080\n';
  await asAdmin('POST /api/proxies/upload', { file: { field: 'file', name: 'p.txt', content } });
  const reads = async () => (await readAudit('?action=proxies.read')).data;
  const first = await asAdmin('GET /api/proxies/sets');
  assert.match(first.body, /hush-hush/);
  const unchanged = { headers: { 'if-none-match': String(first.headers.etag) } };
  assert.equal((await asAdmin('GET /api/proxies/sets', unchanged)).statusCode, 304);
  assert.equal((await asAdmin('HEAD /api/proxies/sets')).body, '');
  const [entry = assert.fail(), ...others] = await reads();
  assert.deepEqual(entry.after, { proxy_sets: 1, proxies_count: 2 });
  assert.deepEqual([entry.actor?.email, entry.address], [admin.email, '127.0.0.1']);
  assert.deepEqual(others, []);
  await asAdmin('GET /api/proxies/sets', { headers: { 'if-none-match': '"older"' } });
  assert.equal((await reads()).length, 2);
  const without = await asAdmin('GET /api/proxies/sets?proxies=0');
  assert.doesNotMatch(without.body, /hush-hush/);
  assert.partialDeepStrictEqual(without.json().data[0], { proxies_count: 2, proxies: [] });
  assert.equal((await reads()).length, 2);
});

test('all entries of a ticket have its number, also those that had its id', async () => {
  const { id, number } = await createClosedTicket(api, user);
  await asAdmin(`POST /api/tickets/${id}/retry`);
  await asAdmin(`POST /api/tickets/${id}/cancel`);
  await asAdmin(`GET /api/data/${number}/report`);
  const found = (await readAudit(`?object_name=${number}`)).data;
  assert.deepEqual(
    found.map(({ action, object_id }) => [action, object_id]),
    [
      ['results.export', number],
      ['ticket.cancel', number],
      ['ticket.retry', number],
    ],
  );
  const [download, cancel] = found;
  const { file_name, import_kind, total } = cancel?.after ?? {};
  assert.partialDeepStrictEqual(download?.after, { file_name, import_kind, total });
  const { pool, migrate, close } = await createOldDatabase(53);
  try {
    await pool.query(`
      INSERT INTO audit_log (action, object_type, object_id, before, after) VALUES
        ('ticket.create', 'ticket', '70', NULL, '{"ticket_number": "12"}'),
        ('ticket.delete', 'ticket', '70', '{"ticket_number": "12"}', NULL),
        ('data.upload', 'data', '12', NULL, '{"ticket_number": "12"}'),
        ('client.create', 'client', '70', NULL, '{"company_name": "Acme"}')`);
    await migrate();
    const { rows } = await pool.query('SELECT object_id FROM audit_log ORDER BY id');
    assert.deepEqual(
      rows.map(({ object_id }) => object_id),
      ['12', '12', '12', '70'],
    );
    await assert.rejects(pool.query('DELETE FROM audit_log'), { message: 'the audit log cannot be changed' });
  } finally {
    await close();
  }
});

test('objects have names, and the log is narrowed by them', async () => {
  const client = await addClient(api, admin);
  await asAdmin(`PUT /api/clients/${client._id}`, { body: { company_name: 'Nusantara Gadget' } });
  await asAdmin(`DELETE /api/clients/${client._id}`);
  const found = (await readAudit('?object_name=nusantara%20GADGET')).data;
  assert.deepEqual(
    found.map(({ action }) => action),
    ['client.delete', 'client.update'],
  );
});

test('the log is filtered by actor, action, object, company and time', async () => {
  const total = async (query: string) => (await readAudit(query)).pagination.totalItems;
  assert.ok((await total(`?actor=${user.id}`)) > 0);
  assert.equal(await total(`?actor=${user.id}`), await total(`?actor=${user.email.toUpperCase()}`));
  assert.ok(
    (await readAudit(`?company_code=${user.companyCode}&limit=1000`)).data.every(
      (entry) => entry.company_code === user.companyCode,
    ),
  );
  assert.equal(await total('?action=no.such'), 0);
  // The day in Jakarta. All entries are from today.
  const day = new Intl.DateTimeFormat('sv', { timeZone: 'Asia/Jakarta' });
  const [today, tomorrow] = [0, 86_400_000].map((later) => day.format(Date.now() + later));
  const all = await total('');
  assert.equal(await total(`?from=${day.format(Date.now() - 86_400_000)}&to=${tomorrow}`), all);
  assert.equal(
    await total(`?from=${tomorrow}`),
    (await total(`?from=${today}`)) - (await total(`?from=${today}&to=${today}`)),
  );
  assert.equal(await total('?to=2020-01-01'), 0);
  const [newest = assert.fail()] = (await readAudit()).data;
  assert.ok((await total(`?from=${newest.at}&to=${newest.at}`)) >= 1);
  for (const bad of ['from=yesterday', 'to=2026-13-01', 'from=0000-01-01', 'to=2026-01-01T00:00:00']) {
    assert.equal((await asAdmin(`GET /api/audit?${bad}`)).statusCode, 400, bad);
  }
});

/** Downloads the log as a workbook, and reads its rows. */
async function readSheet(filter: string, language: string) {
  const headers = { 'accept-language': language };
  const { rawPayload } = await asAdmin(`GET /api/audit/download?${filter}`, { headers });
  const workbook = XLSX.read(rawPayload);
  const sheet = workbook.Sheets[workbook.SheetNames[0] ?? ''] ?? assert.fail();
  return XLSX.utils.sheet_to_json<(string | number)[]>(sheet, { header: 1 });
}

test('the log is downloaded by its filters, as JSON and as a workbook in the language of the caller', async () => {
  const query = `action=client.create&object_type=client`;
  const listed = (await readAudit(`?${query}&limit=1000`)).data;
  const json = await asAdmin(`GET /api/audit/download?format=json&${query}`);
  assert.deepEqual(json.json(), listed);
  assert.match(
    String(json.headers['content-disposition']),
    /^attachment; filename="audit_\d{4}-\d\d-\d\d\.json"$/,
  );
  const rows = await readSheet(query, 'id');
  assert.deepEqual(rows[0]?.slice(0, 5), ['Waktu', 'Pelaku', 'Token API', 'Alamat', 'Tindakan']);
  assert.equal(rows.length, listed.length + 1);
  assert.equal(rows[1]?.[4], 'Klien ditambahkan');

  // The words of the screen, in the language of each file.
  const { _id, company_code: code } = await addClient(api, admin);
  await asAdmin(`PUT /api/clients/status/${_id}`, { body: { status: '0' } });
  const words = [
    ['en', 'Client status changed', 'Status: Active', 'Status: Inactive'],
    ['id', 'Status klien diubah', 'Status: Aktif', 'Status: Nonaktif'],
  ] as const;
  const who = [`Ayu Lestari (${admin.email})`, undefined, '127.0.0.1'];
  await Promise.all(
    words.map(async ([language, action, before, after]) => {
      const [, [at, ...cells] = assert.fail()] = await readSheet(
        `action=client.status&object_id=${_id}`,
        language,
      );
      assert.equal(typeof at, 'number', 'an instant of the spreadsheet');
      assert.deepEqual(cells, [...who, action, 'Watched', `${code} (Watched)`, before, after]);
    }),
  );
  assert.deepEqual((await asAdmin('GET /api/audit/download?format=json&actor=nobody')).json(), []);
});

test('a text that looks like a time is written as it is, and breaks no download', async () => {
  const email = `2026-99-99T1@${randomBytes(4).toString('hex')}.test`;
  await api.send('POST /api/auth/login', { body: { email, password: 'a wrong password' } });
  const body = { company_name: '2026-11-26' };
  const { _id } = (await asAdmin('POST /api/clients', { body })).json().client;
  const refused = await readSheet('action=user.sign-in-refused', 'en');
  assert.ok(refused.some((cells) => String(cells.at(-1)).startsWith(`Email: ${email},`)));
  const [, entry = assert.fail()] = await readSheet(`object_id=${_id}`, 'en');
  assert.match(String(entry.at(-1)), /Company Name: 2026-11-26$/);
});

test('a recorded name that every object inherits breaks no download', async () => {
  const client = await addClient(api, admin);
  const after = JSON.stringify({ status: '__proto__' }).replace('}', ', "__proto__": "constructor" }');
  await api.context.db.query(
    `INSERT INTO audit_log (action, object_type, object_id, company_code, after) VALUES ('client.status', 'client', $1, $2, $3)`,
    [client._id, client.company_code, after],
  );
  const filter = `action=client.status&object_id=${client._id}`;
  const [, entry = assert.fail()] = await readSheet(filter, 'en');
  assert.match(String(entry.at(-1)), /__proto__/);
  const json = await asAdmin(`GET /api/audit/download?format=json&${filter}`);
  assert.deepEqual([json.statusCode, json.json().length], [200, 1]);
});

test('no entry can be changed, and only expired entries can be deleted', async () => {
  const { db } = api.context;
  const refused = { message: 'the audit log cannot be changed' };
  await assert.rejects(db.query(`UPDATE audit_log SET address = '192.0.2.1'`), refused);
  await assert.rejects(db.query('DELETE FROM audit_log'), refused);
  await assert.rejects(db.query('TRUNCATE audit_log'), refused);
  const insert = `INSERT INTO audit_log (at, action, object_type) VALUES (now() - make_interval(days => $1), 'old', 'x')`;
  for (const days of [729, 731, 800]) await db.query(insert, [days]);
  await deleteExpiredEntries(db, 730);
  const { rows } = await db.query(`SELECT count(*) FROM audit_log WHERE action = 'old'`);
  assert.equal(rows[0]?.count, 1);
  await assert.rejects(db.query(`DELETE FROM audit_log WHERE action = 'old'`), refused);
});
