import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDb } from '#server/db/connection/open-db.ts';
import { inTransaction, type Queryable } from '#server/db/db.ts';
import { createLog } from '#server/runtime/log.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createCompany,
  createTicketWithRows,
  createUser,
  type TestUser,
} from '#tests/support/api/factories.ts';
import { createOldDatabase } from '#tests/support/database/database.ts';
import { registerSome } from '../devices.service.ts';
import { listValues } from './field-values.queries.ts';
import { storeImportedFields } from './field-values.service.ts';
import { deleteRemovedValues } from './fields.service.ts';

let api: TestApi;
let user: TestUser;
let colleague: TestUser;
let stranger: TestUser;
let admin: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api, { companyCode: await createCompany(api) });
  colleague = await createUser(api, { companyCode: user.companyCode, companyAdmin: true });
  stranger = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const employee = { key: 'employee', name: 'Employee' };
const site = { key: 'site', name: 'Site' };

const put = (fields: unknown, { token }: TestUser = user, query = '', code = user.companyCode) =>
  api.send(`PUT /api/fields/${code}${query}`, {
    token,
    body: { fields },
    headers: { 'accept-language': 'en' },
  });
const list = async ({ token }: TestUser, code = user.companyCode) => {
  const answer = await api.send(`GET /api/fields/${code}`, { token });
  return answer.statusCode === 200 ? answer.json().fields : answer.statusCode;
};
async function register(owner: TestUser, serials: string[]) {
  await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: serials.map((serial) => ({ serial, state: 'done' })),
  });
  await registerSome(api.context.db);
}
const ask = (query: string, { token }: TestUser = user) =>
  api.send(`GET /api/devices?${query}`, { token, headers: { 'accept-language': 'en' } });
const find = async (query: string, caller?: TestUser): Promise<string[]> => {
  const answer = await ask(query, caller);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().data.map((device: { serial_number: string }) => device.serial_number);
};
const idOf = async (serial: string, caller = user) =>
  (await ask(`q=${serial}`, caller)).json().data[0]._id as string;
const patch = async (serial: string, fields: object, caller = user) =>
  api.send(`PATCH /api/devices/${await idOf(serial)}`, { token: caller.token, body: { fields } });
async function setValues(values: Record<string, object>) {
  await put([employee, site]);
  await register(user, Object.keys(values));
  for (const [serial, fields] of Object.entries(values)) {
    const answer = await patch(serial, fields);
    assert.equal(answer.statusCode, 200, answer.body);
  }
}

test('users and administrators of a company, and superadmins, read and replace its columns; others get 404', async () => {
  assert.deepEqual(await list(user), []);
  assert.deepEqual((await put([site, employee])).json(), { fields: [site, employee] });
  assert.deepEqual((await put([employee, site], colleague)).json(), { fields: [employee, site] });
  assert.deepEqual(
    (await put([employee, { ...site, name: ' Place ' }], admin)).json().fields[1].name,
    'Place',
  );
  for (const caller of [user, colleague, admin])
    assert.deepEqual(await list(caller), [employee, { key: 'site', name: 'Place' }]);
  assert.equal(await list(stranger), 404);
  assert.equal((await put([], stranger)).statusCode, 404);
  assert.equal(await list(admin, 'NONE999'), 404);
});

test('names of columns can be seen', async () => {
  const owner = await createUser(api);
  const refusalOf = async (name: string) => {
    const answer = await api.send(`PUT /api/fields/${owner.companyCode}`, {
      token: owner.token,
      body: { fields: [{ key: 'site', name }] },
    });
    return answer.statusCode === 200 ? null : answer.json().message;
  };
  assert.match(await refusalOf('\u200b'), /visible/);
  assert.match(await refusalOf('Site \u202e'), /visible/);
  assert.equal(await refusalOf('Site'), null);
});

test('columns that a colleague changed since they were read are not replaced, and open screens notice a change', async () => {
  const owner = await createUser(api);
  const code = owner.companyCode;
  const send = (fields: object[], known?: object[], query = '') =>
    api.send(`PUT /api/fields/${code}${query}`, { token: owner.token, body: { fields, known } });
  const revision = async () =>
    (await api.send('GET /api/tickets/activity', { token: owner.token })).json().register_revision;
  const before = await revision();
  assert.equal((await send([site], [])).statusCode, 200);
  assert.notEqual(await revision(), before);
  for (const query of ['', '?forget=true']) {
    const refused = await send([employee], [], query);
    assert.deepEqual([refused.statusCode, refused.json().code], [409, 'fields_changed']);
  }
  assert.equal((await send([employee], [{ ...site, name: 'Place' }])).statusCode, 409);
  assert.deepEqual(await list(owner, code), [site]);
  assert.equal((await send([site, employee], [site])).statusCode, 200);
  assert.equal((await send([employee, site])).statusCode, 200);
});

test('keys have a form and are unique; names have 1 to 60 characters; there are at most 10', async () => {
  const many = Array.from({ length: 11 }, (_, n) => ({ key: `k${n}`, name: 'Name' }));
  const wrong = [
    [{ ...employee, key: 'Employee' }],
    [{ ...employee, key: '1a' }],
    [{ ...employee, key: 'a'.repeat(32) }],
    [{ ...employee, name: ' ' }],
    [{ ...employee, name: 'n'.repeat(61) }],
    [{ ...employee, name: 'First\nsecond' }],
    [employee, employee],
    many,
    'none',
  ];
  for (const fields of wrong) assert.equal((await put(fields)).statusCode, 400, JSON.stringify(fields));
  assert.equal((await put(many.slice(1))).statusCode, 200);
});

test('columns of which none is left out are replaced without a look at the values', async () => {
  await put([employee, site]);
  await inTransaction(api.context.db, async (tx) => {
    await tx.query('LOCK TABLE device_fields, imported_fields IN ACCESS EXCLUSIVE MODE');
    assert.equal((await put([site, { ...employee, name: 'Holder' }])).statusCode, 200);
  });
});

test('a column with values is only removed with them, and comes back empty', async () => {
  await setValues({ FORGET01: { employee: 'Siti', site: 'Jakarta' }, FORGET02: { site: 'Jakarta' } });
  const refused = await put([employee]);
  assert.deepEqual([refused.statusCode, refused.json().code], [409, 'field_has_values']);
  assert.deepEqual(await find('field.site=jakarta'), ['FORGET01', 'FORGET02']);
  assert.equal((await put([employee], user, '?forget=true')).statusCode, 200);
  await put([employee, site]);
  assert.deepEqual(await find('field.site.empty=false'), []);
  assert.deepEqual(await find('field.employee=siti'), ['FORGET01']);
  const { history } = (
    await api.send(`GET /api/devices/${await idOf('FORGET01')}`, { token: user.token })
  ).json();
  assert.deepEqual(history.at(-1).changes, { 'field.employee': [null, 'Siti'] });
});

test('values of a removed column whose deletion failed are not shown, and are deleted later or before the column comes back', async () => {
  await setValues({ FORGET04: { site: 'Jakarta' } });
  const { db } = api.context;
  const [ticketNumber] = (
    await api.send(`GET /api/devices/${await idOf('FORGET04')}`, { token: user.token })
  ).json().tickets;
  const left = async () =>
    (await db.query(`SELECT FROM device_fields WHERE serial = 'FORGET04' AND fields ? 'site'`)).rows.length;
  const removeInPart = async () => {
    await db.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'stopped' USING ERRCODE = 'deadlock_detected'; END $$;
      CREATE TRIGGER fail BEFORE DELETE ON device_fields FOR EACH ROW EXECUTE FUNCTION fail()`);
    const answer = await put([employee], user, '?forget=true');
    const again = await put([employee]);
    await db.query('DROP FUNCTION fail CASCADE');
    assert.equal(again.statusCode, 200, again.body);
    assert.equal(answer.statusCode, 200, answer.body);
    assert.deepEqual(answer.json(), { fields: [employee] });
    assert.deepEqual(await list(user), [employee]);
    assert.equal(await left(), 1);
    const { device, history } = (
      await api.send(`GET /api/devices/${await idOf('FORGET04')}`, { token: user.token })
    ).json();
    assert.deepEqual([device.fields, history.length], [{}, 1]);
    const { data } = (
      await api.send(`GET /api/imei?ticket_number=${ticketNumber}`, { token: user.token })
    ).json();
    assert.deepEqual(data[0].fields, {});
    const file = await api.send('GET /api/devices/download?q=FORGET04&format=json', { token: user.token });
    assert.doesNotMatch(file.body, /Jakarta|Bogor/);
  };
  await removeInPart();
  assert.equal((await put([employee, site])).statusCode, 200);
  assert.equal(await left(), 0);
  await patch('FORGET04', { site: 'Bogor' });
  await removeInPart();
  await deleteRemovedValues(db, null);
  assert.equal(await left(), 0);
  assert.equal((await put([employee, site])).statusCode, 200);
});

test('a column that comes back stays empty for sheets that were imported, or begun, before', async () => {
  const owner = await createUser(api);
  const code = owner.companyCode;
  const { db } = api.context;
  const values = async () =>
    (
      await db.query('SELECT fields FROM device_fields WHERE company_code = $1 ORDER BY serial', [code])
    ).rows.map(({ fields }) => fields);
  const importValues = (client: Queryable, serial: string) =>
    client.query('INSERT INTO imported_fields (company_code, ticket_id, keys, rows) VALUES ($1, 0, $2, $3)', [
      code,
      ['employee', 'site'],
      JSON.stringify([[serial, 'Siti', 'Solo']]),
    ]);
  await put([employee, site], owner, '', code);
  await importValues(db, 'WAITS001');
  await inTransaction(db, async (tx) => {
    await put([employee], owner, '?forget=true', code);
    await put([employee, site], owner, '', code);
    await importValues(tx, 'WAITS002');
  });
  await importValues(db, 'WAITS003');
  while (await storeImportedFields(db, 5, code));
  const before = { employee: 'Siti' };
  assert.deepEqual(await values(), [before, before, { employee: 'Siti', site: 'Solo' }]);
});

test('values of a sheet do not wait for those of a large sheet of another company', async () => {
  const owner = await createUser(api);
  await put([site], owner, '', owner.companyCode);
  const { db } = api.context;
  const importBlocks = (companyCode: string, count: number) =>
    db.query(
      `INSERT INTO imported_fields (company_code, ticket_id, keys, rows)
       SELECT $1, 0, '{site}', '[["TURNS001", "Solo"]]' FROM generate_series(1, $2::int)`,
      [companyCode, count],
    );
  await importBlocks(user.companyCode, 30);
  await importBlocks(owner.companyCode, 1);
  assert.equal(await registerSome(db), true);
  const { rows } = await db.query('SELECT fields FROM device_fields WHERE company_code = $1', [
    owner.companyCode,
  ]);
  assert.deepEqual(rows, [{ fields: { site: 'Solo' } }]);
  while (await registerSome(db));
  const { rows: left } = await db.query('SELECT FROM imported_fields');
  assert.equal(left.length, 0);
});

test('a value of a sheet is stored that was imported in the millisecond in which its column was added', async () => {
  const owner = await createUser(api);
  const code = owner.companyCode;
  await put([employee], owner, '', code);
  const { db } = api.context;
  await db.query(
    `UPDATE company_fields SET added_at = '2026-01-01 12:00:00.000100Z' WHERE company_code = $1`,
    [code],
  );
  await db.query(
    `INSERT INTO imported_fields (company_code, ticket_id, keys, rows, at)
     VALUES ($1, 0, '{employee}', '[["INSTANT1", "Siti"]]', '2026-01-01 12:00:00.000200Z')`,
    [code],
  );
  while (await storeImportedFields(db, 5, code));
  const { rows } = await db.query('SELECT fields FROM device_fields WHERE company_code = $1', [code]);
  assert.deepEqual(rows, [{ fields: { employee: 'Siti' } }]);
});

test('a migration keeps the values of sheets that wait to be stored', async () => {
  const { url, pool, migrate, close } = await createOldDatabase(319);
  const db = openDb(url, createLog('test', 'silent'));
  try {
    await pool.query(
      `INSERT INTO clients (company_name, company_code) VALUES ('Acme', 'ACM001');
       INSERT INTO company_fields (company_code, key, name, place)
         VALUES ('ACM001', 'employee', 'Employee', 1), ('ACM001', 'site', 'Site', 2)`,
    );
    await pool.query(
      `INSERT INTO imported_fields (company_code, ticket_id, keys, rows) VALUES
         ('ACM001', 1, '{site,employee}', '[{"serial": "A", "fields": {"employee": "Si\\"ti"}}, {"serial": "B", "fields": {"employee": "Ani", "site": "Solo"}}]'),
         ('ACM001', 1, '{}', '[]')`,
    );
    await migrate();
    // By a process of the older release that was in the middle of an import.
    await pool.query(
      `INSERT INTO imported_fields (company_code, ticket_id, keys, rows) VALUES
         ('ACM001', 2, '{site}', '[{"serial": "C", "fields": {"site": "Solo"}}]')`,
    );
    while (await storeImportedFields(db, 5, null));
    const { rows } = await pool.query('SELECT serial, fields FROM device_fields ORDER BY serial');
    assert.deepEqual(rows, [
      { serial: 'A', fields: { employee: 'Si"ti' } },
      { serial: 'B', fields: { employee: 'Ani', site: 'Solo' } },
      { serial: 'C', fields: { site: 'Solo' } },
    ]);
  } finally {
    await db.end();
    await close();
  }
});

test('a device answers its values, and keeps who changed them', async () => {
  await setValues({ VALUES01: { employee: ' Siti ' } });
  const changed = await patch('VALUES01', { employee: null, site: 'Bandung' }, colleague);
  assert.deepEqual(changed.json().device.fields, { site: 'Bandung' });
  assert.deepEqual((await ask('q=VALUES01')).json().data[0].fields, { site: 'Bandung' });
  const { history } = (
    await api.send(`GET /api/devices/${await idOf('VALUES01')}`, { token: user.token })
  ).json();
  assert.deepEqual(
    history.slice(1).map(({ at: _, ...entry }: { at: string }) => entry),
    [
      {
        source: null,
        ticket_number: null,
        by: { _id: String(user.id), email: user.email },
        changes: { 'field.employee': [null, 'Siti'] },
      },
      {
        source: null,
        ticket_number: null,
        by: { _id: String(colleague.id), email: colleague.email },
        changes: { 'field.employee': ['Siti', null], 'field.site': [null, 'Bandung'] },
      },
    ],
  );
});

test('users of a company are not told which superadmin changed a value', async () => {
  await setValues({ VALUES02: { site: 'Bogor' } });
  await patch('VALUES02', { site: 'Solo' }, admin);
  const id = await idOf('VALUES02');
  const last = async ({ token }: TestUser) => {
    const { at: _, ...entry } = (await api.send(`GET /api/devices/${id}`, { token })).json().history.at(-1);
    return entry;
  };
  const change = { source: null, ticket_number: null, changes: { 'field.site': ['Bogor', 'Solo'] } };
  assert.deepEqual(await last(admin), { ...change, by: { _id: String(admin.id), email: admin.email } });
  for (const caller of [user, colleague]) assert.deepEqual(await last(caller), change);
});

test('a change names known columns, has texts of at most 200 characters, and stays within the company', async () => {
  await setValues({ CHANGE01: { employee: 'x'.repeat(200) } });
  for (const fields of [{ boss: 'Siti' }, { employee: 'x'.repeat(201) }, { employee: 7 }, {}])
    assert.equal((await patch('CHANGE01', fields)).statusCode, 400, JSON.stringify(fields));
  assert.equal((await patch('CHANGE01', { employee: 'Mine' }, stranger)).statusCode, 404);
  assert.equal((await patch('CHANGE01', { employee: 'Ani' }, admin)).json().device.fields.employee, 'Ani');
});

test('a value has no control characters, as in an import', async () => {
  const told = ' Siti\r\nRahma\0 ';
  await setValues({ CLEAN01: { employee: told }, CLEAN02: { employee: 'Ani' } });
  const readValues = async (serial: string) => (await ask(`q=${serial}`)).json().data[0].fields;
  assert.deepEqual(await readValues('CLEAN01'), { employee: 'Siti Rahma' });
  const change = { filter: 'q=CLEAN02', count: 1 };
  for (const [value, stored] of [
    [told, { employee: 'Siti Rahma' }],
    ['\u0007', {}],
  ] as const) {
    const body = { ...change, fields: { employee: value } };
    assert.equal((await api.send('POST /api/devices/fields', { token: user.token, body })).statusCode, 200);
    assert.deepEqual(await readValues('CLEAN02'), stored);
  }
  const serials = [{ serial: 'C02ABCD1', fields: { employee: told } }];
  const imported = await api.send('POST /api/data/serials', { token: user.token, body: { serials } });
  assert.equal(imported.statusCode, 201, imported.body);
  const rows = `GET /api/imei?ticket_number=${imported.json().ticket.ticket_number}`;
  const [row] = (await api.send(rows, { token: user.token })).json().data;
  assert.deepEqual(row.fields, { employee: 'Siti Rahma' });
});

test('devices are found by whole values, parts and emptiness, in any case, and sorted by a column', async () => {
  await setValues({
    FIND0001: { employee: 'Siti Rahma', site: 'Zürich "A"' },
    FIND0002: { employee: 'SITI', site: 'ambon' },
    FIND0003: { site: 'Bogor\\1' },
    FIND0004: { employee: 'Budi' },
  });
  const among = (query: string) => find(`q=FIND000&${query}`);
  assert.deepEqual(await among('field.employee=siti'), ['FIND0002']);
  assert.deepEqual(await among('field.employee.contains=SIT'), ['FIND0001', 'FIND0002']);
  assert.deepEqual(await among(`field.site=${encodeURIComponent('züRICH "a"')}`), ['FIND0001']);
  assert.deepEqual(await among(`field.site=${encodeURIComponent('bogor\\1')}`), ['FIND0003']);
  assert.deepEqual(await among('field.employee.contains=siti&field.site.contains=m'), ['FIND0002']);
  assert.deepEqual(await among('field.employee.empty=true'), ['FIND0003']);
  assert.deepEqual(await among('field.employee.empty=false&field.site.empty=false'), [
    'FIND0001',
    'FIND0002',
  ]);
  assert.deepEqual(await among('sort=field.site'), ['FIND0002', 'FIND0003', 'FIND0001', 'FIND0004']);
  assert.deepEqual(await among('sort=field.site&order=desc'), [
    'FIND0001',
    'FIND0003',
    'FIND0002',
    'FIND0004',
  ]);
  const page = (await ask('q=FIND000&field.employee.contains=siti&limit=1')).json();
  assert.deepEqual([page.data.length, page.pagination.totalItems], [1, 2]);
});

test('a client that follows the OpenAPI document filters by own columns', async () => {
  await setValues({ OPEN0001: { employee: 'Siti' }, OPEN0002: { employee: 'Budi' } });
  const { paths } = (await api.send('GET /api/openapi.json')).json();
  for (const path of ['/api/devices', '/api/devices/download', '/api/imei', '/api/imei/download']) {
    const parameters: { name: string; style?: string; explode?: boolean; schema: FieldSchema }[] =
      paths[path].get.parameters;
    const { schema, style, explode } =
      parameters.find(({ name }) => name === 'field') ?? assert.fail(`no field of ${path}`);
    // By default, the properties of an object become parameters.
    assert.deepEqual([schema.type, style, explode], ['object', undefined, undefined], path);
    const names = new RegExp(schema.propertyNames.pattern ?? '');
    const query = { 'field.employee': 'siti', 'field.site.empty': 'true' };
    for (const name of Object.keys(query)) assert.match(name, names);
    assert.doesNotMatch('employee', names);
    if (path === '/api/devices')
      assert.deepEqual(await find(`q=OPEN000&${new URLSearchParams(query)}`), ['OPEN0001']);
  }
});
type FieldSchema = { type: string; propertyNames: { pattern?: string } };

test('an unknown column in a filter or an order is 400, and so is a filter of another form', async () => {
  await put([employee], user, '?forget=true');
  for (const query of [
    'field.boss=x',
    'field.site.contains=x',
    'sort=field.boss',
    'field.employee.like=x',
    'field.employee.empty=1',
    'field.Employee=x',
    'field.__proto__=x',
    'field.employee=a&field.employee=b',
  ])
    assert.equal((await ask(query)).statusCode, 400, query);
  assert.equal((await ask('field.boss=x')).json().details[0].path, 'field.boss');
  assert.equal((await ask('field.employee=x', stranger)).statusCode, 400);
  assert.deepEqual(await find(`company_code=${user.companyCode}&field.employee=x`, admin), []);
  assert.equal((await ask('field.employee=', stranger)).statusCode, 200);
  const answer = await api.send('GET /api/devices/download?field.boss=x', { token: user.token });
  assert.equal(answer.statusCode, 400);
});

test('a selection is changed at once if it still has as many devices', async () => {
  await setValues({ MANY0001: { site: 'Depok' }, MANY0002: { site: 'depok' }, MANY0003: { site: 'Solo' } });
  const change = (body: object, { token } = user) => api.send('POST /api/devices/fields', { token, body });
  const filter = 'field.site=DEPOK';
  const fields = { site: 'Bekasi', employee: 'Pool' };
  assert.equal((await change({ filter, count: 3, fields })).statusCode, 409);
  assert.equal((await change({ filter, count: 2, fields }, admin)).statusCode, 400);
  assert.equal((await change({ filter: `${filter}&unknown=1`, count: 2, fields })).statusCode, 400);
  assert.equal((await change({ filter: 'field.boss=1', count: 0, fields })).statusCode, 400);
  assert.equal((await change({ filter: 'field.__proto__=1', count: 3, fields })).statusCode, 400);
  assert.equal((await change({ filter, count: 2, fields: { boss: 'x' } })).statusCode, 400);
  assert.equal((await change({ filter, count: 2, fields })).statusCode, 200);
  assert.deepEqual(await find('field.site=bekasi&field.employee=pool'), ['MANY0001', 'MANY0002']);
  const company = `company_code=${user.companyCode}&field.site=bekasi`;
  assert.equal((await change({ filter: company, count: 2, fields: { site: null } }, admin)).statusCode, 200);
  assert.deepEqual(await find('field.site=bekasi'), []);
  assert.deepEqual(await find('field.site=solo'), ['MANY0003']);
});

test('a superadmin’s selection of devices of one company needs no company, that of several does', async () => {
  await setValues({ ONE00001: { site: 'Depok' } });
  await register(stranger, ['ONE00002']);
  const [one, two] = [await idOf('ONE00001'), await idOf('ONE00002', stranger)];
  const change = (filter: string, count: number) =>
    api.send('POST /api/devices/fields', {
      token: admin.token,
      body: { filter, count, fields: { site: 'Bekasi' } },
    });
  assert.equal((await change(`ids=${one},${two}`, 2)).statusCode, 400);
  const answer = await change(`ids=${one}`, 1);
  assert.equal(answer.statusCode, 200, answer.body);
  assert.deepEqual(await find('q=ONE00001&field.site=bekasi'), ['ONE00001']);
});

test('a failure of the database after the first slice tells and records how many devices are changed', async () => {
  const owner = await createUser(api);
  const { db } = api.context;
  await put([site], owner, '', owner.companyCode);
  await db.query(
    `INSERT INTO devices (company_code, serial, first_seen, last_checked, tickets)
     SELECT $1, 'P' || 10000 + n, now(), now(), '{1}' FROM generate_series(1, 2001) n`,
    [owner.companyCode],
  );
  await db.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'stopped' USING ERRCODE = 'deadlock_detected'; END $$;
    CREATE TRIGGER fail BEFORE INSERT ON device_fields FOR EACH ROW WHEN (NEW.serial = 'P12001') EXECUTE FUNCTION fail()`);
  const filter = 'never_covered=true';
  const change = () =>
    api.send('POST /api/devices/fields', {
      token: owner.token,
      body: { filter, count: 2001, fields: { site: 'Depok' } },
      headers: { 'accept-language': 'en' },
    });
  const answer = await change();
  await db.query('DROP FUNCTION fail CASCADE');
  assert.deepEqual([answer.statusCode, answer.json().code], [503, 'partly_changed'], answer.body);
  assert.match(answer.json().message, /^2000 of 2001 devices were changed/);
  const { rows } = await db.query(
    `SELECT after FROM audit_log WHERE action = 'devices.update' AND object_id = $1 AND company_code = $2 ORDER BY id`,
    [filter, owner.companyCode],
  );
  const whole = { count: 2001, own_fields: 'Site' };
  assert.deepEqual(
    rows.map(({ after: recorded }) => recorded),
    [whole, { ...whole, carried_out: 2000 }],
  );
  assert.equal((await change()).statusCode, 200);
});

test('a device that is gone right after all were counted refuses the change of all', async (t) => {
  const owner = await createUser(api);
  await put([site], owner, '', owner.companyCode);
  await register(owner, ['RACE0001', 'RACE0002', 'RACE0003']);
  const { db } = api.app.heavyReads.router.primary;
  const query = db.query.bind(db);
  t.mock.method(db, 'query', async (asked: string) => {
    const answer = await query(asked);
    if (answer.rows[0]?.count === 3)
      await api.context.db.query(`DELETE FROM devices WHERE serial = 'RACE0002'`);
    return answer;
  });
  const answer = await api.send('POST /api/devices/fields', {
    token: owner.token,
    body: { filter: 'never_covered=true&q=RACE', count: 3, fields: { site: 'Depok' } },
  });
  assert.equal(answer.statusCode, 409, answer.body);
  assert.match(answer.json().message, /\b2\b/);
  assert.deepEqual(await find('field.site=depok', owner), []);
});

test('only a waiting sheet that fills a column keeps it', async () => {
  const owner = await createUser(api);
  await put([employee, site], owner, '', owner.companyCode);
  await api.context.db.query(
    `INSERT INTO imported_fields (company_code, ticket_id, keys, rows) VALUES ($1, 0, '{site}', '[]')`,
    [owner.companyCode],
  );
  assert.equal((await put([employee], owner, '', owner.companyCode)).json().code, 'field_has_values');
  assert.equal((await put([site], owner, '', owner.companyCode)).statusCode, 200);
  await api.context.db.query('DELETE FROM imported_fields WHERE company_code = $1', [owner.companyCode]);
});

test('forgetting a device, or deleting its company, deletes the values and their history', async () => {
  await setValues({ GONE0001: { employee: 'Siti' } });
  const id = await idOf('GONE0001');
  await api.send(`DELETE /api/devices/${id}`, { token: user.token });
  await register(user, ['GONE0001']);
  const { device, history } = (
    await api.send(`GET /api/devices/${await idOf('GONE0001')}`, { token: user.token })
  ).json();
  assert.deepEqual([device.fields, history.length], [{}, 1]);
  const { db } = api.context;
  const code = await createCompany(api);
  await put([employee], admin, '', code);
  await db.query(`INSERT INTO device_fields VALUES ($1, 'ALONE001', '{"employee": "Siti"}')`, [code]);
  await db.query('DELETE FROM clients WHERE company_code = $1', [code]);
  for (const table of ['company_fields', 'device_fields']) {
    const { rows } = await db.query(`SELECT FROM ${table} WHERE company_code = $1`, [code]);
    assert.equal(rows.length, 0, table);
  }
});

test('lists and files of a company without own columns read no values', async () => {
  await put([employee]);
  const explain = async (companyCode: string) => {
    const values = listValues.bind({ companyCode, serials: ['NONE0001'] });
    const { rows } = await api.context.db.query(`EXPLAIN (ANALYZE) ${listValues.text}`, values);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  assert.match(await explain(stranger.companyCode), / on device_fields .*\(never executed\)/);
  assert.doesNotMatch(await explain(user.companyCode), / on device_fields .*\(never executed\)/);
});

test('views keep filters by own columns, and another company has other columns', async () => {
  await setValues({ VIEW0001: { site: 'Malang' } });
  const save = (query: string, caller = user) =>
    api.send('POST /api/views', { token: caller.token, body: { name: 'Own', query } });
  assert.equal((await save('field.site=malang&sort=field.site')).statusCode, 201);
  assert.equal((await save('field.site.like=malang')).statusCode, 400);
  const views = (await api.send('GET /api/views', { token: user.token })).json().data;
  assert.equal(views[0].count, 1);
  await put([employee], stranger, '', stranger.companyCode);
  await register(stranger, ['VIEW0001']);
  assert.deepEqual((await ask('q=VIEW0001', stranger)).json().data[0].fields, {});
});
