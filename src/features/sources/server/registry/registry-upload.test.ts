import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import type { Caller } from '#server/http/caller.ts';
import { AppError } from '#server/http/errors/errors.ts';
import { parseConfig } from '#server/runtime/config.ts';
import { callerOf } from '#tests/support/api/factories.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database/database.ts';
import { workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';
import { openSource, type SourceByCell } from '#tests/support/sources/open-source.ts';
import { listRegistries } from './registry.queries.ts';
import { replaceRegistry } from './registry-upload.service.ts';

let folder: string;
let database: TestDatabase;
let source: SourceByCell;
let caller: Caller;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'coverdesk-registry-'));
  database = await createTestDatabase();
  const { rows } = await database.pool.query<Pick<Caller, 'id' | 'email' | 'companyCode' | 'superadmin'>>(
    `INSERT INTO users (first_name, last_name, email, password_hash, role, new_user)
     VALUES ('Admin', '', 'admin@example.test', '', 'superadmin', false)
     RETURNING id, email, superadmin, company_code AS "companyCode"`,
  );
  caller = callerOf(rows[0] ?? assert.fail('no user'));
  source = await openSource({ name: 'own', kind: 'registry' }, database.db);
});
after(async () => {
  await source.close();
  await database.close();
  await rm(folder, { recursive: true });
});

/** A caller who does not disconnect. */
const here = new AbortController().signal;
const config = parseConfig({ MAX_UPLOAD_ROWS: '200000' });

async function upload(file: Uint8Array, name = 'own', maxRows = config.MAX_UPLOAD_ROWS, timeZone?: string) {
  const path = join(folder, 'upload.xlsx');
  await writeFile(path, file);
  const context = {
    config: { ...config, MAX_UPLOAD_ROWS: maxRows },
    db: database.db,
    databaseUrl: database.url,
  };
  const { rejected, ...rest } = await replaceRegistry(context, caller, { name, timeZone }, path, here);
  return {
    ...rest,
    rejected: rejected.map(({ row, reason }) => [
      row,
      reason({}, { locale: 'en' }),
      reason({}, { locale: 'id' }),
    ]),
  };
}

function makeSheet(rows: unknown[][]): Uint8Array {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows, { UTC: true }), 'Devices');
  return new Uint8Array(write(book, { type: 'buffer', bookType: 'xlsx' }));
}

const entry = (more: object) => ({
  is: 'found',
  coverage: {
    type: null,
    activation_status: null,
    purchase_date: null,
    warranty_title: null,
    coverage_start_date: null,
    coverage_end_date: null,
    ...more,
  },
});
const facts = async (name: string) =>
  (await listRegistries.all(database.pool)).find((registry) => registry.source === name);

test('a list answers for the identifiers of its devices, and a new list replaces it completely', async () => {
  assert.deepEqual(await source.ask('F17XK1ABC01'), { is: 'not_found' });
  const first = await upload(
    makeSheet([
      ['Device', 'Purchase date', 'Warranty title', 'Start', 'End'],
      [353901102345677, new Date('2025-01-10T00:00:00Z'), 'Gold', '10/01/2025', '2026-01-09'],
      [],
      ['f17xk1abc01 ', '2025-02-01', 'Tab\there, back\\slash', null, null],
      ['354817664998779 / 357061228981735', null, null, null, '31/12/2027'],
    ]),
  );
  assert.deepEqual(first, { imported: 3, rejectedCount: 0, rejected: [] });
  assert.deepEqual(
    await source.ask('353901102345677'),
    entry({
      purchase_date: '2025-01-10',
      warranty_title: 'Gold',
      coverage_start_date: '2025-01-10',
      coverage_end_date: '2026-01-09',
    }),
  );
  assert.deepEqual(
    await source.ask('F17XK1ABC01'),
    entry({ purchase_date: '2025-02-01', warranty_title: 'Tab here, back\\slash' }),
  );
  const twoSims = entry({ coverage_end_date: '2027-12-31' });
  assert.deepEqual(await source.ask('354817664998779'), twoSims);
  assert.deepEqual(await source.ask('357061228981735'), twoSims);
  assert.equal((await facts('own'))?.devices, 3);

  await upload(makeSheet([['F17XK1ABC02', null, 'Silver']]));
  assert.deepEqual(await source.ask('F17XK1ABC02'), entry({ warranty_title: 'Silver' }));
  assert.deepEqual(await source.ask('F17XK1ABC01'), { is: 'not_found' });
  assert.equal((await facts('own'))?.devices, 1);
});

test('unusable rows are skipped and listed with row number and reason', async () => {
  const { imported, rejectedCount, rejected } = await upload(
    makeSheet([
      ['F17XK1ABC01', null, 'Gold'],
      ['353901102345671'],
      [null, '2025-01-10'],
      ['F17XK1ABC03', 'soon'],
      ['f17xk1abc01', null, 'Silver'],
      ['F17XK1ABC05', null, null, '2025-01-10', '2025-01-09'],
    ]),
  );
  assert.deepEqual([imported, rejectedCount], [1, 5]);
  assert.deepEqual(
    rejected.map(([row, english]) => [row, english]),
    [
      [2, 'The device is not a valid IMEI, MEID or serial number'],
      [3, 'There is no device in column A'],
      [4, 'The purchase date is not a date'],
      [5, 'The same device is in row 1'],
      [6, 'The end of coverage is before its start'],
    ],
  );
  assert.equal(rejected[0]?.[2], 'Perangkat bukan IMEI, MEID, atau nomor seri yang valid');
  assert.deepEqual(await source.ask('F17XK1ABC01'), entry({ warranty_title: 'Gold' }));
});

test('the current list stays if a file cannot be read or has no usable row', async () => {
  await upload(makeSheet([['F17XK1ABC07', null, 'Gold']]));
  const since = (await facts('own'))?.uploaded_at;
  const refused = async (file: Uint8Array, status: number, message: RegExp, maxRows?: number) => {
    await assert.rejects(upload(file, 'own', maxRows), (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.status, status);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(await source.ask('F17XK1ABC07'), entry({ warranty_title: 'Gold' }));
    assert.deepEqual((await facts('own'))?.uploaded_at, since);
  };
  await refused(makeSheet([['Device'], ['nonsense']]), 422, /no usable row/);
  await refused(makeSheet([]), 422, /no usable row/);
  await refused(Buffer.from('device,purchase\nF17XK1ABC01,2025-01-10\n'), 415, /not an Excel file/);
  const good = makeSheet([['F17XK1ABC01'], ['F17XK1ABC02'], ['F17XK1ABC03']]);
  await refused(good.subarray(0, good.length / 2), 422, /damaged/);
  await refused(good, 413, /at most 2/, 2);
  const list = Array.from({ length: 3600 }, (_, n) => `A${1_000_000 + n}`).join(',');
  const repeated = '<row><c t="s"><v>0</v></c></row>'.repeat(40_000);
  await refused(zip(workbookParts(repeated, `<si><t>${list}</t></si>`)), 422, /unsafe size/);
});

test('lists of several sources, and concurrent uploads of one list, do not mix', async () => {
  const other = await openSource({ name: 'other', kind: 'registry' }, database.db);
  await upload(makeSheet([['F17XK1ABC01', null, 'Ours']]), 'own');
  await upload(makeSheet([['F17XK1ABC01', null, 'Theirs']]), 'other');
  assert.deepEqual(await source.ask('F17XK1ABC01'), entry({ warranty_title: 'Ours' }));
  assert.deepEqual(await other.ask('F17XK1ABC01'), entry({ warranty_title: 'Theirs' }));
  await other.close();

  const context = { config, db: database.db, databaseUrl: database.url };
  const files = await Promise.all(
    ['A', 'B'].map(async (title) => {
      const path = join(folder, `${title}.xlsx`);
      await writeFile(path, makeSheet([['F17XK1ABC01', null, title], [`F17XK1ABC0${title}`]]));
      return path;
    }),
  );
  await Promise.all(
    files.map((path) => replaceRegistry(context, caller, { name: 'own', timeZone: undefined }, path, here)),
  );
  const { rows } = await database.pool.query(
    "SELECT count(*) AS count FROM registry_devices WHERE source = 'own'",
  );
  assert.deepEqual(rows, [{ count: 2 }]);
});

test('reads a long list row by row', async () => {
  const rows = Array.from({ length: 100_000 }, (_, n) => {
    const cell = (column: string, text: string) =>
      `<c r="${column}${n + 1}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const serial = `SN${String(n).padStart(8, '0')}`;
    return `<row r="${n + 1}">${cell('A', serial)}<c r="B${n + 1}"><v>${45_000 + (n % 700)}</v></c>${cell('C', 'Plan')}</row>`;
  });
  const result = await upload(zip(workbookParts(rows.join(''))));
  assert.deepEqual(result, { imported: 100_000, rejectedCount: 0, rejected: [] });
  assert.deepEqual(
    await source.ask('SN00000001'),
    entry({ purchase_date: '2023-03-16', warranty_title: 'Plan' }),
  );
});

test("a failing database makes rows wait, and its text does not become the source's last error", async () => {
  await database.pool.query('ALTER TABLE registry_devices RENAME TO hidden_devices');
  try {
    const outcome = await source.ask('SERIAL12');
    assert.deepEqual(outcome, { is: 'unreachable', error: 'the database of Coverdesk did not answer' });
  } finally {
    await database.pool.query('ALTER TABLE hidden_devices RENAME TO registry_devices');
  }
});

test('instants in a list are days of the time zone of its entry', async () => {
  const sheet = makeSheet([['F17XK1ABC01', '2025-02-01T03:00:00Z', null, null, '2026-02-01T00:00:00Z']]);
  await upload(sheet, 'own', config.MAX_UPLOAD_ROWS, 'America/Los_Angeles');
  const days = { purchase_date: '2025-01-31', coverage_end_date: '2026-02-01' };
  assert.deepEqual(await source.ask('F17XK1ABC01'), entry(days));
});
