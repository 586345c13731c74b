import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import * as XLSX from '@e965/xlsx';
import { readSheet as readOwn } from '#server/sheet/read-sheet.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { createTestApi, type TestApi } from '#tests/support/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/factories.ts';
import { exportCoverage } from './export.service.ts';

let api: TestApi;
let user: TestUser;
let ticket: { id: number; number: string };

before(async () => {
  api = await createTestApi();
  api.clock.set(new Date('2026-11-20T18:30:00Z'));
  user = await createUser(api);
  ticket = await createTicketWithRows(api, {
    companyCode: user.companyCode,
    createdBy: user.id,
    status: 'Processing',
    rows: [
      { serial: '013554006297015', state: 'done', activation: 'activated', end: '2026-12-21' },
      {
        serial: '350000000000002',
        state: 'done',
        activation: 'unactivated',
        title: '=1+1 _x0041_ <&> \u0001',
      },
      { serial: '=HYPERLINK("x")', state: 'failed', reason: 'Invalid serial number' },
      { serial: '350000000000004' },
    ],
  });
});
after(() => api.close());

const download = (query: string, headers = {}, token = user.token) =>
  api.send(`GET /api/imei/download?${query}`, { token, headers });

/**
 * The cells of a workbook's first sheet, or of another: texts and numbers as they are, a day and an instant as the
 * text of a date cell, null where a cell is empty.
 */
function readSheet(content: Buffer, nth = 0) {
  const workbook = XLSX.read(content, { dense: true, cellNF: true });
  const sheet = workbook.Sheets[workbook.SheetNames[nth] ?? ''] ?? assert.fail('no sheet');
  return (sheet['!data'] ?? []).map((cells) =>
    Array.from(cells, (cell) => {
      if (!cell) return null;
      if (cell.t === 's' || cell.z === 'General' || cell.z === '#,##0') return cell.v;
      if (cell.z === 'm/d/yy') return XLSX.SSF.format('yyyy-mm-dd', cell.v);
      assert.equal(cell.z, 'm/d/yy h:mm');
      return XLSX.SSF.format('yyyy-mm-dd hh:mm:ss', cell.v);
    }),
  );
}

const head = [
  'No',
  'Serial Number',
  'Type',
  'Status',
  'Purchase Date',
  'Warranty',
  'Coverage Start',
  'Coverage End',
  'Expires In',
  'Fetched At',
  'Reason',
];

test('the workbook holds every row: identifiers as text, days as dates, counts as numbers', async () => {
  const answer = await download(`ticket_number=${ticket.number}`);
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /spreadsheetml/);
  assert.equal(
    answer.headers['content-disposition'],
    `attachment; filename="imei_${ticket.number}_2026-11-21.xlsx"`,
  );
  const [first, ...rows] = readSheet(answer.rawPayload);
  assert.deepEqual(first, head);
  const fetched = '2026-11-20 17:00:00';
  assert.deepEqual(rows, [
    row(1, '013554006297015', 'iPhone 15', 'activated', 'Limited Warranty', '2026-12-21', '30 days', fetched),
    row(2, '350000000000002', 'iPhone 15', 'unactivated', '=1+1 _x0041_ <&> \u0001', null, 'N/A', fetched),
    [...row(3, '=HYPERLINK("x")', null, null, null, null, 'N/A', fetched), 'Invalid serial number'],
    [4, '350000000000004'],
  ]);
});

function row(...[no, serial, type, status, warranty, end, expires, fetched]: (string | number | null)[]) {
  return [no, serial, type, status, null, warranty, null, end, expires, fetched];
}

test('the workbook can be worked with: head, filter, widths, colours, and a sheet about the ticket', async () => {
  const owner = await createUser(api);
  const made = await createTicketWithRows(api, {
    ...{ companyCode: owner.companyCode, createdBy: owner.id, status: 'Completed' },
    rows: [
      { serial: '013554006297015', state: 'done', activation: 'activated', end: '2026-11-20' },
      { serial: '350000000000002', state: 'done', activation: 'unactivated', end: '2026-12-21' },
      { serial: '350000000000003', state: 'done', activation: 'activated', end: '2026-12-22' },
      { state: 'failed', reason: 'Not found' },
    ],
  });
  await api.context.db.query('UPDATE tickets SET discount = 10, duplicate_count = 7 WHERE id = $1', [
    made.id,
  ]);
  const { rawPayload } = await download(`ticket_number=${made.number}`, {}, owner.token);
  const parts = XLSX.CFB.read(rawPayload, { type: 'buffer' });
  const part = (name: string) =>
    Buffer.from(XLSX.CFB.find(parts, `/${name}`)?.content ?? assert.fail(name)).toString();
  const sheet = part('xl/worksheets/sheet1.xml');
  assert.match(sheet, /<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"\/>/);
  assert.match(sheet, /<autoFilter ref="A1:K5"\/>/);
  assert.match(sheet, /<col min="2" max="2" width="20" customWidth="1"\/>/);
  const styles = part('xl/styles.xml');
  const fonts = [...styles.matchAll(/<font>(.*?)<\/font>/g)].map(([, font]) => font);
  const fontOf = [...(styles.split('<cellXfs')[1] ?? '').matchAll(/fontId="(\d+)"/g)].map(([, id]) =>
    Number(id),
  );
  const fontAt = (cell: string) =>
    fonts[fontOf[Number(new RegExp(`<c r="${cell}" s="(\\d+)"`).exec(sheet)?.[1])] ?? -1] ?? '';
  assert.match(fontAt('A1'), /<b\/>/);
  const colours = ['D2', 'D3', 'I2', 'I3', 'K5'].map((cell) => /rgb="(\w+)"/.exec(fontAt(cell))?.[1]);
  assert.deepEqual(new Set(colours).size, 4);
  assert.equal(colours[2], colours[4]);
  assert.doesNotMatch(sheet, /<c r="I4" s=/);

  const lines = new Map(readSheet(rawPayload, 1).slice(1) as [string, unknown][]);
  const expected = {
    'Ticket number': made.number,
    'Company code': owner.companyCode,
    ...{ Status: 'Completed', Sheet: 'sheet.xlsx', Rows: 4, Done: 3, Activated: 2, Unactivated: 1 },
    ...{ 'Activation unknown': 0, Failed: 1, Remaining: 0, 'Duplicates left out': 7 },
    ...{ 'Price per data (dollars)': 0.05, 'Rupiah per dollar': 16000, 'Price per data (Rp)': 800 },
    ...{ 'Subtotal (Rp)': 2400, 'Discount 10% (Rp)': 240, 'Total (Rp)': 2160 },
    ...{
      'Rows in this file': 4,
      'Of them from sandbox': 4,
      'File made at': '2026-11-21 01:30:00',
      'Time zone': 'Asia/Jakarta',
    },
  };
  for (const [label, value] of Object.entries(expected)) assert.deepEqual(lines.get(label), value, label);
  const some = await download(`ticket_number=${made.number}&state=failed`, {}, owner.token);
  const fewer = new Map(readSheet(some.rawPayload, 1) as [string, unknown][]);
  assert.deepEqual([fewer.get('Rows'), fewer.get('Rows in this file')], [4, 1]);
});

test('our own import reads a results workbook back, cell by cell', async () => {
  const answer = await download(`ticket_number=${ticket.number}`);
  const path = join(api.context.config.DATA_DIR, 'results.xlsx');
  await writeFile(path, answer.rawPayload);
  const read: SheetRow[] = [];
  await readOwn(path, { columns: head.length, maxRows: 100 }, (rows) => void read.push(...rows));
  assert.deepEqual(
    read.map(({ row }) => row),
    [1, 2, 3, 4, 5],
  );
  const [first, second, , invalid] = read.map(({ cells }) => cells.map((cell) => cell?.text));
  assert.deepEqual(first, head);
  assert.deepEqual(second?.slice(0, 4), ['1', '013554006297015', 'iPhone 15', 'activated']);
  // 21 December 2026, as Excel counts days.
  assert.equal(second?.[7], '46377');
  assert.equal(invalid?.[1], '=HYPERLINK("x")');
});

test('the workbook is in the language of the caller; provenance has columns of its own', async () => {
  const invalid = 'Invalid serial number';
  const owner = await createUser(api);
  const { number } = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [
      { state: 'done', activation: 'activated', end: '2026-11-20' },
      { state: 'done', activation: 'unactivated', end: '2026-11-21' },
      { state: 'done', end: '2026-11-22' },
      { state: 'done' },
      { state: 'failed', reason: invalid, details: 'The check digit is wrong' },
      { state: 'failed', reason: 'Not found', details: 'No source takes this kind of serial number' },
      { state: 'failed', reason: 'Source unavailable', details: 'HTTP 503: try again' },
      { state: 'failed', reason: 'Rejected by source' },
    ],
  });
  const answer = await download(
    `ticket_number=${number}&provenance=1`,
    { 'accept-language': 'id' },
    owner.token,
  );
  const [first, ...rows] = readSheet(answer.rawPayload);
  assert.deepEqual(first?.slice(0, 3), ['No', 'Nomor Seri', 'Tipe']);
  assert.deepEqual(first?.slice(11), ['Isi Sel Semula', 'Sumber', 'Percobaan', 'Jalur Keluar', 'Dari Cache']);
  assert.deepEqual(rows[0]?.slice(12), ['sandbox', 1, 'langsung', 'Tidak']);
  const states = rows.map((cells) => [cells[3], cells[8], cells[10]]);
  assert.deepEqual(states, [
    ['sudah diaktifkan', 'Kedaluwarsa', null],
    ['belum diaktifkan', 'Hari ini', null],
    [null, '1 hari', null],
    [null, 'Tidak ada', null],
    [null, 'Tidak ada', 'Nomor seri tidak valid: Digit pemeriksa salah'],
    [null, 'Tidak ada', 'Tidak ditemukan: Tidak ada sumber yang menerima jenis nomor seri ini'],
    // What a source says stays in its own words.
    [null, 'Tidak ada', 'Sumber tidak tersedia: HTTP 503: try again'],
    [null, 'Tidak ada', 'Ditolak sumber'],
  ]);

  const json = await download(
    `ticket_number=${number}&format=json`,
    { 'accept-language': 'id' },
    owner.token,
  );
  const words = json.json<{ coverage_expires: string; reason: string | null; details: string | null }[]>();
  assert.equal(words[0]?.coverage_expires, 'Expired');
  assert.deepEqual([words[4]?.reason, words[4]?.details], [invalid, 'The check digit is wrong']);
});

test('the JSON is what GET /imei answers, and the file name says the status as asked for', async () => {
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

test('a file has the rows that the list has, narrowed and sorted like it', async () => {
  const owner = await createUser(api);
  const { number } = await createTicketWithRows(api, {
    ...{ companyCode: owner.companyCode, createdBy: owner.id, status: 'Processing' },
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
  const failed = await download(`ticket_number=${number}&status=failed`, {}, owner.token);
  assert.match(
    String(failed.headers['content-disposition']),
    new RegExp(`"imei_${number}_failed_2026-11-21.xlsx"`),
  );
});

test('without any ticket the file has no rows; a ticket of others is not found', async () => {
  const other = await createUser(api);
  const empty = await download('format=json', {}, other.token);
  assert.deepEqual(empty.json(), []);
  assert.equal(empty.headers['content-disposition'], 'attachment; filename="imei_2026-11-21.json"');
  const workbook = await download('', {}, other.token);
  assert.deepEqual(readSheet(workbook.rawPayload), [head]);
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

test('results that are deleted while an export waits in line are not in it', async () => {
  const owner = await createUser(api);
  const gone = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
    rows: [{ state: 'done' }],
  });
  const caller = { ...owner, name: 'Owner', superadmin: false, newUser: false, expiresAt: 0 };
  const query = {
    format: 'json',
    ticket_number: gone.number,
    provenance: '0',
    sort: 'position',
    order: 'asc',
  } as const;
  const { signal } = new AbortController();
  const open = (context = api.context) => exportCoverage(context, caller, query, 'en', signal);
  // A file that nobody takes keeps its slot, and a user has two.
  const others = await Promise.all(Array.from({ length: 2 }, () => open()));
  const inLine = Promise.withResolvers<void>();
  // The clock is read once, right before the line.
  const now = () => {
    inLine.resolve();
    return new Date();
  };
  const last = open({ ...api.context, now });
  await inLine.promise;
  await api.send(`DELETE /api/imei/${gone.number}`, { token: owner.token });
  for (const { stream } of others) stream.destroy();
  assert.deepEqual(await json((await last).stream), []);
});

const many = 120_000;

async function createLargeTicket() {
  const owner = await createUser(api);
  const made = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    rows: [{}],
  });
  const { db } = api.context;
  await db.query(
    `INSERT INTO serials (ticket_id, position, sheet_row, serial, state, type)
     SELECT $1, n, n, (350000000000000 + n)::text, 'done', 'iPhone 15' FROM generate_series(2, $2::integer) n`,
    [made.id, many],
  );
  await db.query('UPDATE tickets SET total = $2, done = $2 - 1 WHERE id = $1', [made.id, many]);
  return owner;
}

async function waitForNoExport() {
  const { db } = api.context;
  const running = `SELECT FROM pg_stat_activity
    WHERE application_name = 'coverdesk export' AND datname = current_database()`;
  while ((await db.query(running)).rowCount) await delay(10);
}

test('a large file comes whole, over many chunks', async () => {
  const owner = await createLargeTicket();
  const rows = (await download('format=json', {}, owner.token)).json<{ position: number }[]>();
  assert.equal(rows.length, many);
  assert.ok(rows.every((found, index) => found.position === index + 1));
  const backwards = await download('format=json&order=desc', {}, owner.token);
  assert.deepEqual(backwards.json(), rows.reverse());
  await waitForNoExport();
});

test('a caller who goes leaves no thread and no connection behind', async () => {
  const owner = await createLargeTicket();
  await api.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = api.app.server.address() as AddressInfo;
  for (const format of ['excel', 'json']) {
    // More at once than there are slots: those in line go as well.
    const requests = Array.from({ length: 6 }, () =>
      get({
        host: '127.0.0.1',
        port,
        path: `/api/imei/download?format=${format}`,
        headers: { authorization: `Bearer ${owner.token}` },
        agent: false,
      }),
    );
    for (const request of requests) request.on('error', () => null);
    await Promise.race(requests.map(firstBytes));
    for (const request of requests) request.destroy();
    await waitForNoExport();
  }
  assert.equal((await download('format=json', {}, owner.token)).statusCode, 200);
});

async function firstBytes(request: ClientRequest): Promise<void> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  assert.equal(answer.statusCode, 200);
  await once(answer, 'readable');
}
