import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestApi, type Send, type TestApi } from '#tests/support/api.ts';
import { createUser, type TestUser } from '#tests/support/factories.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { sendInPieces } from '#tests/support/send-in-pieces.ts';
import { uploadSheet } from '#tests/support/uploads.ts';

const first = '356938030010004';
const second = '356938030010012';
const cases = new URL('../../../../tests/cases/sheets/', import.meta.url);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi({
    MAX_UPLOAD_MB: '1',
    MAX_UPLOAD_ROWS: '500',
    PRICE_USD: '0.07',
    DOLLAR_RATE: '15000',
  });
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (content: Buffer | string, send?: Send) => uploadSheet(api, user, content, send);

/** Nothing of a refused upload is left: no ticket, no row, no file. */
async function assertNothingStays() {
  const { db } = api.context;
  const { rows } = await db.query('SELECT id FROM tickets WHERE company_code = $1', [user.companyCode]);
  assert.deepEqual(rows, []);
  const orphans = await db.query('SELECT FROM serials WHERE ticket_id NOT IN (SELECT id FROM tickets)');
  assert.equal(orphans.rowCount, 0);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
}

describe('POST /data/upload', () => {
  test('imports column A as a ticket with its rows, duplicates and lookups', async () => {
    const cells = ['IMEI', first, '', '35-693803-001001-2', 'C02ABCD1', '356938030010005', first, 'c02abcd1'];
    const answer = await upload(makeWorkbook(cells));
    assert.equal(answer.statusCode, 201);
    const { ticket, ...body } = answer.json();
    assert.deepEqual(body, {
      message: `Successfully imported 4 records. Ticket: ${ticket.ticket_number}`,
      imported_count: 4,
      invalid_count: 1,
      duplicate_count: 2,
      header_skipped: true,
      duplicates: [
        { row: 7, serial: first, first_row: 2 },
        { row: 8, serial: 'C02ABCD1', first_row: 5 },
      ],
      invalid: [{ row: 6, value: '356938030010005', reason: 'The check digit is wrong' }],
    });
    assert.deepEqual(
      [ticket.status, ticket.data_count, ticket.total, ticket.done, ticket.failed, ticket.remaining],
      ['Pending', 4, 4, 0, 1, 3],
    );
    assert.deepEqual(
      [ticket.company_code, ticket.price, ticket.current_dollar_price, ticket.discount, ticket.file_name],
      [user.companyCode, 0.07, 15000, 0, 'sheet.xlsx'],
    );
    const rows = await api.send(`GET /api/imei?ticket_number=${ticket.ticket_number}`, { token: user.token });
    assert.deepEqual(
      rows
        .json()
        .data.map((row: Record<string, unknown>) => [
          row.position,
          row.serial_number,
          row.state,
          row.reason,
          row.details,
          row.original,
        ]),
      [
        [1, first, 'pending', null, null, null],
        [2, second, 'pending', null, null, '35-693803-001001-2'],
        [3, 'C02ABCD1', 'pending', null, null, null],
        [4, '356938030010005', 'failed', 'Invalid serial number', 'The check digit is wrong', null],
      ],
    );
    const jobs = await api.context.db.query(
      `SELECT data FROM pgboss.job WHERE name = 'lookups' AND group_id = $1`,
      [ticket._id],
    );
    assert.equal(jobs.rowCount, 1);
    assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
  });

  test('numbers tickets without gaps, whatever fails in between', async () => {
    const numberOf = async () => Number((await upload(makeWorkbook([first]))).json().ticket.ticket_number);
    const before = await numberOf();
    assert.equal((await upload(makeWorkbook(['nothing here']))).statusCode, 422);
    const several = await Promise.all([numberOf(), numberOf(), numberOf()]);
    assert.deepEqual(
      several.sort((a, b) => a - b),
      [before + 1, before + 2, before + 3],
    );
  });

  test('reads .xls and .xlsx by their content, whatever they are called', async () => {
    for (const name of ['xls-renamed.xlsx', 'xlsx-renamed.xls', 'sheetjs.xls']) {
      const content = await readFile(new URL(name, cases));
      const answer = await upload(content, { file: { field: 'excel', name: 'C:\\lists\\my.txt', content } });
      assert.equal(answer.statusCode, 201, answer.body);
      assert.equal(answer.json().imported_count, 50);
      assert.equal(answer.json().ticket.file_name, 'my.txt');
    }
  });

  test('speaks the language of the caller; what is stored is English', async () => {
    const answer = await upload(makeWorkbook([first, 'x1']), { headers: { 'accept-language': 'id' } });
    const { ticket, message, invalid } = answer.json();
    assert.equal(message, `Berhasil mengimpor 2 data. Tiket: ${ticket.ticket_number}`);
    assert.equal(invalid[0].reason, 'Bukan IMEI, MEID, atau nomor seri');
    const rows = await api.send('GET /api/imei?status=failed', { token: user.token });
    assert.equal(rows.json().data[0].details, 'Not an IMEI, MEID or serial number');
  });
});

describe('POST /data/upload refuses', () => {
  const refused = async (
    answer: Promise<{ statusCode: number; json(): Record<string, unknown> }>,
    status: number,
  ) => {
    const { statusCode, json } = await answer;
    const body = json();
    assert.equal(statusCode, status, JSON.stringify(body));
    assert.equal(body.error, body.message);
    return body;
  };

  test('a request without a file', async () => {
    const missing = 'Please select a file to upload';
    const other = { field: 'other', name: 'sheet.xlsx', content: 'x' };
    for (const send of [{ file: other }, { fields: { excel: 'x' } }, { body: { excel: 'x' } }, {}]) {
      const answer = api.send('POST /api/data/upload', { token: user.token, ...send });
      assert.equal((await refused(answer, 400)).message, missing);
    }
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    for (const body of [
      '--b\r\nbroken',
      '--b\r\ncontent-disposition: form-data; name="excel"; filename="a"\r\n\r\nPK',
    ]) {
      const answer = api.send('POST /api/data/upload', { token: user.token, body, headers });
      assert.equal((await refused(answer, 400)).code, 'malformed');
    }
    await assertNothingStays();
  });

  test('a form that breaks off within its file, and leaves nothing however often', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const body = '--b\r\ncontent-disposition: form-data; name="excel"; filename="a"\r\n\r\nPK';
    const send = () => api.send('POST /api/data/upload', { token: user.token, body, headers });
    for (let round = 0; round < 100; round++) {
      const answers = await Promise.all([send(), send(), send(), send()]);
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [400, 400, 400, 400],
      );
    }
    await assertNothingStays();
  });

  test('a superadmin, and users of an Inactive client', async () => {
    const superadmin = await createUser(api, { superadmin: true });
    const answer = await refused(upload(makeWorkbook([first]), { token: superadmin.token }), 403);
    assert.equal(answer.message, 'This feature is only available for standard users.');
    await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
      user.companyCode,
    ]);
    assert.equal((await refused(upload(makeWorkbook([first])), 403)).code, 'client_inactive');
  });

  test('files that are no sheet, each with its own words', async () => {
    const expected: [file: string, status: number, message: RegExp][] = [
      ['sheetjs.ods', 415, /not an Excel file/],
      ['sheetjs.xlsb', 415, /not an Excel file/],
      ['bad-csv.xlsx', 415, /not an Excel file/],
      ['bad-zero-bytes.xlsx', 415, /not an Excel file/],
      ['bad-encrypted.xlsx', 422, /password/],
      ['bad-truncated.xls', 422, /damaged/],
      ['bomb-rows-sheet.xlsx', 422, /proportion/],
      ['bad-billion-laughs-sheet.xlsx', 422, /document type/],
    ];
    for (const [file, status, message] of expected) {
      const body = await refused(upload(await readFile(new URL(file, cases))), status);
      assert.match(String(body.message), message, file);
    }
    await assertNothingStays();
  });

  test('a sheet without any valid serial, showing its first invalid cells', async () => {
    for (const cells of [[], ['IMEI'], ['', '']]) {
      const body = await refused(upload(makeWorkbook(cells)), 422);
      assert.equal(body.code, 'no_valid_serial');
      assert.deepEqual(body.details, []);
    }
    const bad = Array.from({ length: 30 }, (_, i) => `bad${i}`);
    const body = await refused(upload(makeWorkbook(bad)), 422);
    const details = body.details as { path: string; message: string }[];
    assert.equal(details.length, 20);
    assert.deepEqual(details[1], { path: 'A2', message: 'bad1: Not an IMEI, MEID or serial number' });
    await assertNothingStays();
  });

  test('a file over the limit, however its pieces arrive', async () => {
    const whole = Buffer.alloc(1024 * 1024);
    for (const pieces of [
      [whole, Buffer.alloc(1)],
      [whole.subarray(0, -1), Buffer.alloc(2)],
      [whole, whole],
    ]) {
      const answer = sendInPieces(api, '/data/upload', { token: user.token, field: 'excel', pieces });
      assert.equal(
        (await refused(answer, 413)).message,
        'The file is larger than 1 MB. Split it and upload the parts one by one.',
      );
    }
    await assertNothingStays();
  });

  test('a file or a sheet over the limits', async () => {
    const large = await refused(upload(Buffer.alloc(1024 * 1024 + 1)), 413);
    assert.equal(large.message, 'The file is larger than 1 MB. Split it and upload the parts one by one.');
    const serials = (count: number) => Array.from({ length: count }, (_, i) => `C${10_000_000 + i}`);
    const long = await refused(upload(makeWorkbook(serials(501))), 413);
    assert.match(String(long.message), /at most 500/);
    assert.equal((await upload(makeWorkbook(serials(500)))).json().imported_count, 500);
    await api.context.db.query('DELETE FROM tickets WHERE company_code = $1', [user.companyCode]);
    await api.context.db.query('DELETE FROM serials WHERE ticket_id NOT IN (SELECT id FROM tickets)');
    await refused(upload(makeWorkbook([serials(501).join(',')])), 413);
    await assertNothingStays();
  });
});
