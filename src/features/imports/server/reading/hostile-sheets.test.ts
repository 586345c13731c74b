import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createUser, type TestUser } from '#tests/support/api/factories.ts';
import { uploadSheet } from '#tests/support/api/uploads.ts';
import { makeWorkbook, withZip64Locator, workbookParts, zip } from '#tests/support/sheets/make-workbook.ts';

let api: TestApi;
let user: TestUser;
/** A user whose company has an own column, so that heads are read, too. */
let ownUser: TestUser;
before(async () => {
  api = await createTestApi();
  user = await createUser(api);
  ownUser = await createUser(api);
  const body = { fields: [{ key: 'site', name: 'Site' }] };
  const answer = await api.send(`PUT /api/fields/${ownUser.companyCode}`, { token: ownUser.token, body });
  assert.equal(answer.statusCode, 200, answer.body);
});
after(() => api.close());

const serial = '356938030010004';

async function upload(content: Buffer, sender = user) {
  const answer = await uploadSheet(api, sender, content);
  return { status: answer.statusCode, ...answer.json<{ code?: string; imported_count?: number }>() };
}

/** Checks that a valid sheet is imported, and that the sheets before left nothing behind. */
async function assertUnharmed() {
  assert.equal((await upload(makeWorkbook([serial]))).status, 201);
  assert.deepEqual(await readdir(join(api.context.config.DATA_DIR, 'uploads')), []);
}

test('a zip with offsets beyond its end fails only its own import', async () => {
  for (const place of [2n ** 53n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 31n]) {
    const { status, code } = await upload(withZip64Locator(makeWorkbook([serial]), place));
    assert.deepEqual([status, code], [422, 'sheet_corrupt'], String(place));
  }
  await assertUnharmed();
});

const cells = (values: string[], type: string) =>
  values
    .map((value, n) => `<row r="${n + 1}"><c r="A${n + 1}" t="${type}"><v>${value}</v></c></row>`)
    .join('');
const digits = (count: number) => '1234567890'.repeat(count / 10);
/** Text of which every character is parsed. */
const longText = '\ufb01 - '.repeat(7_500);

const wideRow = `<row>${'<c t="s"><v>0</v></c>'.repeat(64)}</row>`;

/** Combining marks, which normalisation sorts in quadratic time. */
const marks = '\u0315\u0316'.repeat(16_000);
const halfMarks = '\uff9e\u093c'.repeat(16_000);
const letterWithMarks = (text: string, count: number) =>
  Array.from({ length: count }, (_, n) => `A${n}${text}`);

/** Texts that take minutes or hours with quadratic parsing. */
const costly: [what: string, file: Buffer, refusal?: string][] = [
  ['a cell of 900,000 digits and a letter', zip(workbookParts(cells([`${digits(900_000)}x`], 'n')))],
  ['a cell of 900,000 zeros before a digit', zip(workbookParts(cells([`0.${'0'.repeat(900_000)}1`], 'n')))],
  [
    'a cell of a million digits',
    zip(workbookParts(cells([`${digits(500_000)}.${digits(500_000)}E12`], 'n'))),
  ],
  [
    '400 numbers of 30,000 digits and a letter',
    zip(workbookParts(cells(Array(400).fill(`${digits(30_000)}x`), 'n'))),
  ],
  [
    'a shared text of 30,000 characters in 40,000 cells',
    zip(workbookParts(cells(Array(40_000).fill('0'), 's'), `<si><t>${longText}</t></si>`)),
  ],
  [
    'a shared text of 30,000 spaces in 40,000 cells',
    zip(
      workbookParts(
        cells(Array(40_000).fill('0'), 's'),
        `<si><t xml:space="preserve">${' '.repeat(30_000)}</t></si>`,
      ),
    ),
  ],
  [
    'a shared text of 30,000 characters in 64 columns',
    zip(workbookParts(wideRow.repeat(4_000), `<si><t>${longText}</t></si>`)),
  ],
  [
    'a shared text of 196 characters in 64 columns of eleven sheets',
    zip(workbookParts(wideRow.repeat(3_000), `<si><t>${longText.slice(0, 196)}</t></si>`, 11), 9),
  ],
  ['150 letters with 32,000 marks each', makeWorkbook(letterWithMarks(marks, 150))],
  ['150 letters with 32,000 marks of two widths each', makeWorkbook(letterWithMarks(halfMarks, 150))],
  [
    'a shared text of 1,800 equal IMEIs with a dash in 40,000 cells',
    zip(
      workbookParts(
        cells(Array(40_000).fill('0'), 's'),
        `<si><t>${'35-6938030010004,'.repeat(1_800).slice(0, -1)}</t></si>`,
      ),
    ),
    'sheet_bomb',
  ],
  [
    'a shared text of 3,600 equal serials in 40,000 cells',
    zip(
      workbookParts(cells(Array(40_000).fill('0'), 's'), `<si><t>${Array(3600).fill('A1000000')}</t></si>`),
    ),
    'sheet_bomb',
  ],
];
for (const [what, file, refusal = 'no_valid_serial'] of costly) {
  test(`a sheet with ${what} is refused`, { timeout: 120_000 }, async () => {
    assert.ok(file.length < 200_000, `${file.length} bytes`);
    const { status, code } = await upload(file);
    assert.deepEqual([status, code], [422, refusal]);
    const preview = await api.send('POST /api/data/preview', {
      token: user.token,
      file: { field: 'excel', name: 'sheet.xlsx', content: file },
    });
    assert.deepEqual([preview.statusCode, preview.json().code], [422, refusal], 'a preview');
    await assertUnharmed();
  });
}

test('heads of wordy columns are read as fast', { timeout: 120_000 }, async () => {
  const wordy = costly.filter(([what]) => what.includes('30,000 characters'));
  assert.equal(wordy.length, 2);
  for (const [what, file] of wordy) {
    const { status, code } = await upload(file, ownUser);
    assert.deepEqual([status, code], [422, 'no_valid_serial'], what);
  }
});
