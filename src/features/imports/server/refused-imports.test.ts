import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { sendInPieces } from '#tests/support/api/send-in-pieces.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

const first = '356938030010004';
const cases = new URL('../../../../tests/cases/sheets/', import.meta.url);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi({ MAX_UPLOAD_MB: '1', MAX_UPLOAD_ROWS: '500' });
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (content: Buffer | string, send?: Send) => uploadSheet(api, user, content, send);

/** Checks that a refused upload leaves no ticket, row or file. */
async function assertNothingStays() {
  const { db } = api.context;
  const { rows } = await db.query('SELECT id FROM tickets WHERE company_code = $1', [user.companyCode]);
  assert.deepEqual(rows, []);
  const orphans = await db.query('SELECT FROM serials WHERE ticket_id NOT IN (SELECT id FROM tickets)');
  assert.equal(orphans.rowCount, 0);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
}

describe('POST /data/upload', () => {
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

  test('a request without a file is refused', async () => {
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

  test('a form that ends within its file is refused, and leaves nothing behind', async () => {
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

  test('a superadmin and users of an Inactive client are refused', async () => {
    const superadmin = await createUser(api, { superadmin: true });
    const answer = await refused(upload(makeWorkbook([first]), { token: superadmin.token }), 403);
    assert.equal(answer.message, 'This feature is only available for standard users.');
    await api.context.db.query('UPDATE clients SET active = false WHERE company_code = $1', [
      user.companyCode,
    ]);
    assert.equal((await refused(upload(makeWorkbook([first])), 403)).code, 'client_inactive');
  });

  test('files that are not sheets are refused, each with its own message', async () => {
    const expected: [file: string, status: number, message: RegExp][] = [
      ['sheetjs.ods', 415, /not an Excel file/],
      ['sheetjs.xlsb', 415, /not an Excel file/],
      ['bad-csv.xlsx', 415, /not an Excel file/],
      ['bad-zero-bytes.xlsx', 415, /not an Excel file/],
      ['bad-encrypted.xlsx', 422, /save it as a new .xlsx file without a password/],
      ['bad-default-password.xls', 422, /even when it asks for no password/],
      ['bad-truncated.xls', 422, /damaged/],
      ['bomb-rows-sheet.xlsx', 422, /unsafe size/],
      ['bad-billion-laughs-sheet.xlsx', 422, /document type/],
    ];
    for (const [file, status, message] of expected) {
      const body = await refused(upload(await readFile(new URL(file, cases))), status);
      assert.match(String(body.message), message, file);
    }
    await assertNothingStays();
  });

  test('a sheet without any valid serial is refused, with its first invalid cells', async () => {
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

  test('a file over the limit is refused, in one chunk or in many', async () => {
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

  test('a file or a sheet over the limits is refused', async () => {
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
