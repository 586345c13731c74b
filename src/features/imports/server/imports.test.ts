import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { createTestApi, type Send, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeWorkbook, workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';

const first = '356938030010004';
const second = '356938030010012';
const cases = new URL('../../../../tests/cases/sheets/', import.meta.url);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi({ PRICE_USD: '0.07', DOLLAR_RATE: '15000' });
});
beforeEach(async () => {
  user = await createUser(api);
});
after(() => api.close());

const upload = (content: Buffer | string, send?: Send) => uploadSheet(api, user, content, send);

describe('POST /data/upload', () => {
  test('an upload imports column A as a ticket with its rows, duplicates and lookups', async () => {
    const cells = ['IMEI', first, '', '35-693803-001001-2', 'C02ABCD1', '356938030010005', first, 'c02abcd1'];
    const answer = await upload(makeWorkbook(cells));
    assert.equal(answer.statusCode, 201);
    const { ticket, ...body } = answer.json();
    assert.deepEqual(body, {
      message: `Successfully imported 4 records. Ticket: ${ticket.ticket_number}`,
      imported_count: 4,
      invalid_count: 1,
      duplicate_count: 2,
      known_count: 0,
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
    const jobs = await api.context.db.query('SELECT FROM lookup_jobs WHERE ticket_id = $1', [ticket._id]);
    assert.equal(jobs.rowCount, 1);
    assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
  });

  test('tickets are numbered without gaps, also when imports in between fail', async () => {
    const numberOf = async () => Number((await upload(makeWorkbook([first]))).json().ticket.ticket_number);
    const before = await numberOf();
    assert.equal((await upload(makeWorkbook(['nothing here']))).statusCode, 422);
    const several = await Promise.all([numberOf(), numberOf(), numberOf()]);
    assert.deepEqual(
      several.sort((a, b) => a - b),
      [before + 1, before + 2, before + 3],
    );
  });

  test('.xls and .xlsx are known by their content, not by their name', async () => {
    for (const name of ['xls-renamed.xlsx', 'xlsx-renamed.xls', 'sheetjs.xls']) {
      const content = await readFile(new URL(name, cases));
      const answer = await upload(content, {
        file: { field: 'excel', name: 'C:\\lists\\my %22own%22.txt', content },
      });
      assert.equal(answer.statusCode, 201, answer.body);
      assert.equal(answer.json().imported_count, 50);
      assert.equal(answer.json().ticket.file_name, 'my "own".txt');
    }
  });

  test('a formula without a result is named, also in the first row, and is a row that failed', async () => {
    const rows = `<row><c><f>B1</f><v/></c></row><row><c><v>${first}</v></c></row><row><c><f>B3</f></c></row>`;
    const answer = await upload(zip(workbookParts(rows)));
    assert.equal(answer.statusCode, 201, answer.body);
    const { imported_count, header_skipped, invalid } = answer.json();
    assert.deepEqual([imported_count, header_skipped], [3, false]);
    const reason = 'A formula without a result: open the file in Excel and save it';
    assert.deepEqual(invalid, [
      { row: 1, value: '=', reason },
      { row: 3, value: '=', reason },
    ]);
  });

  test('an upload answers in the language of the caller and stores English', async () => {
    const answer = await upload(makeWorkbook([first, 'x1']), { headers: { 'accept-language': 'id' } });
    const { ticket, message, invalid } = answer.json();
    assert.equal(message, `Berhasil mengimpor 2 data. Tiket: ${ticket.ticket_number}`);
    assert.equal(invalid[0].reason, 'Bukan IMEI, MEID, atau nomor seri');
    const rows = await api.send('GET /api/imei?status=failed', { token: user.token });
    assert.equal(rows.json().data[0].details, 'Not an IMEI, MEID or serial number');
  });
});
