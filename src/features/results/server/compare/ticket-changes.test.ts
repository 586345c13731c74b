import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { readAuditLog } from '#tests/support/api/audit.ts';
import { readResultsSheet } from '#tests/support/api/exports.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';

let api: TestApi;
let user: TestUser;
let admin: TestUser;

before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  admin = await createUser(api, { superadmin: true });
});
after(() => api.close());

const make = (rows: TestRow[], owner = user) =>
  createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    rows,
    status: 'Completed',
  });
const get = (query: string, { token } = user) => api.send(`GET /api/tickets/changes${query}`, { token });
const changesOf = async (query: string, caller = user) => {
  const answer = await get(query, caller);
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json();
};
type Change = { serial_number: string; kind: string; changes: object };

const covered = { state: 'done', activation: 'activated', end: '2027-01-01' } as const;
const answer = { type: 'iPhone 15', activation_status: 'activated', warranty_title: 'Limited Warranty' };
const unavailable = { state: 'failed', reason: 'Source unavailable' } as const;
const invalid = { state: 'failed', reason: 'Invalid serial number' } as const;

/** Two tickets with a change of each kind, and serials that tell of none. */
async function makeTickets() {
  const older = await make([
    { ...covered, serial: 'A-fresh', activation: 'unactivated', end: null },
    { ...covered, serial: 'B-longer' },
    { ...covered, serial: 'C-over' },
    { ...covered, serial: 'D-gone' },
    { ...covered, serial: 'E-lost' },
    { ...covered, serial: 'F-renamed' },
    { serial: 'G-found', state: 'failed' },
    { ...covered, serial: 'I-left' },
    { ...covered, serial: 'same' },
    { serial: 'never found', state: 'failed' },
    { ...covered, serial: 'asked too late' },
    { ...unavailable, serial: 'asked too early' },
    { ...covered, serial: 'refused now' },
    { ...covered, serial: 'pending now' },
    { serial: 'no serial', ...invalid },
  ]);
  const newer = await make([
    { serial: 'no serial at all', ...invalid },
    { serial: 'pending now' },
    { serial: 'refused now', state: 'failed', reason: 'Rejected by source' },
    { ...covered, serial: 'asked too early' },
    { ...unavailable, serial: 'asked too late' },
    { serial: 'never found', state: 'failed' },
    { ...covered, serial: 'same' },
    { serial: 'H-joined' },
    { ...covered, serial: 'G-found', activation: null },
    { ...covered, serial: 'F-renamed', type: 'iPhone 16' },
    { serial: 'E-lost', state: 'failed' },
    { ...covered, serial: 'D-gone', end: null },
    // The day before the answer.
    { ...covered, serial: 'C-over', end: '2026-11-19' },
    { ...covered, serial: 'B-longer', end: '2028-01-01', title: 'AppleCare+' },
    { ...covered, serial: 'A-fresh' },
  ]);
  return { older, newer, query: `?ticket_number=${newer.number}&with=${older.number}` };
}

test('changes between two tickets have their kinds, fields, counts, filter and pages', async () => {
  const { older, newer, query } = await makeTickets();
  const all = await changesOf(query);
  assert.deepEqual(
    all.data.map(({ serial_number, kind, changes }: Change) => [serial_number, kind, changes]),
    [
      [
        'A-fresh',
        'activated',
        { activation_status: ['unactivated', 'activated'], coverage_end_date: [null, '2027-01-01'] },
      ],
      [
        'B-longer',
        'extended',
        {
          warranty_title: ['Limited Warranty', 'AppleCare+'],
          coverage_end_date: ['2027-01-01', '2028-01-01'],
        },
      ],
      ['C-over', 'ended', { coverage_end_date: ['2027-01-01', '2026-11-19'] }],
      ['D-gone', 'ended', { coverage_end_date: ['2027-01-01', null] }],
      [
        'E-lost',
        'not_found',
        {
          ...Object.fromEntries(Object.entries(answer).map(([field, value]) => [field, [value, null]])),
          coverage_end_date: ['2027-01-01', null],
        },
      ],
      ['F-renamed', 'other', { type: ['iPhone 15', 'iPhone 16'] }],
      [
        'G-found',
        'extended',
        {
          type: [null, answer.type],
          warranty_title: [null, answer.warranty_title],
          coverage_end_date: [null, '2027-01-01'],
        },
      ],
      ['H-joined', 'added', {}],
      [
        'I-left',
        'removed',
        {
          ...Object.fromEntries(Object.entries(answer).map(([field, value]) => [field, [value, null]])),
          coverage_end_date: ['2027-01-01', null],
        },
      ],
    ],
  );
  const ids = all.data.map(({ _id }: { _id: string }) => _id);
  assert.deepEqual([ids[0], ids.at(-1)], [`${newer.id}-15`, `${older.id}-8`]);
  const counts = { activated: 1, extended: 2, ended: 2, not_found: 1, other: 1, added: 1, removed: 1 };
  assert.deepEqual(all.counts, counts);
  assert.equal(all.pagination.totalItems, 9);
  const second = await changesOf(`${query}&kind=ended&limit=1&page=2`);
  assert.deepEqual([second.data[0].serial_number, second.pagination.totalItems], ['D-gone', 2]);
  assert.deepEqual(second.counts, counts);
  assert.equal((await get(`${query}&kind=moved`)).statusCode, 400);
});

test('changes are downloaded as the list, and the download is recorded', async () => {
  const { older, newer, query } = await makeTickets();
  const download = (parameters: string) =>
    api.send(`GET /api/tickets/changes/download${query}${parameters}`, user);
  const { data } = await changesOf(query);
  assert.deepEqual((await download('&format=json')).json(), data);
  const file = await download('&format=excel&kind=removed');
  assert.match(
    String(file.headers['content-disposition']),
    new RegExp(`changes_${older.number}_${newer.number}.xlsx`),
  );
  const [head = [], ...rows] = readResultsSheet(file.rawPayload);
  assert.equal(rows.length, 1);
  assert.partialDeepStrictEqual(
    Object.fromEntries(head.map((name, place) => [name, rows[0]?.[place] ?? null])),
    {
      'Serial Number': 'I-left',
      Change: 'Removed',
      'Coverage End (before)': '2027-01-01',
      'Coverage End (now)': null,
    },
  );
  const log = await readAuditLog(api, admin, `?object_id=${newer.number}&action=results.export`);
  const ticket = { file_name: 'sheet.xlsx', import_kind: 'order', total: 15 };
  assert.deepEqual(
    log.data.map(({ actor, after }) => [actor?.email, after]),
    [
      [user.email, { format: 'excel', compared_with: older.number, kind: 'removed', ...ticket }],
      [user.email, { format: 'json', compared_with: older.number, ...ticket }],
    ],
  );
});

test('changes of tickets outside the scope are not found, and the order of the two is fixed', async () => {
  const stranger = await createUser(api);
  const colleague = await createUser(api, { companyCode: user.companyCode, companyAdmin: true });
  const own = await make([{ ...covered, serial: '350000000000001' }]);
  const foreign = await make([{ ...covered, serial: '350000000000001', end: '2028-01-01' }], stranger);
  const last = await make([{ ...covered, serial: '350000000000001' }]);
  for (const [newer, older] of [
    [foreign, own],
    [last, foreign],
    [own, foreign],
  ] as const) {
    for (const path of ['', '/download']) {
      const refused = await get(`${path}?ticket_number=${newer.number}&with=${older.number}`);
      assert.deepEqual([refused.statusCode, refused.json().code], [404, 'ticket_not_found']);
    }
  }
  const counted = async (caller: TestUser, newer: { number: string }) =>
    (await changesOf(`?ticket_number=${newer.number}&with=${own.number}`, caller)).pagination.totalItems;
  assert.equal(await counted(admin, foreign), 1);
  for (const caller of [user, colleague, admin]) assert.equal(await counted(caller, last), 0);
  for (const other of [last, own]) {
    const refused = await get(`?ticket_number=${own.number}&with=${other.number}`);
    assert.deepEqual([refused.statusCode, refused.json().details[0].path], [400, 'with']);
  }
  for (const query of [
    '',
    `?ticket_number=${own.number}`,
    `?with=${own.number}`,
    '?ticket_number=x&with=1',
  ]) {
    assert.equal((await get(query)).statusCode, 400, query);
  }
});

test('changes have the values of own columns, except between tickets of two companies', async () => {
  const stranger = await createUser(api);
  const serial = '350000000000099';
  const fields = [{ key: 'employee', name: 'Employee' }];
  for (const { token, companyCode } of [user, stranger]) {
    const stored = await api.send(`PUT /api/fields/${companyCode}`, { token, body: { fields } });
    assert.equal(stored.statusCode, 200, stored.body);
    await api.context.db.query(
      `INSERT INTO device_fields (company_code, serial, fields) VALUES ($1, $2, '{"employee": "Siti"}')`,
      [companyCode, serial],
    );
  }
  const [older, newer, foreign] = [
    await make([{ ...covered, serial }]),
    await make([{ ...covered, serial, end: '2028-01-01' }]),
    await make([{ ...covered, serial, end: '2029-01-01' }], stranger),
  ];
  const valuesOf = async ({ number }: { number: string }) => {
    const query = `?ticket_number=${number}&with=${older.number}`;
    const download = (format: string) =>
      api.send(`GET /api/tickets/changes/download${query}&format=${format}`, admin);
    const { data } = await changesOf(query, admin);
    assert.deepEqual((await download('json')).json(), data);
    const [head = []] = readResultsSheet((await download('excel')).rawPayload);
    return [data[0].fields, head.includes('Employee')];
  };
  assert.deepEqual(await valuesOf(newer), [{ employee: 'Siti' }, true]);
  assert.deepEqual(await valuesOf(foreign), [{}, false]);
});

test('deleted results are no changes, even before the deletion is finished', async () => {
  const { older, newer, query } = await makeTickets();
  const set = (id: number, assignment: string) =>
    api.context.db.query(`UPDATE tickets SET ${assignment} WHERE id = $1`, [id]);
  // Without the deleted pending row, the older ticket alone has its serial.
  await set(newer.id, 'serial_deleted = true');
  assert.partialDeepStrictEqual((await changesOf(query)).counts, { added: 0, removed: 2 });
  for (const { id } of [older, newer]) {
    await set(id, 'coverage_deleted = true');
    const none = await changesOf(query);
    assert.deepEqual([none.data, none.pagination.totalItems], [[], 0]);
    await set(id, 'coverage_deleted = false');
  }
});
