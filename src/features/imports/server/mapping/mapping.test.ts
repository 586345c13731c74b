import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { registerSome } from '#features/devices/server/devices.service.ts';
import { deleteUnused } from '#features/devices/server/fields/field-values.service.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createCompany, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeSheets, workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let user: TestUser;
let stranger: TestUser;
let admin: TestUser;
const imeis = makeImeis(9);
const own = [
  { key: 'employee', name: 'Employee' },
  { key: 'site', name: 'Site' },
];
before(async () => {
  api = await createTestApi();
  user = await createUser(api, { companyCode: await createCompany(api) });
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
  const body = { fields: own };
  await api.send(`PUT /api/fields/${user.companyCode}`, { token: user.token, body });
});
after(() => api.close());

type Fields = Record<string, string | undefined>;
const sheetOf = (rows: string[][]) => makeSheets([{ name: 'Sheet1', rows }]);
const send = (path: string, rows: string[][] | Buffer, fields: Fields = {}, { token } = user) =>
  api.send(`POST /api/data/${path}`, {
    token,
    file: { field: 'excel', name: 'phones.xlsx', content: Buffer.isBuffer(rows) ? rows : sheetOf(rows) },
    fields: Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== undefined)) as Record<
      string,
      string
    >,
  });
async function upload(rows: string[][] | Buffer, fields: Fields = {}) {
  const answer = await send('upload', rows, fields);
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().ticket as { _id: string; ticket_number: string };
}
const results = async (number: string, query = '') => {
  const answer = await api.send(`GET /api/imei?limit=50&ticket_number=${number}${query}`, {
    token: user.token,
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().data as { serial_number: string; fields: Fields }[];
};
const valuesOf = async (number: string, query = '') =>
  (await results(number, query)).map(({ fields }) => fields);
/** Answers all rows of a ticket, and registers its devices. */
async function finish({ _id }: { _id: string }) {
  const { db } = api.context;
  await db.query(
    `UPDATE serials SET state = 'done', type = 'iPad', fetched_at = clock_timestamp(), source = 'test'
     WHERE ticket_id = $1 AND kind IS NOT NULL`,
    [_id],
  );
  await db.query(
    `INSERT INTO unregistered_results (ticket_id, ticket_number, company_code, positions)
     SELECT t.id, t.ticket_number, t.company_code, array_agg(s.position)
     FROM tickets t JOIN serials s ON s.ticket_id = t.id WHERE t.id = $1 AND s.kind IS NOT NULL GROUP BY t.id`,
    [_id],
  );
  await db.query("UPDATE tickets SET status = 'Completed', done = total, finished_at = now() WHERE id = $1", [
    _id,
  ]);
  while (await registerSome(db));
}
const device = async (serial: string) => {
  const [found] = (await api.send(`GET /api/devices?q=${serial}`, { token: user.token })).json().data;
  return (await api.send(`GET /api/devices/${found._id}`, { token: user.token })).json();
};

test('heads that equal a name are mapped, and values belong to the device with their history', async () => {
  const [one = '', two = ''] = imeis;
  const first = await upload(
    [
      [' Site', 'IMEI', 'EMPLOYEE ', 'Other'],
      ['Jakarta', one, ' Siti ', 'x'],
      ['', two, 'y'.repeat(250), ''],
    ],
    { column: 'B' },
  );
  const long = 'y'.repeat(200);
  assert.deepEqual(await valuesOf(first.ticket_number), [
    { site: 'Jakarta', employee: 'Siti' },
    { employee: long },
  ]);
  await finish(first);
  const second = await upload([
    ['IMEI', 'Employee'],
    [one, 'Budi'],
    [two, ''],
  ]);
  await finish(second);
  assert.deepEqual(await valuesOf(first.ticket_number), [
    { site: 'Jakarta', employee: 'Budi' },
    { employee: long },
  ]);
  const { device: known, history } = await device(one);
  assert.deepEqual(known.fields, { site: 'Jakarta', employee: 'Budi' });
  const changes = history.filter(({ source }: { source: string | null }) => source === null);
  assert.deepEqual(
    changes.map(({ at: _, ...change }: { at: string }) => change),
    [
      {
        source: null,
        ticket_number: first.ticket_number,
        changes: { 'field.employee': [null, 'Siti'], 'field.site': [null, 'Jakarta'] },
      },
      { source: null, ticket_number: second.ticket_number, changes: { 'field.employee': ['Siti', 'Budi'] } },
    ],
  );
});

test('answers in a sheet of the product are not mapped, but own columns of the same names behind them are', async () => {
  const named = await createUser(api);
  const fields = [
    { key: 'state', name: 'Status' },
    { key: 'origin', name: 'Source' },
  ];
  await api.send(`PUT /api/fields/${named.companyCode}`, { token: named.token, body: { fields } });
  const [serial = ''] = makeImeis(1, '35390113');
  const sent = await send(
    'upload',
    [
      ['IMEI', 'Status', 'Source'],
      [serial, 'broken', 'shop'],
    ],
    {},
    named,
  );
  await finish(sent.json().ticket);
  const { token } = named;
  for (const path of ['imei/download?format=excel', 'devices/download?format=excel']) {
    const book = await api.send(`GET /api/${path}`, { token });
    assert.equal(book.statusCode, 200, book.body.slice(0, 200));
    const preview = (await send('preview', book.rawPayload, {}, named)).json() as Record<string, Fields>;
    const heads = Object.entries(preview.fields ?? {}).map(([letter, key]) => [key, preview.heads?.[letter]]);
    assert.deepEqual(Object.fromEntries(heads), { state: 'Status', origin: 'Source' }, path);
    const first = Object.keys(preview.heads ?? {}).find((letter) => preview.heads?.[letter] === 'Status');
    assert.ok(first && !(first in (preview.fields ?? {})), path);
  }
});

test('heads are mapped beside a head that reads as a serial number', async () => {
  const [one = ''] = makeImeis(1, '35390112');
  const { ticket_number } = await upload([
    ['Serial No 1', 'Employee'],
    [one, 'Siti'],
  ]);
  const [row, ...others] = await results(ticket_number);
  assert.deepEqual([row?.serial_number, row?.fields.employee, others], [one, 'Siti', []]);
});

test('the values of a usual sheet are stored before its answer, although other companies wait for theirs', async () => {
  const [serial = ''] = imeis;
  const { db } = api.context;
  await db.query(
    `INSERT INTO imported_fields (company_code, ticket_id, rows) SELECT $1, 1, '[]' FROM generate_series(1, 6)`,
    [stranger.companyCode],
  );
  const { ticket_number: number } = await upload([
    ['IMEI', 'Employee'],
    [serial, 'Cahya'],
  ]);
  assert.equal((await valuesOf(number))[0]?.employee, 'Cahya');
  const { rows } = await db.query('SELECT count(*)::int AS left FROM imported_fields');
  assert.deepEqual(rows, [{ left: 6 }]);
  await registerSome(db);
});

test('the preview answers heads and the mapping that would be used, which a choice replaces and the next sheet remembers', async () => {
  const [serial = ''] = imeis;
  const rows = [
    ['IMEI', 'Assigned to', 'Site', 'Note'],
    [serial, 'Ani', 'Solo', 'n'],
  ];
  const preview = async (fields?: string) => {
    const answer = await send('preview', rows, { fields });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json() as { heads: Fields; fields: Fields };
  };
  const { heads, fields } = await preview();
  assert.deepEqual(heads, { B: 'Assigned to', C: 'Site', D: 'Note' });
  assert.deepEqual(fields, { C: 'site' });
  assert.deepEqual((await preview('{}')).fields, {});
  assert.deepEqual((await preview('{"B":"employee"}')).fields, { B: 'employee' });
  const { ticket_number: none } = await upload(rows, { fields: '{}' });
  assert.ok(none);
  assert.deepEqual((await preview()).fields, { C: 'site' });
  const { ticket_number: number } = await upload(rows, { fields: '{"B":"employee"}' });
  assert.equal((await valuesOf(number))[0]?.employee, 'Ani');
  assert.deepEqual((await preview()).fields, { B: 'employee', C: 'site' });
  const other = await send('preview', [
    ['IMEI', 'Assigned to'],
    [serial, 'Ani'],
  ]);
  assert.deepEqual(other.json().fields, {});
  const headless = await send('preview', [[serial, 'Ani']]);
  assert.deepEqual([headless.json().heads, headless.json().fields], [{}, {}]);
});

test('a remembered column is filled only by a sheet that has it', async () => {
  const [one = '', two = ''] = makeImeis(2, '35390128');
  const heads = ['IMEI', '', 'Bought by'];
  await upload([heads, [one, 'Siti', 'x']], { fields: '{"B":"employee"}' });
  const rows = [heads, [two, '', 'x']];
  const { fields } = (await send('preview', rows)).json();
  assert.deepEqual(fields, {});
  await upload(rows, { fields: JSON.stringify(fields) });
});

test('a remembered column is filled beyond the first 64, and where values begin far below', async () => {
  const serials = makeImeis(4, '35390129');
  const wide = ['IMEI', 'Bought by', ...Array(68).fill('')];
  const deep = [['IMEI', '', 'Bought at'], ...Array(2100).fill([''])];
  const sheets = (one = '', two = '') => [
    [wide, [one, ...Array(69).fill(''), 'Siti']],
    [...deep, [two, 'Ani']],
  ];
  const [wideSheet = [], deepSheet = []] = sheets(serials[0], serials[1]);
  await upload(wideSheet, { fields: '{"BS":"employee"}' });
  await upload(deepSheet, { fields: '{"B":"employee"}' });
  const values = [];
  for (const rows of sheets(serials[2], serials[3]))
    values.push(await valuesOf((await upload(rows)).ticket_number));
  assert.deepEqual(values, [[{ employee: 'Siti' }], [{ employee: 'Ani' }]]);
});

test('a head beyond the first 64 columns fills the own column of its name', async () => {
  const [serial = ''] = makeImeis(1, '35390162');
  const between = Array(69).fill('');
  const rows = [
    ['IMEI', ...between, 'Employee'],
    [serial, ...between, 'Siti'],
  ];
  const { heads, fields } = (await send('preview', rows)).json();
  assert.deepEqual([heads, fields], [{ BS: 'Employee' }, { BS: 'employee' }]);
  assert.deepEqual(await valuesOf((await upload(rows)).ticket_number), [{ employee: 'Siti' }]);
});

test('a sheet fills a column that was renamed since the last sheet with the same heads', async () => {
  const renaming = await createUser(api);
  const name = (text: string, ...more: { key: string; name: string }[]) =>
    api.send(`PUT /api/fields/${renaming.companyCode}`, {
      token: renaming.token,
      body: { fields: [{ key: 'site', name: text }, ...more] },
    });
  const [serial = ''] = makeImeis(1, '35390161');
  const rows = [
    ['IMEI', 'Office'],
    [serial, 'Solo'],
  ];
  await name('Office');
  assert.equal((await send('upload', rows, {}, renaming)).statusCode, 201);
  await name('Place');
  assert.deepEqual((await send('preview', rows, {}, renaming)).json().fields, { B: 'site' });
  // A name that its head equals comes before what is remembered.
  await name('Place', { key: 'office', name: 'Office' });
  assert.deepEqual((await send('preview', rows, {}, renaming)).json().fields, { B: 'office' });
});

test('an unknown key or column of a mapping, and one of another form, is 400', async () => {
  const rows = [
    ['IMEI', 'Employee'],
    [imeis[0] ?? '', 'Ani'],
  ];
  for (const fields of [
    '{"B":"boss"}',
    '{"Z":"employee"}',
    '{"b":"employee"}',
    '{"1":"employee"}',
    '[]',
    'x',
    '{"B":1}',
    '{"A":"site","B":"site"}',
  ])
    for (const path of ['preview', 'upload']) {
      const answer = await send(path, rows, { fields });
      assert.deepEqual(
        [answer.statusCode, answer.json().details?.[0].path],
        [400, 'fields'],
        `${path} ${fields}`,
      );
    }
  const foreign = await send('upload', rows, { fields: '{"B":"employee"}' }, stranger);
  assert.deepEqual(
    [foreign.statusCode, foreign.json().details?.[0].message],
    [400, 'There is no own column "employee"; it may have been removed'],
  );
});

test('pasted serials bring values, too; an unknown key stores nothing', async () => {
  const [, , , , five = '', six = ''] = imeis;
  const paste = (serials: unknown[], { token } = user) =>
    api.send('POST /api/data/serials', { token, body: { serials } });
  const answer = await paste([
    { serial: five, fields: { employee: 'Tuti' } },
    six,
    { serial: 'no', fields: { site: 'x' } },
  ]);
  assert.equal(answer.statusCode, 201, answer.body);
  assert.deepEqual(await valuesOf(answer.json().ticket.ticket_number), [{ employee: 'Tuti' }, {}, {}]);
  for (const serials of [
    [{ serial: five, fields: { boss: 'x' } }],
    [{ fields: {} }],
    [{ serial: five, more: 1 }],
    [{ serial: five, fields: { site: 1 } }],
  ])
    assert.equal((await paste(serials)).statusCode, 400, JSON.stringify(serials));
  const refused = await paste([six, { serial: five, fields: { site: 'x' } }], stranger);
  assert.equal(refused.statusCode, 400);
  assert.equal(refused.json().details[0].path, 'serials.1.fields.site');
});

test('rows of results are filtered and sorted by own columns, also those that are not looked up yet', async () => {
  const rows = imeis.slice(0, 4).map((serial, n) => [serial, ['Siti', 'siti rahma', '', 'Ani'][n] ?? '']);
  const fresh = makeImeis(4, '35390112').map((serial, n) => [serial, rows[n]?.[1] ?? '']);
  const { ticket_number: number } = await upload([['IMEI', 'Employee'], ...fresh]);
  const places = async (query: string) =>
    (await results(number, query)).map((row) => fresh.findIndex(([serial]) => serial === row.serial_number));
  assert.deepEqual(await places('&field.employee=SITI'), [0]);
  assert.deepEqual(await places('&field.employee.contains=siti'), [0, 1]);
  assert.deepEqual(await places('&field.employee.empty=true'), [2]);
  assert.deepEqual(await places('&sort=field.employee&order=desc'), [1, 0, 3, 2]);
  assert.equal((await results(number, '&field.employee.contains=siti&state=done')).length, 0);
  const call = (query: string) =>
    api.send(`GET /api/imei?ticket_number=${number}${query}`, { token: user.token });
  for (const query of ['&field.boss=x', '&sort=field.boss', '&field.employee.empty=x'])
    assert.equal((await call(query)).statusCode, 400, query);
  const [{ fields } = { fields: {} }] = (await call('&cursor=0&field.employee=siti')).json().data;
  assert.deepEqual(fields, {});
});

for (const bookType of ['xlsx', 'biff8', 'biff5'] as const) {
  test(`a number whose format shows a day is that day in ${bookType}, and any other stays a number`, async () => {
    const serials = makeImeis(3, '35390116');
    const sheet = XLSX.utils.aoa_to_sheet([
      ['IMEI', 'Employee', 'Site'],
      [serials[0], 45_000.75, 45_000],
      [serials[1], 45_000, 45_000.25],
      [serials[2], 45_001, 12],
    ]);
    const formats = {
      B2: 'd mmm yyyy hh:mm',
      C2: '0.00',
      B3: '[$-421]dd/mm/yyyy;@',
      C3: 'h:mm',
      B4: 'm/d/yy',
    };
    for (const [cell, z] of Object.entries(formats)) sheet[cell].z = z;
    const book = XLSX.utils.book_new(sheet, 'Phones');
    const ticket = await upload(XLSX.write(book, { bookType, type: 'buffer' }));
    assert.deepEqual(await valuesOf(ticket.ticket_number), [
      { employee: '2023-03-15', site: '45000' },
      { employee: '2023-03-15', site: '45000.25' },
      { employee: '2023-03-16', site: '12' },
    ]);
  });
}

test('a date that is stored as one, and not as a number, is its day', async () => {
  const [serial = ''] = makeImeis(1, '35390130');
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const date = (value: string) => `<c t="d"><v>${value}</v></c>`;
  const heads = `<row>${['IMEI', 'Employee', 'Site'].map(text).join('')}</row>`;
  const row = `<row>${text(serial)}${date('2026-03-15T00:00:00.000Z')}${date('10:30:00')}</row>`;
  const { ticket_number: number } = await upload(zip(workbookParts(heads + row)));
  assert.deepEqual(await valuesOf(number), [{ employee: '2026-03-15', site: '10:30:00' }]);
});

test('downloads have a column for each own column; the uploaded sheet gets only those that it lacks', async () => {
  const serials = makeImeis(2, '35390113');
  const ticket = await upload([
    ['IMEI', 'Employee'],
    [serials[0] ?? '', 'Siti'],
    [serials[1] ?? '', 'Ani'],
  ]);
  await finish(ticket);
  const { device: known } = await device(serials[0] ?? '');
  await api.send(`PATCH /api/devices/${known._id}`, {
    token: user.token,
    body: { fields: { site: 'Solo' } },
  });
  const read = async (path: string, { token } = user): Promise<string[][]> => {
    const answer = await api.send(`GET /api${path}`, {
      token,
      headers: { 'accept-language': 'en' },
    });
    assert.equal(answer.statusCode, 200, answer.body);
    const book = XLSX.read(answer.rawPayload);
    return XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1 });
  };
  const ends = (rows: string[][]) => rows.slice(0, 2).map((row) => row.slice(-2));
  const expected = [
    ['Employee', 'Site'],
    ['Siti', 'Solo'],
  ];
  assert.deepEqual(ends(await read(`/imei/download?ticket_number=${ticket.ticket_number}`)), expected);
  assert.deepEqual(ends(await read(`/devices/download?ticket_number=${ticket.ticket_number}`)), expected);
  // A superadmin's files have the columns of the only company that a ticket or ids lead to.
  const mine = `ticket_number=${ticket.ticket_number}`;
  const { rows: theirs } = await api.context.db.query(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     VALUES ($1, 'STRANGE01', now(), now(), '{1}') RETURNING id`,
    [stranger.companyCode],
  );
  for (const [query, heads] of [
    [mine, ['Employee', 'Site']],
    [`company_code=${user.companyCode}&${mine}`, ['Employee', 'Site']],
    [`ids=${known._id}`, ['Employee', 'Site']],
    [`ids=${known._id},${theirs[0]?.id}`, []],
    ['sort=type', []],
  ] as const) {
    const [head] = await read(`/devices/download?${query}`, admin);
    assert.deepEqual(head?.slice(13), heads, query);
  }
  const cells = await readAnnotated(ticket.ticket_number);
  assert.equal(cells[0]?.filter((head) => head === 'Employee').length, 1);
  const at = cells[0]?.indexOf('Site') ?? -1;
  assert.equal(cells[1]?.[at], 'Solo');
  const json = await api.send(
    `GET /api/imei/download?format=json&ticket_number=${ticket.ticket_number}&field.site=solo`,
    {
      token: user.token,
    },
  );
  assert.deepEqual(
    json.json().map((row: { fields: Fields }) => row.fields),
    [{ employee: 'Siti', site: 'Solo' }],
  );
  const next = await upload([['IMEI'], [serials[0] ?? '']]);
  const changes = await read(
    `/tickets/changes/download?ticket_number=${next.ticket_number}&with=${ticket.ticket_number}`,
  );
  assert.deepEqual(changes[0]?.slice(-2), ['Employee', 'Site']);
  // The second device was removed.
  assert.ok(changes.slice(1).every((row) => row.includes('Ani')));
});

test('changes between tickets and of rechecks have the values in lists and JSON files', async () => {
  const [lost = '', removed = ''] = makeImeis(2, '35390115');
  const older = await upload([
    ['IMEI', 'Employee'],
    [lost, 'Siti'],
    [removed, 'Budi'],
  ]);
  await finish(older);
  const newer = await upload([['IMEI'], [lost]]);
  const { db } = api.context;
  await db.query(
    "UPDATE serials SET state = 'failed', reason = 'Not found', fetched_at = now() WHERE ticket_id = $1",
    [newer._id],
  );
  await db.query("UPDATE tickets SET status = 'Completed', failed = 1, finished_at = now() WHERE id = $1", [
    newer._id,
  ]);
  const read = async (path: string) => {
    const answer = await api.send(`GET /api${path}`, { token: user.token });
    assert.equal(answer.statusCode, 200, answer.body);
    return answer.json();
  };
  const valuesIn = (changes: { kind: string; fields: Fields }[]) =>
    Object.fromEntries(changes.map(({ kind, fields }) => [kind, fields]));
  const compared = `ticket_number=${newer.ticket_number}&with=${older.ticket_number}`;
  const both = { not_found: { employee: 'Siti' }, removed: { employee: 'Budi' } };
  assert.deepEqual(valuesIn((await read(`/tickets/changes?${compared}`)).data), both);
  assert.deepEqual(valuesIn(await read(`/tickets/changes/download?format=json&${compared}`)), both);
  const rechecked = `/rechecks/${user.companyCode}/changes`;
  const ticket = `ticket_number=${newer.ticket_number}`;
  const found = { not_found: { employee: 'Siti' } };
  assert.deepEqual(valuesIn((await read(`${rechecked}?${ticket}`)).data), found);
  assert.deepEqual(valuesIn(await read(`${rechecked}/download?format=json&${ticket}`)), found);
});

/** Reads the cells of an annotated sheet by row. */
async function readAnnotated(number: string, { token } = user): Promise<(string | undefined)[][]> {
  const { rawPayload } = await api.send(`GET /api/data/${number}/annotated`, {
    token,
    headers: { 'accept-language': 'en' },
  });
  const path = join(api.context.config.DATA_DIR, 'annotated.xlsx');
  await writeFile(path, rawPayload);
  const cells: (string | undefined)[][] = [];
  await readSheet(path, { columns: 30, maxRows: 10 }, (rows) => {
    for (const row of rows) cells.push(Array.from(row.cells, (cell) => cell?.text));
  });
  return cells;
}

test('a sheet with a head that became the name of an own column later gets no second column of it', async () => {
  const put = (fields: object[]) =>
    api.send(`PUT /api/fields/${user.companyCode}`, { token: user.token, body: { fields } });
  const [serial = ''] = makeImeis(1, '35390118');
  const ticket = await upload(
    [
      [' asset NUMBER', 'IMEI'],
      ['7', serial],
    ],
    { column: 'B' },
  );
  await put([...own, { key: 'asset', name: 'Asset number' }]);
  const heads = (await readAnnotated(ticket.ticket_number))[0] ?? [];
  await put(own);
  const named = heads.filter((head) => /^(asset number|employee|site)$/i.test(head?.trim() ?? ''));
  assert.deepEqual(named, [' asset NUMBER', 'Employee', 'Site']);
});

test('a key that every object has is a key like others', async () => {
  const key = 'constructor';
  const company = await createUser(api);
  const as = (path: string, rest: object = {}) => api.send(path, { token: company.token, ...rest });
  const body = { fields: [{ key, name: 'Builder' }] };
  assert.equal((await as(`PUT /api/fields/${company.companyCode}`, { body })).statusCode, 200);
  const [one = '', two = ''] = makeImeis(2, '35390119');
  const serials = [{ serial: one, fields: { [key]: 'Siti' } }, two];
  const pasted = await as('POST /api/data/serials', { body: { serials } });
  assert.equal(pasted.statusCode, 201, pasted.body);
  const uploaded = await send('upload', [['IMEI'], [one], [two]], {}, company);
  assert.equal(uploaded.statusCode, 201, uploaded.body);
  const [first, last] = [pasted.json().ticket, uploaded.json().ticket];
  for (const ticket of [first, last]) await finish(ticket);
  const read = async (path: string): Promise<string[][]> => {
    const answer = await as(`GET /api${path}`);
    assert.equal(answer.statusCode, 200, `${path}: ${answer.body.slice(0, 200)}`);
    const book = XLSX.read(answer.rawPayload);
    return XLSX.utils.sheet_to_json(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1 });
  };
  for (const path of [
    `/imei/download?ticket_number=${last.ticket_number}`,
    '/devices/download',
    'annotated',
  ]) {
    const rows = path === 'annotated' ? readAnnotated(last.ticket_number, company) : read(path);
    const cells = (await rows).flat();
    assert.deepEqual(
      [cells.includes('Siti'), cells.some((cell) => /function/.test(cell ?? ''))],
      [true, false],
      path,
    );
  }
  for (const format of ['json', 'excel'])
    for (const path of [
      `/imei/download?ticket_number=${last.ticket_number}&format=${format}`,
      `/devices/download?format=${format}`,
      `/tickets/changes/download?ticket_number=${last.ticket_number}&with=${first.ticket_number}&format=${format}`,
      `/rechecks/${company.companyCode}/changes/download?ticket_number=${last.ticket_number}&format=${format}`,
    ]) {
      const answer = await as(`GET /api${path}`);
      assert.equal(answer.statusCode, 200, `${path}: ${answer.body.slice(0, 200)}`);
    }
});

test('of equal serials the first value counts, and an empty cell has none', async () => {
  const [one = '', two = '', three = ''] = makeImeis(3, '35390121');
  const ticket = await upload([
    ['IMEI', 'Employee', 'Site'],
    [one, '', 'Solo'],
    [`${two}, ${three}`, '', ''],
    [one, 'Siti', 'Bogor'],
    [one, 'Ani', ''],
    [two, 'Tuti', ''],
    [three, '', 'Malang'],
    [three, 'Budi', ''],
  ]);
  await finish(ticket);
  assert.deepEqual(await valuesOf(ticket.ticket_number), [
    { employee: 'Siti', site: 'Solo' },
    { employee: 'Tuti' },
    { employee: 'Budi', site: 'Malang' },
  ]);
  const { history } = await device(one);
  assert.equal(history.length, 2, 'the answer and one change');
});

test('an error of Excel leaves a value as it is', async () => {
  const [serial = ''] = makeImeis(1, '35390127');
  const head = ['IMEI', 'Employee', 'Site'];
  await upload([head, [serial, 'Siti', 'Solo']]);
  const sheet = XLSX.utils.aoa_to_sheet([head, [serial]]);
  sheet['!ref'] = 'A1:C2';
  Object.assign(sheet, { B2: { t: 'e', v: 0x2a }, C2: { t: 'e', v: 0x17 } });
  for (const bookType of ['xlsx', 'biff8'] as const) {
    const book = XLSX.write(XLSX.utils.book_new(sheet, 'Phones'), { bookType, type: 'buffer' });
    const { ticket_number: number } = await upload(book);
    assert.deepEqual(await valuesOf(number), [{ employee: 'Siti', site: 'Solo' }], bookType);
  }
});

test('a formula without a result leaves a value as it is', async () => {
  const [serial = ''] = makeImeis(1, '35390129');
  await upload([
    ['IMEI', 'Employee'],
    [serial, 'Siti'],
  ]);
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = `<row>${text('IMEI')}${text('Employee')}</row><row>${text(serial)}<c><f>Z1</f><v/></c></row>`;
  const { ticket_number: number } = await upload(zip(workbookParts(rows)));
  assert.deepEqual(await valuesOf(number), [{ employee: 'Siti' }]);
});

test('values that the database refuses to store hold up neither others nor results', async () => {
  const { db } = api.context;
  const [serial = '', other = ''] = makeImeis(2, '35390120');
  const store = (rows: string) =>
    db.query(
      "INSERT INTO imported_fields (company_code, ticket_id, keys, rows) VALUES ($1, 0, '{site}', $2)",
      [user.companyCode, rows],
    );
  await store('"no list"');
  await store(JSON.stringify([[serial, 'Solo']]));
  const ticket = await upload([['IMEI'], [serial], [other]]);
  await assert.rejects(finish(ticket));
  await assert.rejects(registerSome(db));
  const [found] = (await api.send(`GET /api/devices?q=${serial}`, { token: user.token })).json().data;
  assert.deepEqual(found?.fields, { site: 'Solo' });
  await db.query('DELETE FROM imported_fields');
});

test('a value of a sheet that is stored late replaces no newer one, of a user or of a sheet', async () => {
  const { db } = api.context;
  const [edited = '', uploaded = ''] = makeImeis(2, '35390121');
  const ticket = await upload([['IMEI'], [edited], [uploaded]]);
  await finish(ticket);
  const [{ at }] = (await db.query('SELECT clock_timestamp() AS at')).rows;
  const { _id } = (await device(edited)).device;
  const body = { fields: { employee: 'Newer' } };
  assert.equal((await api.send(`PATCH /api/devices/${_id}`, { token: user.token, body })).statusCode, 200);
  await upload([
    ['IMEI', 'Employee'],
    [uploaded, 'Sheet'],
  ]);
  await db.query(
    'INSERT INTO imported_fields (company_code, ticket_id, keys, rows, at) VALUES ($1, 0, $2, $3, $4)',
    [
      user.companyCode,
      ['employee', 'site'],
      JSON.stringify([edited, uploaded].map((serial) => [serial, 'Older', 'Older'])),
      at,
    ],
  );
  while (await registerSome(db));
  assert.deepEqual((await device(edited)).device.fields, { employee: 'Newer', site: 'Older' });
  assert.deepEqual((await device(uploaded)).device.fields, { employee: 'Sheet', site: 'Older' });
});

test('the first value of a serial counts, however far below its next row is', async () => {
  const serials = makeImeis(1002, '35390127');
  const [one = ''] = serials;
  const ticket = await upload([
    ['IMEI', 'Employee', 'Site'],
    ...serials.map((serial) => [serial, serial === one ? 'Siti' : 'Ani', '']),
    [one, 'Budi', 'Solo'],
  ]);
  await finish(ticket);
  assert.deepEqual((await valuesOf(ticket.ticket_number))[0], { employee: 'Siti', site: 'Solo' });
});

test('a value is stored without control characters, spaces around it and half characters', async () => {
  const texts = ['\u00a0Si_x0007_ti\u00a0', 'Jos\u00e9 _xD83D_', '\u00a0', 'a\tb\\"c"'];
  const serials = makeImeis(texts.length, '35390128');
  const { ticket_number } = await upload([
    ['IMEI', 'Employee'],
    ...serials.map((serial, nth) => [serial, texts[nth] ?? '']),
  ]);
  const values = (await valuesOf(ticket_number)).map(({ employee }) => employee);
  assert.deepEqual(values, ['Si ti', 'Jos\u00e9 \ufffd', undefined, 'a b\\"c"']);
});

test('a long value is cut to 200 characters without a half character or a space at its end', async () => {
  const [emoji = '', space = ''] = makeImeis(2, '35390125');
  const { ticket_number: number } = await upload([
    ['IMEI', 'Employee'],
    [emoji, `${'x'.repeat(199)}😀`],
    [space, `${'x'.repeat(199)} yy`],
  ]);
  const cut = { employee: 'x'.repeat(199) };
  assert.deepEqual(await valuesOf(number), [cut, cut]);
});

test('values of serials that no source knew go with the last ticket that had them', async () => {
  const [serial = ''] = makeImeis(1, '35390114');
  const first = await upload([
    ['IMEI', 'Employee'],
    [serial, 'Siti'],
  ]);
  const second = await upload([['IMEI'], [serial]]);
  const stored = async () => {
    await deleteUnused(api.context.db);
    const { rows } = await api.context.db.query('SELECT FROM device_fields WHERE serial = $1', [serial]);
    return rows.length;
  };
  const remove = (number: string) => api.send(`DELETE /api/data/${number}`, { token: user.token });
  await remove(first.ticket_number);
  assert.equal(await stored(), 1);
  await remove(second.ticket_number);
  assert.equal(await stored(), 0);
});
