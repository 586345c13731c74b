import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = async (cells: string[]) => {
  const answer = await uploadSheet(api, user, makeWorkbook(cells));
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().ticket as { _id: string; ticket_number: string; date: string };
};
const get = (path: string, token = user.token) => api.send(`GET /api/data/${path}`, { token });
const findTicket = async (id: string) =>
  (await api.context.db.query('SELECT * FROM tickets WHERE id = $1', [id])).rows[0];

describe('GET /data/{ticket}', () => {
  test('uploaded rows are listed in pages in the order of the sheet', async () => {
    const serials = Array.from({ length: 25 }, (_, i) => `C${10_000_000 + i}`);
    const ticket = await upload(['IMEI', ...serials]);
    const page = (await get(`${ticket.ticket_number}?page=3&limit=10`)).json();
    assert.equal(page.ticket_number, ticket.ticket_number);
    assert.deepEqual(page.pagination, {
      page: 3,
      limit: 10,
      totalPages: 3,
      totalItems: 25,
      hasNextPage: false,
      hasPrevPage: true,
    });
    assert.deepEqual(
      page.data.map((row: { serial: string; row: number }) => [row.serial, row.row]),
      serials.slice(20).map((serial, i) => [serial, 22 + i]),
    );
    assert.equal(page.data[0].ticket_number, ticket.ticket_number);
    assert.equal(Number.isNaN(Date.parse(page.data[0].date)), false);
    assert.deepEqual((await get(`${ticket.ticket_number}?page=4`)).json().data, []);
    assert.equal((await get(`${ticket.ticket_number}?limit=1001`)).statusCode, 400);
  });

  test('uploaded rows are open to superadmins, and closed to other companies', async () => {
    const { ticket_number } = await upload(['C10000000']);
    const superadmin = await createUser(api, { superadmin: true });
    assert.equal((await get(ticket_number, superadmin.token)).statusCode, 200);
    const other = await createUser(api);
    for (const path of [ticket_number, `${ticket_number}/report`, '999999']) {
      assert.equal((await get(path, other.token)).statusCode, 404);
    }
    assert.equal((await get('abc')).statusCode, 400);
    const deletion = await api.send(`DELETE /api/data/${ticket_number}`, { token: other.token });
    assert.equal(deletion.statusCode, 404);
  });
});

describe('DELETE /data/{ticket}', () => {
  const remove = (number: string) => api.send(`DELETE /api/data/${number}`, { token: user.token });

  test('deleting uploaded rows cancels a ticket that has not ended, with all its lookups', async () => {
    const ticket = await upload(['C10000000', 'C10000001', 'C10000000', 'bad1']);
    const answer = await remove(ticket.ticket_number);
    assert.deepEqual(
      [answer.statusCode, answer.json()],
      [200, { message: 'The uploaded data of this ticket was deleted' }],
    );
    const row = await findTicket(ticket._id);
    assert.deepEqual([row.status, row.serial_deleted, row.total, row.failed], ['Cancelled', true, 3, 1]);
    assert.ok(row.finished_at);
    const { data, pagination } = (await get(`${ticket.ticket_number}?limit=2`)).json();
    assert.deepEqual(data, []);
    assert.deepEqual([pagination.totalItems, pagination.totalPages, pagination.hasNextPage], [0, 0, false]);
    const { db } = api.context;
    const left = await db.query('SELECT serial, state FROM serials WHERE ticket_id = $1', [ticket._id]);
    assert.deepEqual(left.rows, [{ serial: 'bad1', state: 'failed' }]);
    const jobs = await db.query('SELECT FROM lookup_jobs WHERE ticket_id = $1', [ticket._id]);
    assert.equal(jobs.rowCount, 0);
  });

  test('deleting uploaded rows keeps the results of a Completed ticket, and may be repeated', async () => {
    const ticket = await createTicketWithRows(api, {
      companyCode: user.companyCode,
      createdBy: user.id,
      status: 'Completed',
      rows: [{ state: 'done' }, { state: 'failed' }],
    });
    assert.equal((await remove(ticket.number)).statusCode, 200);
    assert.equal((await remove(ticket.number)).statusCode, 200);
    assert.equal((await findTicket(String(ticket.id))).status, 'Completed');
    assert.equal((await get(ticket.number)).json().pagination.totalItems, 0);
    const results = await api.send(`GET /api/imei?ticket_number=${ticket.number}`, { token: user.token });
    assert.equal(results.json().data.length, 2);
  });
});

describe('GET /data/{ticket}/report', () => {
  const report = async (number: string, headers: Record<string, string> = {}) => {
    const answer = await api.send(`GET /api/data/${number}/report`, { token: user.token, headers });
    assert.equal(answer.statusCode, 200);
    const book = XLSX.read(answer.rawPayload);
    const sheet = book.Sheets[book.SheetNames[0] ?? ''] ?? {};
    const cells = Object.entries(sheet).filter(([name]) => !name.startsWith('!'));
    assert.ok(cells.every(([, cell]) => cell.t === 's' && cell.f === undefined));
    return { answer, rows: XLSX.utils.sheet_to_json<string[]>(sheet, { header: 1 }) };
  };

  test('the report lists every duplicate and invalid cell in the order of the sheet, as text', async () => {
    const { ticket_number } = await upload([
      'C10000000',
      '=1+1',
      'C10000000',
      '356938030010005',
      'c10000000',
    ]);
    const { answer, rows } = await report(ticket_number);
    assert.equal(
      answer.headers['content-disposition'],
      `attachment; filename="import_${ticket_number}.xlsx"`,
    );
    assert.deepEqual(rows, [
      ['Row', 'Value', 'Problem', 'Details'],
      ['2', '=1+1', 'Invalid serial number', 'Not an IMEI, MEID or serial number'],
      ['3', 'C10000000', 'Duplicate', 'First in row 1'],
      ['4', '356938030010005', 'Invalid serial number', 'The check digit is wrong'],
      ['5', 'C10000000', 'Duplicate', 'First in row 1'],
    ]);
  });

  test('the report is complete beyond the first rows in the answer of the upload, and in the language of the caller', async () => {
    const { ticket_number } = await upload(['C10000000', ...Array<string>(3000).fill('bad1')]);
    const { rows } = await report(ticket_number, { 'accept-language': 'id' });
    assert.equal(rows.length, 3001);
    assert.deepEqual(rows[3000], [
      '3001',
      'bad1',
      'Nomor seri tidak valid',
      'Bukan IMEI, MEID, atau nomor seri',
    ]);
  });

  test('the report stays complete when the uploaded rows and the results are deleted, in either order', async () => {
    for (const deletions of [
      ['data', 'imei'],
      ['imei', 'data'],
    ]) {
      const { _id, ticket_number } = await upload(['C10000000', 'bad1', 'C10000001', 'C10000000']);
      await api.context.db.query(
        `UPDATE tickets SET status = 'Completed', done = 2 WHERE id = ${_id};
         UPDATE serials SET state = 'done' WHERE ticket_id = ${_id} AND kind IS NOT NULL`,
      );
      for (const what of deletions) {
        const answer = await api.send(`DELETE /api/${what}/${ticket_number}`, { token: user.token });
        assert.equal(answer.statusCode, 200, answer.body);
      }
      assert.deepEqual((await report(ticket_number)).rows.slice(1), [
        ['2', 'bad1', 'Invalid serial number', 'Not an IMEI, MEID or serial number'],
        ['4', 'C10000000', 'Duplicate', 'First in row 1'],
      ]);
      assert.deepEqual((await get(ticket_number)).json().data, []);
      const results = await api.send(`GET /api/imei?ticket_number=${ticket_number}`, { token: user.token });
      assert.deepEqual(results.json().data, []);
      const { rows } = await api.context.db.query('SELECT serial FROM serials WHERE ticket_id = $1', [_id]);
      assert.deepEqual(rows, [{ serial: 'bad1' }]);
    }
  });

  test('the report of a sheet without duplicates and invalid cells has no rows', async () => {
    const { ticket_number } = await upload(['C10000000']);
    assert.equal((await report(ticket_number)).rows.length, 1);
  });
});

describe('GET /data/{ticket}/import', () => {
  test('the import’s counts of the sheet stay after everything was deleted', async () => {
    const { ticket_number } = await upload(['IMEI', 'C10000000', 'bad1', 'C10000001', 'C10000000']);
    const answer = await get(`${ticket_number}/import`);
    const { imported_at, ...counts } = answer.json();
    assert.deepEqual(counts, {
      imported_count: 3,
      valid_count: 2,
      invalid_count: 1,
      duplicate_count: 1,
      known_count: 0,
      file_name: 'sheet.xlsx',
      header_skipped: true,
    });
    assert.equal(new Date(imported_at).toISOString(), imported_at);
    await api.send(`DELETE /api/data/${ticket_number}`, { token: user.token });
    await api.send(`DELETE /api/imei/${ticket_number}`, { token: user.token });
    assert.deepEqual((await get(`${ticket_number}/import`)).json(), answer.json());
  });

  test('the import of an order is not found before its upload, and has its counts afterwards', async () => {
    const superadmin = await createUser(api, { superadmin: true });
    const order = await api.send('POST /api/tickets', {
      token: superadmin.token,
      body: { data_count: 50, company_code: user.companyCode },
    });
    const { ticket_number } = order.json().ticket;
    assert.equal((await get(`${ticket_number}/import`)).statusCode, 404);
    const file = { field: 'excel', name: 'order.xlsx', content: makeWorkbook(['IMEI', 'C10000000']) };
    await api.send('POST /api/data/upload', { token: user.token, file, fields: { ticket_number } });
    const { imported_count, file_name, header_skipped } = (await get(`${ticket_number}/import`)).json();
    assert.deepEqual([imported_count, file_name, header_skipped], [1, 'order.xlsx', true]);
  });

  test('the import’s counts are closed to other companies and open to superadmins', async () => {
    const { ticket_number } = await upload(['C10000000']);
    const [other, superadmin] = [await createUser(api), await createUser(api, { superadmin: true })];
    assert.equal((await get(`${ticket_number}/import`, other.token)).statusCode, 404);
    assert.equal((await get(`${ticket_number}/import`, superadmin.token)).json().header_skipped, false);
  });
});
