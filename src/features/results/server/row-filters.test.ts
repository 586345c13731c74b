import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import {
  createTicketWithRows,
  createUser,
  type TestRow,
  type TestUser,
} from '#tests/support/api/factories.ts';
import type { ResultRow } from '../results.contract.ts';
import { blanks } from './row-filters.ts';

let api: TestApi;
let user: TestUser;

before(async () => {
  api = await createTestApi({ APP_TIMEZONE: 'Asia/Jakarta' });
  // Past midnight in Jakarta, the day before in UTC: today is 2026-11-21.
  api.clock.set(new Date('2026-11-20T18:30:00Z'));
  user = await createUser(api);
});
after(() => api.close());

const make = (rows: TestRow[], status: 'Processing' | 'Completed' = 'Processing', owner = user) =>
  createTicketWithRows(api, { companyCode: owner.companyCode, createdBy: owner.id, rows, status });
const ask = (number: string, query: string) =>
  api.send(`GET /api/imei?ticket_number=${number}&${query}`, { token: user.token });
const positions = async (number: string, query: string) => {
  const { data, pagination } = (await ask(number, query)).json<{
    data: ResultRow[];
    pagination: { totalItems: number };
  }>();
  assert.equal(pagination.totalItems, data.length, query);
  return data.map(({ position }) => position);
};
const counts = async (number: string, query = '') => (await ask(number, `counts=1&${query}`)).json().counts;

const rows: TestRow[] = [
  { serial: 'DX3Q1', state: 'done', activation: 'activated', end: '2026-11-20', type: 'iPhone 15' },
  { serial: '350000000000021', state: 'done', activation: 'activated', end: '2026-11-21', type: 'iPad' },
  {
    serial: '350000000000013',
    state: 'done',
    activation: 'unactivated',
    title: 'AppleCare+',
    end: '2026-12-21',
  },
  { serial: 'ABC123XYZ', state: 'done', activation: null, type: null, title: null, end: '2026-12-22' },
  { serial: '350000000000005', state: 'done', activation: 'unactivated' },
  { serial: 'a,b', state: 'failed', reason: 'Invalid serial number' },
  { serial: '350000000000062', state: 'failed', reason: 'Not found' },
  { serial: '350000000000007' },
];

test('all given filters apply together', async () => {
  const { number } = await make(rows);
  const cases: [query: string, found: number[]][] = [
    ['state=done', [1, 2, 3, 4, 5]],
    ['state=failed', [6, 7]],
    ['state=pending', [8]],
    ['activation=activated', [1, 2]],
    ['activation=unactivated', [3, 5]],
    ['activation=unknown', [4]],
    ['reason=Not%20found', [7]],
    ['reason=not%20found', []],
    ['type=iPhone%2015', [1, 3, 5]],
    ['type=iPhone', []],
    ['warranty=AppleCare%2B', [3]],
    ['warranty=nothing', []],
    ['ends_from=2026-11-21', [2, 3, 4]],
    ['ends_to=2026-11-21', [1, 2]],
    ['ends_from=2026-11-21&ends_to=2026-12-21', [2, 3]],
    ['ends_from=2026-12-22&ends_to=2026-11-20', []],
    ['expired=true', [1]],
    ['expired=false', [2, 3, 4]],
    ['ends_within=30', [2, 3]],
    ['ends_within=1', [2]],
    ['ends_within=30&expired=true', []],
    ['positions=7,2-3,99', [2, 3, 7]],
    ['positions=1-1000000000&state=failed', [6, 7]],
    ['positions=99', []],
    ['status=active&expired=false', [2]],
    ['status=active&activation=unactivated', []],
    ['state=done&type=iPhone%2015&activation=unactivated&q=0005', [5]],
    ['state=failed&reason=Invalid%20serial%20number&q=A,B', [6]],
    ['status=all&state=&type=&expired=', [1, 2, 3, 4, 5, 6, 7, 8]],
    ['q=%20', [1, 2, 3, 4, 5, 6, 7, 8]],
  ];
  for (const [query, found] of cases) assert.deepEqual(await positions(number, query), found, query);
});

test('rows are sorted in both directions, without a value last and equal values by position', async () => {
  const { number } = await make(rows);
  const cases: [sort: string, ascending: number[], descending: number[]][] = [
    ['position', [1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]],
    ['serial_number', [5, 8, 3, 2, 7, 4, 1, 6], [6, 1, 4, 7, 2, 3, 8, 5]],
    ['type', [2, 1, 3, 5, 4, 6, 7, 8], [1, 3, 5, 2, 4, 6, 7, 8]],
    ['activation_status', [1, 2, 3, 5, 4, 6, 7, 8], [3, 5, 1, 2, 4, 6, 7, 8]],
    ['warranty_title', [3, 1, 2, 5, 4, 6, 7, 8], [1, 2, 5, 3, 4, 6, 7, 8]],
    ['coverage_end_date', [1, 2, 3, 4, 5, 6, 7, 8], [4, 3, 2, 1, 5, 6, 7, 8]],
  ];
  for (const [sort, ascending, descending] of cases) {
    assert.deepEqual(await positions(number, `sort=${sort}`), ascending, sort);
    assert.deepEqual(await positions(number, `sort=${sort}&order=desc`), descending, `${sort} descending`);
  }
  assert.deepEqual(await positions(number, 'sort=type&order=desc&state=done'), [1, 3, 5, 2, 4]);
  const second = (await ask(number, 'sort=coverage_end_date&order=desc&limit=3&page=2')).json();
  assert.deepEqual(
    second.data.map((row: ResultRow) => row.position),
    [1, 5, 6],
  );
  assert.deepEqual([second.pagination.totalItems, second.pagination.totalPages], [8, 3]);
});

test('equal serials keep the order of the sheet in both directions', async () => {
  const { number } = await make(
    ['b', 'a', 'b', 'a'].map((serial) => ({ serial, state: 'failed', reason: 'Invalid serial number' })),
  );
  assert.deepEqual(await positions(number, 'sort=serial_number'), [2, 4, 1, 3]);
  assert.deepEqual(await positions(number, 'sort=serial_number&order=desc'), [1, 3, 2, 4]);
});

test('the counts ignore filters, and use the day in the time zone', async () => {
  const { number } = await make(rows);
  const expected = {
    all: 8,
    activated: 2,
    unactivated: 2,
    unknown: 1,
    failed: 2,
    pending: 1,
    ending_30: 2,
    expired: 1,
    reasons: { 'Invalid serial number': 1, 'Not found': 1 },
  };
  assert.deepEqual(await counts(number), expected);
  assert.deepEqual(await counts(number, 'status=failed&q=nothing&page=7'), expected);
  assert.equal('counts' in (await ask(number, '')).json(), false);
  assert.equal('counts' in (await ask(number, 'counts=0')).json(), false);
  const none = {
    all: 0,
    activated: 0,
    unactivated: 0,
    unknown: 0,
    failed: 0,
    pending: 0,
    ending_30: 0,
    expired: 0,
    reasons: {},
  };
  const empty = await make([], 'Completed');
  assert.deepEqual(await counts(empty.number), none);
  const stranger = await createUser(api);
  const nothing = await api.send('GET /api/imei?counts=1', { token: stranger.token });
  assert.deepEqual(nothing.json().counts, none);
});

test('the counts include the types and warranties of the ticket, most common first', async () => {
  const { number } = await make(rows);
  const values = async (query: string) => (await ask(number, query)).json().values;
  const expected = {
    types: [
      { value: 'iPhone 15', count: 3 },
      { value: 'iPad', count: 1 },
    ],
    warranties: [
      { value: 'Limited Warranty', count: 3 },
      { value: 'AppleCare+', count: 1 },
    ],
  };
  assert.deepEqual(await values('counts=1'), expected);
  assert.deepEqual(await values('counts=1&type=iPad&limit=1'), expected);
  assert.equal(await values(''), undefined);
  const many = Array.from({ length: 102 }, (_, place) => ({
    serial: `s${place}`,
    state: 'done' as const,
    type: `Model ${1000 + place}`,
    title: null,
  }));
  const { types, warranties } = (await ask((await make(many)).number, 'counts=1')).json().values;
  assert.deepEqual([types.length, types[0].value, types[99].value], [100, 'Model 1000', 'Model 1099']);
  assert.deepEqual(warranties, []);
});

test('an invalid filter, sort or day is refused with its path', async () => {
  const { number } = await make(rows);
  const wrong = [
    'state=open',
    'activation=active',
    'ends_from=21-11-2026',
    'ends_to=2026-02-30',
    'expired=1',
    'ends_within=0',
    'positions=3-1',
    'ends_within=soon',
  ];
  for (const query of [...wrong, 'sort=source', 'order=up', 'counts=yes', 'state=done&state=failed']) {
    const answer = await ask(number, query);
    assert.equal(answer.statusCode, 400, query);
    assert.deepEqual(
      answer.json().details.map(({ path }: { path: string }) => path),
      [query.split('=')[0]],
      query,
    );
  }
});

test('counts and filters follow results, a retry and deletions', async () => {
  const owner = await createUser(api);
  const { db } = api.context;
  const ticket = await make(
    [{ state: 'done', activation: 'activated' }, { state: 'failed', reason: 'Source unavailable' }, {}],
    'Processing',
    owner,
  );
  const admin = await createUser(api, { superadmin: true });
  const see = async () => {
    const send = (query: string) =>
      api.send(`GET /api/imei?ticket_number=${ticket.number}&${query}`, { token: admin.token });
    const [all, failed, pending] = await Promise.all([
      send('counts=1'),
      send('state=failed'),
      send('state=pending'),
    ]);
    const { activated, unactivated, reasons } = all.json().counts;
    const total = (answer: typeof all) => answer.json().pagination.totalItems;
    assert.deepEqual([total(failed), total(pending)], [all.json().counts.failed, all.json().counts.pending]);
    return [activated, unactivated, total(failed), total(pending), Object.keys(reasons).length];
  };
  assert.deepEqual(await see(), [1, 0, 1, 1, 1]);
  await db.query(
    "UPDATE serials SET state = 'done', activation_status = 'unactivated' WHERE ticket_id = $1 AND position = 3",
    [ticket.id],
  );
  await db.query(
    "UPDATE tickets SET done = 2, unactivated = 1, status = 'Completed', finished_at = now() WHERE id = $1",
    [ticket.id],
  );
  assert.deepEqual(await see(), [1, 1, 1, 0, 1]);
  const again = await api.send(`POST /api/tickets/${ticket.id}/retry`, { token: admin.token });
  assert.equal(again.statusCode, 200);
  assert.deepEqual(await see(), [1, 1, 0, 1, 0]);
  await api.send(`DELETE /api/data/${ticket.number}`, { token: owner.token });
  assert.deepEqual(await see(), [1, 1, 0, 0, 0]);
  await api.send(`DELETE /api/imei/${ticket.number}`, { token: owner.token });
  assert.deepEqual(await see(), [0, 0, 0, 0, 0]);
});

test('filters and sorts of a large ticket give the same rows as plain SQL', async () => {
  const random = (most: number) => Math.floor(Math.random() * most);
  const day = (offset: number) =>
    new Date(Date.UTC(2026, 9, 1) + offset * 86_400_000).toISOString().slice(0, 10);
  const many = Array.from({ length: 400 }, (_, row): TestRow => {
    const serial = String(350_000_000_000_000 + ((row * 7919) % 400));
    if (random(10) === 0) return { serial };
    if (random(10) === 0)
      return { serial, state: 'failed', reason: ['Not found', 'Rejected by source'][random(2)] ?? '' };
    return {
      serial,
      state: 'done',
      type: [null, 'b', 'B', 'é', 'Z'][random(5)] ?? null,
      activation: (['activated', 'unactivated', null] as const)[random(3)] ?? null,
      title: [null, 'x', 'y'][random(3)] ?? null,
      end: random(4) === 0 ? null : day(random(120)),
    };
  });
  const { number, id } = await make(many, 'Completed');
  const columns = {
    serial_number: 'serial',
    type: 'type',
    activation_status: 'activation_status::text',
    warranty_title: 'warranty_title',
    coverage_end_date: 'coverage_end_date::text',
  };
  const narrowed = {
    '': 'true',
    'state=done&warranty=x': "state = 'done' AND warranty_title = 'x'",
    'activation=unknown&ends_from=2026-11-01':
      "state = 'done' AND activation_status IS NULL AND coverage_end_date >= '2026-11-01'",
    'expired=true&type=B': "coverage_end_date < '2026-11-21' AND type = 'B'",
  };
  for (const [sort, column] of Object.entries(columns)) {
    for (const order of ['asc', 'desc']) {
      for (const [query, where] of Object.entries(narrowed)) {
        const expected = await api.context.db.query<{ position: number }>(
          `SELECT position FROM serials WHERE ticket_id = $1 AND ${where}
           ORDER BY ${column} COLLATE "C" ${order} NULLS LAST, position`,
          [id],
        );
        const asked = `sort=${sort}&order=${order}&limit=1000&${query}`;
        assert.deepEqual(
          await positions(number, asked),
          expected.rows.map((row) => row.position),
          asked,
        );
      }
    }
  }
});

test('a cell is found by its own copied text, whichever spaces and invisible characters it has', async () => {
  const cells = [...blanks].map((blank, index) => `NO${blank}CELL ${index} END`);
  const { number } = await make(
    cells.map((serial) => ({ serial, state: 'failed', reason: 'Invalid serial number' })),
    'Completed',
  );
  for (const [index, cell] of cells.entries())
    assert.deepEqual(
      await positions(number, `q=${encodeURIComponent(cell)}`),
      [index + 1],
      JSON.stringify(cell),
    );
});
