import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { registerTicket } from '#features/devices/server/devices.service.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeSheets, makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

const cases = new URL('../../../../../tests/cases/sheets/', import.meta.url);
const [first = '', second = '', third = '', fourth = ''] = makeImeis(4);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi({ PRICE_USD: '0.07', DOLLAR_RATE: '15000', MAX_UPLOAD_ROWS: '60' });
  user = await createUser(api);
});
after(() => api.close());

const preview = (content: Buffer, fields: Record<string, string> = {}, { token } = user) =>
  api.send('POST /api/data/preview', {
    token,
    file: { field: 'excel', name: 'sheet.xlsx', content },
    fields,
  });
const read = async (content: Buffer, fields?: Record<string, string>) => {
  const answer = await preview(content, fields);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
const upload = (content: Buffer, fields: Record<string, string> = {}) =>
  uploadSheet(api, user, content, { fields });

test('a preview tells the price and discount of the company’s terms, and the price before the discount', async () => {
  const owner = await createUser(api);
  await api.context.db.query(
    `INSERT INTO client_terms (company_code, price, discount, address, tax_number, invoice_emails)
     VALUES ($1, 0.04, 25, '', '', '{}')`,
    [owner.companyCode],
  );
  const { price_per_data, price_total, discount } = (
    await preview(makeWorkbook([first, second]), {}, owner)
  ).json();
  assert.deepEqual([price_per_data, price_total, discount], [600, 1200, 25]);
});

test('a preview counts what an import would store, and stores nothing', async () => {
  const known = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Completed',
    rows: [{ serial: second, state: 'done' }],
  });
  await api.context.db.query(
    "UPDATE serials SET fetched_at = now() - interval '4 days 1 hour' WHERE ticket_id = $1",
    [known.id],
  );
  await registerTicket(api.context.db, known.id);
  const stranger = await createUser(api);
  const content = makeWorkbook(['IMEI', first, second, first, '356938030010005']);
  assert.deepEqual(await read(content), {
    sheet: 'Sheet1',
    sheets: ['Sheet1'],
    suggested_sheet: null,
    column: 'A',
    default_column: 'A',
    suggested_column: null,
    columns: [{ column: 'A', head: 'IMEI', serials: 3, imeis: 3 }],
    rows: 4,
    valid_count: 2,
    invalid_count: 1,
    duplicate_count: 1,
    header_skipped: true,
    heads: {},
    fields: {},
    known_count: 1,
    known_ages: [{ days: 4, count: 1 }],
    seen: null,
    price_total: 2100,
    price_per_data: 1050,
    discount: 0,
    exceeds_budget: false,
    estimate_seconds: null,
    seconds_per_row: null,
    invalid: [{ row: 5, value: '356938030010005', reason: 'The check digit is wrong' }],
  });
  const theirs = (await preview(content, {}, stranger)).json();
  assert.equal(theirs.known_count, 0);
  // Answers of the sandbox end with the first real source, and no import takes them then.
  await api.context.db.query("INSERT INTO real_sources (names) VALUES ('{apple}')");
  assert.deepEqual([(await read(content)).known_count, (await read(content)).known_ages], [0, []]);
  await api.context.db.query('DELETE FROM real_sources');
  const { rows } = await api.context.db.query('SELECT count(*)::int AS count FROM tickets');
  assert.equal(rows[0].count, 1);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
});

test('a preview says whether the budget of the user’s company is enough', async () => {
  const owner = await createUser(api);
  const content = makeWorkbook([first, second]);
  const exceeds = async (who: TestUser) => (await preview(content, {}, who)).json().exceeds_budget;
  const budget = 'INSERT INTO budgets (company_code, monthly_rupiah) VALUES ($1, $2)';
  const change = `${budget} ON CONFLICT (company_code) DO UPDATE SET monthly_rupiah = $2`;
  const setLimit = (rupiah: number) => api.context.db.query(change, [owner.companyCode, rupiah]);
  await setLimit(2099);
  assert.deepEqual([await exceeds(owner), await exceeds(await createUser(api))], [true, false]);
  await setLimit(2100);
  assert.equal(await exceeds(owner), false);
  const tickets = { companyCode: owner.companyCode, createdBy: owner.id, status: 'Completed' } as const;
  await createTicketWithRows(api, { ...tickets, rows: [{ state: 'done' }] });
  assert.equal(await exceeds(owner), true);
});

test('the estimate takes rows that wait and the pace of recent tickets, without their idle minutes', async () => {
  const busy = await createUser(api);
  const owner = { companyCode: busy.companyCode, createdBy: busy.id };
  const readOne = async () => (await preview(makeWorkbook([first]), {}, busy)).json();
  const estimate = async () => (await readOne()).estimate_seconds;
  assert.equal(await estimate(), null);
  const done = await createTicketWithRows(api, { ...owner, status: 'Completed', rows: [{ state: 'done' }] });
  // 100 rows in two minutes of an hour.
  await api.context.db.query(
    `UPDATE tickets SET started_at = now() - interval '1 hour', finished_at = now() WHERE id = $1`,
    [done.id],
  );
  await api.context.db.query(
    `INSERT INTO ticket_minutes VALUES ($1, now() - interval '1 hour', 60), ($1, now(), 40)`,
    [done.id],
  );
  assert.equal(await estimate(), 2);
  assert.equal((await readOne()).seconds_per_row, 1.2);
  await createTicketWithRows(api, { ...owner, rows: Array.from({ length: 9 }, () => ({})) });
  assert.equal(await estimate(), 12);
});

test('a long head is cut at a whole character', async () => {
  const { columns } = await read(makeWorkbook([`${'x'.repeat(99)}😀`, first]));
  assert.equal(columns[0].head, 'x'.repeat(99));
});

test('the first column with serials is read, and one with more IMEIs is suggested', async () => {
  const names = makeSheets([
    {
      name: 'Phones',
      rows: [
        ['Owner', 'IMEI'],
        ['ANNA1985', first],
        ['BUDI1990', second],
      ],
    },
  ]);
  const taken = await read(names);
  assert.deepEqual([taken.column, taken.suggested_column, taken.valid_count], ['A', 'B', 2]);
  assert.deepEqual(taken.columns, [
    { column: 'A', head: 'Owner', serials: 2, imeis: 0 },
    { column: 'B', head: 'IMEI', serials: 2, imeis: 2 },
  ]);
  assert.equal((await read(names, { column: 'b' })).column, 'B');
  const words = makeSheets([
    {
      name: 'Phones',
      rows: [
        ['Anna', first],
        ['Budi', second],
      ],
    },
  ]);
  const only = await read(words);
  assert.deepEqual(
    [only.column, only.default_column, only.suggested_column, only.valid_count],
    ['B', 'A', null, 2],
  );
});

test('a head that reads as a serial number counts neither as one nor for its column', async () => {
  const rows = [
    ['Laporan 2026', 'Serial No 1'],
    ['Ani', first],
    ['Budi', second],
  ];
  const answer = await read(makeSheets([{ name: 'Phones', rows }]));
  assert.partialDeepStrictEqual(answer, {
    ...{ column: 'B', rows: 2, valid_count: 2, invalid_count: 0, header_skipped: true },
    ...{ heads: { A: 'Laporan 2026' } },
    columns: [
      { column: 'A', serials: 0 },
      { column: 'B', serials: 2 },
    ],
  });
});

test('column A is read if its first serial is below the sampled rows', async () => {
  const late = makeSheets([
    {
      name: 'Phones',
      rows: [...Array.from({ length: 2100 }, () => ['', 'Anna']), ['', first], [second, '']],
    },
  ]);
  const seen = await read(late);
  assert.deepEqual([seen.column, seen.suggested_column, seen.valid_count], ['A', null, 1]);
});

test('serials right of the columns that are sampled are found, if no other column has any', async () => {
  const far = (...serials: string[]) =>
    makeSheets([
      { name: 'Phones', rows: serials.map((serial) => ['Anna', ...Array(63).fill(''), serial, 'Budi']) },
    ]);
  const seen = await read(far('IMEI', first, second));
  assert.deepEqual([seen.column, seen.default_column, seen.valid_count], ['BM', 'A', 2]);
  assert.deepEqual(seen.columns, [
    { column: 'A', head: 'Anna', serials: 0, imeis: 0 },
    { column: 'BM', head: 'IMEI', serials: 2, imeis: 2 },
  ]);
  assert.equal((await upload(far(first), { column: 'BM' })).statusCode, 201);
  assert.equal((await preview(far('IMEI', 'none'))).statusCode, 422);
});

test('another visible sheet is suggested where the first has no serial, and can be chosen by its name', async () => {
  const content = makeSheets([
    { name: 'Notes', rows: [['nothing here']] },
    { name: 'Secret', hidden: true, rows: [[first]] },
    { name: 'Phones & more'.replace('&', '&amp;'), rows: [[third]] },
  ]);
  const seen = await read(content);
  assert.deepEqual(
    [seen.sheet, seen.sheets, seen.suggested_sheet, seen.valid_count],
    ['Notes', ['Notes', 'Phones & more'], 'Phones & more', 0],
  );
  assert.equal((await read(content, { sheet: 'Phones & more' })).valid_count, 1);
  const answer = await upload(content, { sheet: 'Phones & more' });
  assert.equal(answer.statusCode, 201, answer.body);
  for (const sheet of ['Secret', 'phones']) {
    for (const refused of [await preview(content, { sheet }), await upload(content, { sheet })]) {
      assert.equal(refused.statusCode, 400);
      assert.equal(refused.json().details[0].path, 'sheet');
    }
  }
});

test('an upload reads the chosen column', async () => {
  const content = makeSheets([
    {
      name: 'Phones',
      rows: [
        ['ANNA1985', '', first],
        ['BUDI1990', '', 'no serial'],
      ],
    },
  ]);
  const answer = await upload(content, { column: 'C' });
  assert.equal(answer.statusCode, 201, answer.body);
  assert.deepEqual(answer.json().invalid, [
    { row: 2, value: 'no serial', reason: 'Not an IMEI, MEID or serial number' },
  ]);
  assert.equal((await upload(content)).json().imported_count, 2);
  const empty = await upload(content, { column: 'B' });
  assert.equal(empty.statusCode, 422);
  for (const column of ['0', 'A1', 'XFE', 'AAAA', 'é']) {
    for (const refused of [await preview(content, { column }), await upload(content, { column })]) {
      assert.equal(refused.statusCode, 400, column);
      assert.equal(refused.json().details[0].path, 'column');
    }
  }
});

test('corrections stand in for invalid cells, and the sheet comes back with the results beside them', async () => {
  const rows = ['IMEI', first, '356938030010005', 'lost', `'${second}`, 'still lost'];
  const content = makeWorkbook(rows);
  const corrections = JSON.stringify({
    A4: `${third}, ${first}`,
    A3: ' 35-63034890-12342 ',
    A6: 'no serial',
  });
  const send = (text: string, key: string) =>
    uploadSheet(api, user, content, {
      fields: { corrections: text },
      headers: { 'idempotency-key': key },
    });
  const answer = await send(corrections, 'corrected');
  assert.equal(answer.statusCode, 201, answer.body);
  const { ticket, invalid, ...counts } = answer.json();
  assert.partialDeepStrictEqual(counts, { imported_count: 5, invalid_count: 1, duplicate_count: 1 });
  assert.deepEqual([invalid[0].row, invalid[0].value], [6, 'still lost']);
  const stored = await api.context.db.query(
    'SELECT sheet_row, serial, original FROM serials WHERE ticket_id = $1 AND sheet_row IN (3, 4) ORDER BY position',
    [ticket._id],
  );
  assert.deepEqual(stored.rows, [
    { sheet_row: 3, serial: '356303489012342', original: '356938030010005' },
    { sheet_row: 4, serial: third, original: 'lost' },
  ]);
  assert.deepEqual((await send(corrections, 'corrected')).json(), answer.json());
  assert.equal((await send(JSON.stringify({ A3: third }), 'corrected')).statusCode, 422);
  const annotated = await api.send(`GET /api/data/${ticket.ticket_number}/annotated`, user);
  assert.equal(annotated.statusCode, 200, annotated.body);
  const path = join(api.context.config.DATA_DIR, 'annotated.xlsx');
  await writeFile(path, annotated.rawPayload);
  const seen: (string | undefined)[][] = [];
  await readSheet(path, { columns: 2, maxRows: 10 }, (sheetRows) => {
    for (const { cells } of sheetRows) seen.push(Array.from(cells, (cell) => cell?.text));
  });
  assert.deepEqual(seen.slice(2, 4), [
    ['356938030010005', '356303489012342'],
    ['lost', `${first}\n${third}`],
  ]);
});

test('corrections are few, short, and of invalid cells of the column alone', async () => {
  const content = makeWorkbook(['IMEI', first, 'lost']);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, row) => [`A${row + 1}`, 'x']));
  const malformed = ['[]', 'x', '{"3":"x"}', '{"A3":1}', '{"A3":" "}', '{"a3":"x"}', '{"XFE3":"x"}'];
  const long = JSON.stringify({ A3: 'x'.repeat(201) });
  const others = ['A1', 'A2', 'A4', 'B3'].map((cell) => JSON.stringify({ [cell]: second }));
  const hidden = '{"A3":"x","__proto__":"x"}';
  for (const corrections of [...malformed, hidden, long, JSON.stringify(many), ...others]) {
    const answer = await upload(content, { corrections });
    assert.deepEqual([answer.statusCode, answer.json().details?.[0].path], [400, 'corrections'], corrections);
  }
  const none = await upload(content, { corrections: '{}' });
  assert.equal(none.json().imported_count, 2);
});

test('an exported results sheet can be uploaded as it is, in both languages', async () => {
  for (const language of ['en', 'id']) {
    const ticket = await createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      status: 'Completed',
      rows: [
        { serial: third, state: 'done' },
        { serial: fourth, state: 'failed', reason: 'Not found' },
      ],
    });
    const exported = await api.send(`GET /api/imei/download?format=excel&ticket_number=${ticket.number}`, {
      token: user.token,
      headers: { 'accept-language': language },
    });
    assert.equal(exported.statusCode, 200);
    const seen = await read(exported.rawPayload);
    assert.deepEqual([seen.column, seen.default_column], ['B', 'B']);
    const answer = await upload(exported.rawPayload);
    assert.equal(answer.statusCode, 201, answer.body);
    assert.deepEqual(
      [answer.json().imported_count, answer.json().invalid_count, answer.json().header_skipped],
      [2, 0, true],
    );
  }
});

test('a preview and an import agree about sheets of many writers', async () => {
  const sheets = ['sheetjs.xls', 'libreoffice-number.xls', 'openpyxl-hidden-first.xlsx', 'hand-types.xlsx'];
  for (const name of [...sheets, 'exceljs-mixed.xlsx', 'hand-utf16.xlsx']) {
    const content = await readFile(new URL(name, cases));
    const seen = await read(content);
    const answer = await upload(content, { column: seen.column });
    if (answer.statusCode !== 201) assert.equal(seen.valid_count, 0, `${name}: ${answer.body}`);
    const { imported_count: imported, invalid_count, duplicate_count, invalid } = answer.json();
    if (answer.statusCode !== 201) continue;
    assert.deepEqual(
      [seen.valid_count, seen.invalid_count, seen.duplicate_count, seen.invalid],
      [imported - invalid_count, invalid_count, duplicate_count, invalid],
      name,
    );
  }
});

test('a preview refuses what an upload refuses', async () => {
  const admin = await createUser(api, { superadmin: true });
  assert.equal((await preview(makeWorkbook([first]), {}, admin)).statusCode, 403);
  const none = await preview(makeWorkbook(['nothing', 'here']));
  assert.equal(none.statusCode, 422);
  assert.equal(none.json().details[0].path, 'A2');
  assert.equal((await preview(Buffer.from('not a workbook at all'))).statusCode, 415);
  assert.equal((await preview(await readFile(new URL('bad-encrypted.xlsx', cases)))).statusCode, 422);
  assert.equal((await preview(makeWorkbook(makeImeis(61)))).statusCode, 413);
  const inactive = await createUser(api);
  await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
    inactive.companyCode,
  ]);
  assert.equal((await preview(makeWorkbook([first]), {}, inactive)).statusCode, 403);
});

test('a preview names the newest ticket of the company with the same valid serials', async () => {
  const owner = await createUser(api);
  const colleague = await createUser(api, { companyCode: owner.companyCode });
  const stranger = await createUser(api);
  const seenBy = async ({ token }: TestUser, ...cells: string[]) =>
    (await preview(makeWorkbook(cells), {}, { ...owner, token })).json().seen;
  const send = async (sender: TestUser, ...cells: string[]) =>
    (await uploadSheet(api, sender, makeWorkbook(cells))).json().ticket.ticket_number;
  assert.equal(await seenBy(owner, first, second), null);
  const older = await send(owner, first, second, 'no serial!');
  await send(owner, first, third);
  await send(owner, first);
  await send(stranger, first, second);
  // Order, heads, duplicates and invalid cells do not matter.
  const seen = await seenBy(owner, 'IMEI', second, first, second);
  assert.equal(seen.ticket_number, older);
  assert.equal(seen.by.email, owner.email);
  assert.ok(Math.abs(Date.parse(seen.at) - Date.now()) < 600_000);
  assert.equal(await seenBy(owner, first, second, third), null);
  const newer = await send(colleague, second, first);
  assert.deepEqual((await seenBy(owner, first, second)).ticket_number, newer);
  for (const serial of makeImeis(21, '35390111')) {
    const rows = [serial, fourth].map((one) => ({ serial: one }));
    await createTicketWithRows(api, { companyCode: owner.companyCode, createdBy: owner.id, rows });
  }
  assert.equal((await seenBy(owner, first, second)).ticket_number, newer, 'however many others are as long');
  const change = (set: string, number: string) =>
    api.context.db.query(`UPDATE tickets SET ${set} WHERE ticket_number = $1`, [number]);
  await change('coverage_deleted = true', newer);
  assert.equal((await seenBy(owner, first, second)).ticket_number, older);
  await change("imported_at = imported_at - interval '31 days'", older);
  assert.equal(await seenBy(owner, first, second), null);
});

test('a preview names the ticket of the same sheet whose invalid cells were corrected', async () => {
  const owner = await createUser(api);
  const sheet = makeWorkbook(['IMEI', first, 'lost', second, 'still lost']);
  const seenIn = async (content: Buffer) => (await preview(content, {}, owner)).json().seen;
  const corrections = JSON.stringify({ A3: `${third}, ${fourth}` });
  const sent = await uploadSheet(api, owner, sheet, { fields: { corrections } });
  assert.equal(sent.statusCode, 201, sent.body);
  assert.equal((await seenIn(sheet))?.ticket_number, sent.json().ticket.ticket_number);
  assert.equal(await seenIn(makeWorkbook(['IMEI', first, 'other', second, 'still lost'])), null);
  assert.equal(await seenIn(makeWorkbook(['IMEI', first, 'lost', 'still lost'])), null);
  assert.equal(await seenIn(makeWorkbook(['IMEI', first, second])), null);
  const oneInvalid = makeWorkbook(['IMEI', first, 'lost']);
  const split = await uploadSheet(api, owner, oneInvalid, { fields: { corrections } });
  assert.equal((await seenIn(oneInvalid))?.ticket_number, split.json().ticket.ticket_number);
});

test('a list of texts is previewed as a sheet, without its cells’ places', async () => {
  const owner = await createUser(api);
  const send = (serials: unknown, { token } = owner) =>
    api.send('POST /api/data/serials/preview', { token, body: { serials } });
  const answer = await send(['IMEI', first, '', 'unknown', first, second]);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.partialDeepStrictEqual(answer.json(), {
    sheet: '',
    sheets: [],
    column: '',
    columns: [],
    rows: 4,
    valid_count: 2,
    invalid_count: 1,
    duplicate_count: 1,
    header_skipped: true,
    price_total: 2100,
    exceeds_budget: false,
    invalid: [{ row: 4, value: 'unknown', reason: 'Not an IMEI, MEID or serial number' }],
  });
  const imported = await api.send('POST /api/data/serials', {
    token: owner.token,
    body: { serials: [second, first] },
  });
  const again = (await send([first, second])).json();
  assert.equal(again.seen.ticket_number, imported.json().ticket.ticket_number);
  const none = await send(['no serial', 'here']);
  assert.deepEqual([none.statusCode, none.json().details[0].path], [422, 'serials.1']);
  assert.equal((await send(makeImeis(61))).statusCode, 413);
  assert.equal((await send([1])).statusCode, 400);
  assert.equal((await send([first], await createUser(api, { superadmin: true }))).statusCode, 403);
});
