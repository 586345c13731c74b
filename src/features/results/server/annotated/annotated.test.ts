import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as XLSX from '@e965/xlsx';
import { deleteOldOriginals } from '#features/imports/server/originals/originals.service.ts';
import { readSheet } from '#server/sheet/read-sheet.ts';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';

const folder = new URL('../../../../../tests/cases/sheets/', import.meta.url);

let api: TestApi;
let user: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
});
after(() => api.close());

type Made = { _id: string; ticket_number: string };
const upload = async (content: Buffer): Promise<Made> => {
  const answer = await uploadSheet(api, user, content);
  assert.equal(answer.statusCode, 201, answer.body);
  return answer.json().ticket;
};
const download = (number: string, token = user.token) =>
  api.send(`GET /api/data/${number}/annotated`, { token });
const readState = async (number: string) =>
  (await api.send(`GET /api/data/${number}/original`, { token: user.token })).json().state;
const toWorkbook = (rows: string, more: [string, string | Buffer][] = []) =>
  zip([...workbookParts(rows), ...more]);
const text = (place: string, value: string) => `<c r="${place}" t="inlineStr"><is><t>${value}</t></is></c>`;
const answerAll = (id: string) =>
  api.context.db.query(
    `UPDATE serials SET state = 'done', type = '=1+1 <&> _x0041_', activation_status = 'activated',
       coverage_end_date = '2030-01-31', fetched_at = now(), source = 'test'
     WHERE ticket_id = $1 AND kind IS NOT NULL`,
    [id],
  );

/** Adds the relation of a workbook to its styles. */
const withStyles = (relations: string) =>
  relations.replace(
    '</Relationships>',
    '<Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
  );

async function saveFile(name: string, content: Buffer): Promise<string> {
  const path = join(api.context.config.DATA_DIR, name);
  await writeFile(path, content);
  return path;
}

/** Reads the cells of the sheet that our reader reads, by row. */
async function readCells(path: string): Promise<Map<number, (string | undefined)[]>> {
  const found = new Map<number, (string | undefined)[]>();
  await readSheet(path, { columns: 60, maxRows: 1_000_000 }, (rows) => {
    for (const { row, cells } of rows)
      found.set(
        row,
        Array.from(cells, (cell) => cell?.text),
      );
  });
  return found;
}

describe('GET /data/{ticket}/annotated', () => {
  test('result columns are added right of the last used column, in the rows of the sheet', async () => {
    const [second] = makeImeis(1);
    const styles = '<styleSheet><cellXfs count="1"><xf numFmtId="0"/></cellXfs></styleSheet>';
    const parts = workbookParts(
      `<row r="1" spans="1:2">${text('A1', 'IMEI')}${text('B1', 'Name')}</row>` +
        `<row r="2">${text('A2', '013554006297015')}<c r="B2"><f>1+1</f><v>2</v></c><c r="D2" s="0"/><c r="XFD2" s="0"/></row>` +
        `<row r="5">${text('A5', 'no serial!')}</row>` +
        `<row>${text('A6', `013554006297015, ${second}`)}<extLst/></row>` +
        `<row r="9">${text('A9', '013554006297015')}</row>`,
    );
    const relations = String(parts.get('xl/_rels/workbook.xml.rels'));
    parts.set('xl/_rels/workbook.xml.rels', withStyles(relations));
    parts.set('xl/styles.xml', styles);
    const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
    const types = [
      ['workbook', 'sheet.main'],
      ['styles', 'styles'],
      ['worksheets/sheet1', 'worksheet'],
    ].map(([part, type]) => `<Override PartName="/xl/${part}.xml" ContentType="${excel}.${type}+xml"/>`);
    parts.set(
      '[Content_Types].xml',
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>`,
    );
    const ticket = await upload(zip(parts));
    await answerAll(ticket._id);
    const { rawPayload } = await download(ticket.ticket_number);
    const path = await saveFile('columns.xlsx', rawPayload);
    const rows = await readCells(path);
    assert.deepEqual(rows.get(1)?.slice(0, 4), ['IMEI', 'Name', 'Serial Number', 'Type']);
    assert.deepEqual(rows.get(2)?.slice(1, 5), ['2', '013554006297015', '=1+1 <&> _x0041_', 'activated']);
    assert.match(rows.get(5)?.join('|') ?? '', /no serial!\|\|no serial!\|.*Invalid serial number: /);
    assert.equal(rows.get(6)?.[2], `013554006297015\n${second}`);
    assert.equal(rows.get(6)?.[8], '2030-01-31\n2030-01-31');
    assert.deepEqual(rows.get(9)?.slice(2), rows.get(2)?.slice(2, 12));
    const sheet = XLSX.read(rawPayload, { cellNF: true, cellFormula: true }).Sheets.Sheet1;
    assert.deepEqual([sheet?.I2?.t, sheet?.I2?.z, sheet?.B2?.f], ['n', 'm/d/yy', '1+1']);
    assert.equal(sheet?.D2?.f, undefined);
    assert.ok(sheet?.XFD2 === undefined || sheet.XFD2.t === 'z');
  });

  test('a workbook with macros is read, but neither kept nor handed out again', async () => {
    const row = (serial: string) => `<row>${text('A1', serial)}</row>`;
    const types = (type: string, place = 'Override PartName="/xl/workbook.xml"') =>
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><${place} ContentType="application/vnd.${type}"/></Types>`;
    const binary = types('ms-excel.sheet.binary.macroEnabled.main', 'Default Extension="BIN"');
    const books = [
      toWorkbook(row('C10000020'), [['xl/vbaProject.bin', 'a program']]),
      toWorkbook(row('C10000021'), [['xl/macrosheets/sheet1.xml', '<macrosheet/>']]),
      toWorkbook(row('C10000022'), [['[Content_Types].xml', types('ms-office.vbaProject')]]),
      toWorkbook(row('C10000023'), [['[Content_Types].xml', types('ms-excel.sheet.macroEnabled.main+xml')]]),
      toWorkbook(row('C10000024'), [
        ['[Content_Types].xml', binary],
        ['xl/program.bin', 'a program'],
      ]),
    ];
    for (const book of books) {
      const { _id, ticket_number } = await upload(book);
      assert.equal(await readState(ticket_number), 'macros');
      const refused = await download(ticket_number);
      assert.deepEqual([refused.statusCode, refused.json().code], [410, 'original_macros']);
      const { db } = api.context;
      const kept = await db.query('SELECT FROM original_chunks WHERE ticket_id = $1', [_id]);
      assert.equal(kept.rowCount, 0);
      // As a version stored it that looked for no macros.
      await db.query('UPDATE originals SET has_macros = false WHERE ticket_id = $1', [_id]);
      await db.query('INSERT INTO original_chunks (ticket_id, nth, bytes) VALUES ($1, 0, $2)', [_id, book]);
      const old = await download(ticket_number);
      assert.deepEqual([old.statusCode, old.json().code], [410, 'original_macros']);
    }
    const declared = await upload(toWorkbook(row('C10000025'), [['[Content_Types].xml', binary]]));
    assert.equal(await readState(declared.ticket_number), 'kept');
  });

  test('the annotated sheet is refused for a full sheet, an .xls file and a deleted file', async () => {
    const full = await upload(
      toWorkbook(`<row r="1">${text('A1', 'C10000000')}<c r="XFD1"><v>1</v></c></row>`),
    );
    assert.equal((await download(full.ticket_number)).statusCode, 422);
    const old = await upload(await readFile(new URL('libreoffice-text.xls', folder)));
    assert.equal((await download(old.ticket_number)).statusCode, 415);
    assert.equal(await readState(old.ticket_number), 'xls');
    assert.equal(await readState(full.ticket_number), 'kept');
    const pasted = await api.send('POST /api/data/serials', {
      token: user.token,
      body: { serials: ['C10000009'] },
    });
    assert.equal((await download(pasted.json().ticket.ticket_number)).statusCode, 410);
    const chunks = async ({ _id }: Made) =>
      (await api.context.db.query('SELECT FROM original_chunks WHERE ticket_id = $1', [_id])).rowCount;
    const rowsDeleted = await upload(toWorkbook(`<row>${text('A1', 'C10000001')}</row>`));
    assert.equal(await chunks(rowsDeleted), 1);
    await api.send(`DELETE /api/data/${rowsDeleted.ticket_number}`, { token: user.token });
    assert.equal((await download(rowsDeleted.ticket_number)).statusCode, 410);
    assert.equal(await readState(rowsDeleted.ticket_number), 'gone');
    assert.equal(await chunks(rowsDeleted), 0);
    const expired = await upload(toWorkbook(`<row>${text('A1', 'C10000002')}</row>`));
    await api.context.db.query(
      `UPDATE originals SET kept_at = now() - interval '31 days' WHERE ticket_id = $1`,
      [expired._id],
    );
    assert.equal((await download(expired.ticket_number)).statusCode, 200);
    while (await deleteOldOriginals(api.context.db, api.context.config.ORIGINAL_DAYS));
    assert.equal((await download(expired.ticket_number)).statusCode, 410);
    assert.equal(await chunks(expired), 0);
  });

  test('a file that is being deleted counts as deleted', async () => {
    // Two chunks of 256 KB.
    const content = toWorkbook(`<row>${text('A1', 'C10000004')}</row>`, [
      ['xl/media/image1.png', randomBytes(300_000)],
    ]);
    for (const missing of ['nth = 0', 'nth = 1', 'true']) {
      const { _id, ticket_number } = await upload(content);
      assert.equal((await download(ticket_number)).statusCode, 200);
      await api.context.db.query(`DELETE FROM original_chunks WHERE ticket_id = $1 AND ${missing}`, [_id]);
      const answer = await download(ticket_number);
      assert.deepEqual([answer.statusCode, answer.json().code], [410, 'original_gone'], missing);
    }
  });

  test('a sheet with unreadable styles is annotated without new ones', async () => {
    const styles = ['<styleSheet><cellXfs', '<styleSheet><!DOCTYPE x></styleSheet>'];
    for (const [n, part] of styles.entries()) {
      const parts = workbookParts(`<row>${text('A1', `C1000001${n}`)}</row>`);
      const relations = String(parts.get('xl/_rels/workbook.xml.rels'));
      parts.set('xl/_rels/workbook.xml.rels', withStyles(relations));
      parts.set('xl/styles.xml', part);
      const ticket = await upload(zip(parts));
      await answerAll(ticket._id);
      const answer = await download(ticket.ticket_number);
      assert.equal(answer.statusCode, 200, answer.body);
      const rows = await readCells(await saveFile('unstyled.xlsx', answer.rawPayload));
      assert.ok(rows.get(1)?.includes('2030-01-31'), rows.get(1)?.join());
    }
  });

  test('the annotated sheet is open to the company and superadmins, and its download is recorded', async () => {
    const { ticket_number } = await upload(toWorkbook(`<row>${text('A1', 'C10000003')}</row>`));
    const [other, superadmin] = [await createUser(api), await createUser(api, { superadmin: true })];
    assert.equal((await download(ticket_number, other.token)).statusCode, 404);
    const answer = await download(ticket_number, superadmin.token);
    assert.equal(answer.statusCode, 200);
    assert.match(String(answer.headers['content-disposition']), /filename="sheet\.xlsx"/);
    const { data } = (
      await api.send(`GET /api/audit?action=results.export&object_id=${ticket_number}`, {
        token: superadmin.token,
      })
    ).json();
    assert.deepEqual(data[0].after, {
      format: 'excel',
      annotated: true,
      file_name: 'sheet.xlsx',
      import_kind: 'upload',
      total: 1,
      rows: 1,
      complete: true,
    });
  });
});
