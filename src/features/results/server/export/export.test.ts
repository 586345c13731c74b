import assert from 'node:assert/strict';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createExportedTicket, readResultsSheet, resultsHead } from '#tests/support/api/exports.ts';
import { callerOf, createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { downloadResults } from './export.service.ts';

let api: TestApi;
let user: TestUser;
let ticket: { id: number; number: string };

before(async () => {
  api = await createTestApi();
  api.clock.set(new Date('2026-11-20T18:30:00Z'));
  user = await createUser(api);
  ticket = await createExportedTicket(api, user);
});
after(() => api.close());

const download = (query: string, headers = {}, token = user.token) =>
  api.send(`GET /api/imei/download?${query}`, { token, headers });

test('the JSON file has the rows of GET /imei, and the file name has the requested status', async () => {
  const listed = await api.send('GET /api/imei?status=activated', { token: user.token });
  for (const status of ['active', 'activated']) {
    const answer = await download(`format=json&status=${status}`);
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="imei_${ticket.number}_${status}_2026-11-21.json"`,
    );
    assert.deepEqual(answer.json(), listed.json().data);
  }
  const inactive = await download('format=json&status=inactive');
  assert.deepEqual(
    inactive.json().map((found: { position: number }) => found.position),
    [2],
  );
  assert.equal((await download('format=json')).json().length, 4);
  assert.equal((await download('format=csv')).statusCode, 400);
});

test('the JSON file has the values of own columns as GET /imei, without those of a removed one', async () => {
  const owner = await createUser(api);
  const { companyCode, token } = owner;
  await createExportedTicket(api, owner);
  const { db } = api.context;
  const names = ['employee', 'site'].map((key) => ({ key, name: key }));
  await api.send(`PUT /api/fields/${companyCode}`, { token, body: { fields: names } });
  await db.query(
    `INSERT INTO device_fields VALUES ($1, '350000000000002', '{"employee": "Siti", "site": "Bandung"}')`,
    [companyCode],
  );
  // Values of a removed column stay until they are deleted in the background.
  await db.query(`DELETE FROM company_fields WHERE company_code = $1 AND key = 'site'`, [companyCode]);
  await db.query(`INSERT INTO removed_fields VALUES ($1, 'site')`, [companyCode]);
  const listed = (await api.send('GET /api/imei', { token })).json().data;
  const exported = (await download('format=json', {}, token)).json<{ fields: object }[]>();
  assert.deepEqual(exported, listed);
  assert.deepEqual(
    exported.map(({ fields }) => fields),
    [{}, { employee: 'Siti' }, {}, {}],
  );
});

test('an export with filters and a sort has the same rows as the list', async () => {
  const owner = await createUser(api);
  const { number } = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Processing',
    rows: [
      { serial: 'C1', state: 'done', activation: 'activated', end: '2026-12-21', type: 'iPad' },
      { serial: 'A1', state: 'done', activation: 'activated', end: '2026-11-20' },
      { serial: 'B1', state: 'done', end: '2026-11-21', type: 'iPad' },
      { serial: 'x', state: 'failed', reason: 'Invalid serial number' },
      { serial: 'D1', state: 'failed', reason: 'Not found' },
      { serial: 'E1' },
    ],
  });
  const read = async (query: string) => {
    const answer = await download(`format=json&ticket_number=${number}&${query}`, {}, owner.token);
    assert.equal(answer.statusCode, 200, query);
    return answer.json<{ position: number }[]>();
  };
  const queries = [
    ...[
      'status=failed',
      'status=pending',
      'state=done',
      'reason=Not%20found',
      'type=iPad&warranty=Limited%20Warranty',
    ],
    ...['ends_from=2026-11-21&ends_to=2026-12-21', 'expired=true', 'activation=unknown', 'q=1&state=done'],
    ...[
      'sort=serial_number',
      'sort=serial_number&order=desc&state=done',
      'sort=type&order=desc',
      'order=desc',
    ],
    ...['sort=coverage_end_date&status=active', 'type=nothing'],
  ];
  for (const query of queries) {
    const listed = await api.send(`GET /api/imei?ticket_number=${number}&${query}`, { token: owner.token });
    assert.deepEqual(await read(query), listed.json().data, query);
  }
  const positions = async (query: string) => (await read(query)).map(({ position }) => position);
  assert.deepEqual(await positions('positions=5,1-3,2,3'), [1, 2, 3, 5]);
  assert.deepEqual(await positions('positions=5,1-3&sort=serial_number&order=desc'), [5, 1, 3, 2]);
  assert.deepEqual(await positions('positions=1-1000000000&state=failed'), [4, 5]);
  assert.deepEqual(await positions('positions=7'), []);
  assert.deepEqual(await positions('positions='), [1, 2, 3, 4, 5, 6]);
  for (const wrong of ['1,', '3-1', '0', 'all', '1;2']) {
    const answer = await download(`ticket_number=${number}&positions=${wrong}`, {}, owner.token);
    assert.equal(answer.statusCode, 400, wrong);
    assert.deepEqual(answer.json().details, [
      { path: 'positions', message: 'Positions look like 1,4,10-25' },
    ]);
  }
  const names = {
    'status=failed': 'failed_2026-11-21.xlsx',
    'state=failed&sort=type': 'filtered_2026-11-21.xlsx',
    'status=active&type=iPad': 'active_filtered_2026-11-21.xlsx',
    'positions=5,1-3': 'selected_2026-11-21.xlsx',
    'sort=type': '2026-11-21.xlsx',
  };
  for (const [query, name] of Object.entries(names)) {
    const { headers } = await download(`ticket_number=${number}&${query}`, {}, owner.token);
    assert.equal(headers['content-disposition'], `attachment; filename="imei_${number}_${name}"`);
  }
  const narrowed = await download(`ticket_number=${number}&positions=2,5`, {}, owner.token);
  const numbers = readResultsSheet(narrowed.rawPayload).map(([no]) => no);
  assert.deepEqual(numbers, ['No', 2, 5], 'a row keeps the number that the screen shows');
});

test('without any ticket the file has no rows, and a ticket of another company is not found', async () => {
  const other = await createUser(api);
  const empty = await download('format=json', {}, other.token);
  assert.deepEqual(empty.json(), []);
  assert.equal(empty.headers['content-disposition'], 'attachment; filename="imei_2026-11-21.json"');
  const workbook = await download('', {}, other.token);
  assert.deepEqual(readResultsSheet(workbook.rawPayload), [resultsHead]);
  const foreign = await download(`ticket_number=${ticket.number}`, {}, other.token);
  assert.equal(foreign.statusCode, 404);
});

test('deleted results are in no export', async () => {
  const owner = await createUser(api);
  const gone = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  await api.send(`DELETE /api/imei/${gone.number}`, { token: owner.token });
  assert.deepEqual((await download('format=json', {}, owner.token)).json(), []);
});

test('results that are deleted while an export waits for a slot are not in the file', async () => {
  const owner = await createUser(api);
  const gone = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  const caller = callerOf(owner);
  const query = {
    format: 'json',
    ticket_number: gone.number,
    provenance: '0',
    sort: 'position',
    order: 'asc',
  } as const;
  const { signal } = new AbortController();
  const open = (context = api.context) => downloadResults(context, caller, query, 'en', signal);
  // A file that is not read keeps its slot, and a user has one slot.
  const { content } = await open();
  const inLine = Promise.withResolvers<void>();
  // The clock is read once, just before the export waits for a slot.
  const now = () => {
    inLine.resolve();
    return new Date();
  };
  const last = open({ ...api.context, now });
  await inLine.promise;
  await api.send(`DELETE /api/imei/${gone.number}`, { token: owner.token });
  content.destroy();
  assert.deepEqual(await json((await last).content), []);
});
