import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { readSheet } from '#server/sheet/read-sheet.ts';
import type { SheetRow } from '#server/sheet/sheet-row.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createExportedTicket, readResultsSheet, resultsHead } from '#tests/support/api/exports.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';

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

test('the workbook holds every row: identifiers as text, days as dates, counts as numbers', async () => {
  const answer = await download(`ticket_number=${ticket.number}`);
  assert.equal(answer.statusCode, 200);
  assert.match(String(answer.headers['content-type']), /spreadsheetml/);
  assert.equal(
    answer.headers['content-disposition'],
    `attachment; filename="imei_${ticket.number}_2026-11-21.xlsx"`,
  );
  const [first, ...rows] = readResultsSheet(answer.rawPayload);
  assert.deepEqual(first, resultsHead);
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

test('the workbook has a header, a filter, column widths, colours and a sheet about the ticket', async () => {
  const owner = await createUser(api);
  const made = await createTicketWithRows(api, {
    companyCode: owner.companyCode,
    createdBy: owner.id,
    status: 'Completed',
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

  const lines = new Map(readResultsSheet(rawPayload, 1).slice(1) as [string, unknown][]);
  const expected = {
    'Ticket number': made.number,
    'Company code': owner.companyCode,
    Status: 'Completed',
    Sheet: 'sheet.xlsx',
    Rows: 4,
    Done: 3,
    Activated: 2,
    Unactivated: 1,
    'Activation unknown': 0,
    Failed: 1,
    Remaining: 0,
    'Duplicates left out': 7,
    'Price per data (dollars)': 0.05,
    'Rupiah per dollar': 16000,
    'Price per data (Rp)': 800,
    'Subtotal (Rp)': 2400,
    'Discount 10% (Rp)': 240,
    'Total (Rp)': 2160,
    'Rows in this file': 4,
    'From sandbox': 4,
    'File made at': '2026-11-21 01:30:00',
    'Time zone': 'Asia/Jakarta',
  };
  for (const [label, value] of Object.entries(expected)) assert.deepEqual(lines.get(label), value, label);
  const some = await download(`ticket_number=${made.number}&state=failed`, {}, owner.token);
  const fewer = new Map(readResultsSheet(some.rawPayload, 1) as [string, unknown][]);
  assert.deepEqual([fewer.get('Rows'), fewer.get('Rows in this file')], [4, 1]);
});

test('our own import reads every cell of a results workbook back', async () => {
  const answer = await download(`ticket_number=${ticket.number}`);
  const path = join(api.context.config.DATA_DIR, 'results.xlsx');
  await writeFile(path, answer.rawPayload);
  const read: SheetRow[] = [];
  await readSheet(path, { columns: resultsHead.length, maxRows: 100 }, (rows) => void read.push(...rows));
  assert.deepEqual(
    read.map(({ row }) => row),
    [1, 2, 3, 4, 5],
  );
  const [first, second, , invalid] = read.map(({ cells }) => cells.map((cell) => cell?.text));
  assert.deepEqual(first, resultsHead);
  assert.deepEqual(second?.slice(0, 4), ['1', '013554006297015', 'iPhone 15', 'activated']);
  // 21 December 2026, as Excel counts days.
  assert.equal(second?.[7], '46377');
  assert.equal(invalid?.[1], '=HYPERLINK("x")');
});

test('the workbook is in the language of the caller, and provenance adds columns', async () => {
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
  const [first, ...rows] = readResultsSheet(answer.rawPayload);
  assert.deepEqual(first?.slice(0, 3), ['No', 'Nomor Seri', 'Tipe']);
  assert.deepEqual(first?.slice(11), [
    'Isi Sel Semula',
    'Sumber',
    'Percobaan',
    'Rute Jaringan',
    'Dari Cache',
  ]);
  assert.deepEqual(rows[0]?.slice(12), ['sandbox', 1, 'langsung', 'Tidak']);
  const states = rows.map((cells) => [cells[3], cells[8], cells[10]]);
  assert.deepEqual(states, [
    ['aktif', 'Kedaluwarsa', null],
    ['belum aktif', 'Hari ini', null],
    [null, '1 hari', null],
    [null, 'Tidak ada', null],
    [null, 'Tidak ada', 'Nomor seri tidak valid: Digit pemeriksa salah'],
    [null, 'Tidak ada', 'Tidak ditemukan: Tidak ada sumber yang menerima jenis nomor seri ini'],
    // The source's own text is not translated.
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
