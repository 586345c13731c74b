import type { Page } from '@playwright/test';
import { getBudget } from '#features/clients/budgets.contract.ts';
import { getOwnCompany } from '#features/clients/clients.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { previewSheet, uploadSheet } from '#features/imports/imports.contract.ts';
import { findTickets, getActivity, getTicket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerFound, ticket as madeUp } from '#tests/support/browser/made-up-rows.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';
import {
  chooseFile,
  company,
  invalidCells,
  openUpload,
  previewOf,
  sheetPreview,
  verdictOf,
} from '#tests/support/browser/upload-screen.ts';
import { sheetFile } from '#tests/support/stories/upload.ts';

test('a preview shows counts, price and time in one line, what is known, and the first invalid cells', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, { ...sheetPreview, invalid: invalidCells(100) });
  const held = api.hold(previewSheet);
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Reading the file…');
  const upload = page.getByRole('button', { name: 'Upload File' });
  await expect(upload).toBeDisabled();
  held.letGo();
  await expect(upload).toBeEnabled();
  await expect(verdictOf(page)).toHaveText(
    '12,000 to check · 145 to fix · 200 duplicates · Rp 9.600.000 · about 10 minutes',
  );
  await expect(upload).toHaveAccessibleDescription('12,000 devices for Rp 9.600.000');
  await expect(
    preview.getByText(
      '800 are already in the register · 300 checked within 7 days · 800 checked within 30 days',
    ),
  ).toBeVisible();
  await expect(preview.getByText('These are the first 100; only these can be corrected here.')).toBeVisible();
  await expect(preview.getByRole('row')).toHaveCount(101);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(preview).toHaveCount(0);
});

test('a preview says that the upload exceeds the budget, as long as it does', async ({ page, api, open }) => {
  api.answer(previewSheet, { ...sheetPreview, exceeds_budget: true });
  await openUpload(api, open, { bill_known: false }, { monthly_rupiah: 10_000_000, used: 500_000 });
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('This upload exceeds the budget');
  await expect(preview).toContainText(
    'It takes Rp 9.600.000 of your company’s budget, which counts prices before discounts. Rp 9.500.000 is left for this month.',
  );
  await expectAccessible(page, allWidths);
  // 300 rows of the register are not billed.
  await page.getByLabel('Reuse answers from the last').fill('6');
  await expect(preview).not.toContainText('exceeds the budget');
});

test('a company and budget that cannot be read say so, and the warning of the preview stays', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, { ...sheetPreview, exceeds_budget: true });
  const budget = { monthly_rupiah: 10_000_000, used: 500_000 };
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await openUpload(api, open, {}, budget, [getOwnCompany, getBudget]);
  await chooseFile(page);
  const main = page.getByRole('main');
  await expect(main.getByText('Company, Budget could not be loaded.')).toBeVisible();
  await expect(previewOf(page)).toContainText('This upload exceeds the budget');
  await expectAccessible(page, allWidths);
  api.answer(getOwnCompany, { client: company });
  await main.getByRole('button', { name: 'Retry' }).click();
  await expect(main.getByText('Budget could not be loaded.', { exact: true })).toBeVisible();
  await expect(previewOf(page)).toContainText('This upload exceeds the budget');
  api.answer(getBudget, { ...budget, month: '2026-11' });
  await main.getByRole('button', { name: 'Retry' }).click();
  await expect(previewOf(page)).toContainText('Rp 9.500.000 is left for this month.');
  await expect(main.getByText('could not be loaded')).toHaveCount(0);
});

test('price and time leave out rows of the register; invalid cells are corrected in place and sent', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open, { bill_known: false });
  await chooseFile(page);
  const verdict = verdictOf(page);
  await expect(verdict).toContainText('Rp 9.600.000');
  await page.getByLabel('Reuse answers from the last').fill('6');
  await expect(verdict).toContainText('11,700 to check · 300 from the register · 145 to fix');
  await expect(verdict).toContainText('Rp 9.360.000');
  await page.getByLabel('Reuse answers from the last').fill('21');
  await expect(verdict).toContainText('about 9 minutes');
  const cell = (name: string) => page.getByLabel(`Correct cell ${name}`, { exact: true });
  const stateOf = (name: string) => page.getByRole('row').filter({ has: cell(name) });
  await cell('A2').fill('35-630348901234-2');
  await expect(stateOf('A2')).toContainText('Corrected: 356303489012342');
  await cell('A3').fill('356303489012343');
  await expect(stateOf('A3')).toContainText('The check digit is wrong');
  await cell('A4').fill('');
  await expect(stateOf('A4')).toContainText('Not an IMEI, MEID or serial number');
  await expect(verdict).toHaveText(
    '11,201 to check · 800 from the register · 144 to fix · 200 duplicates · Rp 8.960.800 · about 9 minutes',
  );
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Another upload' })).toBeVisible();
  const [sent] = api.bodiesOf(uploadSheet);
  expect(String(sent)).toContain('{"A2":"35-630348901234-2"}');
  // Another upload of the same file may correct it differently; another file has other cells.
  await expect(cell('A2')).toHaveValue('35-630348901234-2');
  await page.locator('input[type=file]').setInputFiles(sheetFile('other.xlsx', ['1', '2']));
  await expect(cell('A2')).toHaveValue('no serial 0');
});

test('a cell with several lines is corrected with separators, and a text that is taken back is not sent', async ({
  page,
  api,
  open,
}) => {
  const reason = 'A number of 16 digits that Excel rounded';
  const rounded = { row: 2, value: '3563034890123420', reason };
  const lines = { row: 3, value: '356303489012342\nC02', reason: 'Not an IMEI, MEID or serial number' };
  api.answer(previewSheet, { ...sheetPreview, invalid_count: 2, invalid: [rounded, lines] });
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open);
  await chooseFile(page);
  const cell = (name: string) => page.getByLabel(`Correct cell ${name}`, { exact: true });
  const stateOf = (name: string) => page.getByRole('row').filter({ has: cell(name) });
  await cell('A2').fill('356303489012342');
  await expect(cell('A2')).toHaveAccessibleDescription('Corrected: 356303489012342');
  await cell('A2').fill(rounded.value);
  await expect(stateOf('A2')).toContainText(reason);
  await expect(verdictOf(page)).toContainText('12,000 to check · 2 to fix');
  await expect(cell('A3')).toHaveValue('356303489012342,C02');
  await cell('A3').press('End');
  await cell('A3').pressSequentially('ABCD1');
  await expect(stateOf('A3')).toContainText('Corrected: 356303489012342, C02ABCD1');
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect
    .poll(() => String(api.bodiesOf(uploadSheet).at(-1)))
    .toContain('{"A3":"356303489012342,C02ABCD1"}');
});

test('a cell whose text is cut cannot be corrected, because its other serials would be lost', async ({
  page,
  api,
  open,
}) => {
  const reason = 'The check digit is wrong';
  const long = { row: 2, value: `${'356303489012342,'.repeat(13).slice(0, 200)}…`, reason };
  // The cut fell into a character of two units, whose first half went, too.
  const half = { row: 3, value: `${'x'.repeat(199)}…`, reason };
  const short = { row: 4, value: 'x'.repeat(199), reason };
  api.answer(previewSheet, { ...sheetPreview, invalid_count: 3, invalid: [long, half, short] });
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview.getByRole('textbox')).toHaveCount(1);
  await expect(page.getByLabel('Correct cell A4', { exact: true })).toHaveValue(short.value);
  for (const { value } of [long, half])
    await expect(preview.getByRole('row').filter({ hasText: value })).toContainText(
      `${reason}. Too long to be corrected here. Please correct the cell in the file.`,
    );
  await expectAccessible(page, allWidths);
});

test('a corrected cell is sent after a change of the language, before and without a new preview', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open);
  await chooseFile(page);
  await page.getByLabel('Correct cell A2').fill('356303489012342');
  api.failWordless(previewSheet);
  const held = api.hold(previewSheet);
  await page.getByLabel('Language').selectOption('id');
  const preview = page.getByRole('region', { name: 'Pratinjau' });
  const cell = preview.getByRole('row').filter({ has: page.getByLabel('Koreksi sel A2', { exact: true }) });
  await expect(preview).toContainText('Membaca file…');
  await expect(cell).toContainText('Dikoreksi: 356303489012342');
  const upload = page.getByRole('button', { name: 'Unggah File' });
  const expectSent = async (count: number) => {
    await upload.click();
    await expect.poll(() => api.bodiesOf(uploadSheet).length).toBe(count);
    expect(String(api.bodiesOf(uploadSheet).at(-1))).toContain('{"A2":"356303489012342"}');
  };
  await expectSent(1);
  held.letGo();
  await expect(preview.getByRole('button', { name: 'Coba lagi' })).toBeVisible();
  await expect(cell).toContainText('Dikoreksi: 356303489012342');
  await expectSent(2);
});

test('an unknown time is told; a column that was read in place of A is named', async ({
  page,
  api,
  open,
}) => {
  const columns = ['A', 'B'].map((column) => ({
    column,
    head: '',
    serials: column === 'B' ? 2 : 0,
    imeis: 0,
  }));
  api.answer(previewSheet, {
    ...sheetPreview,
    column: 'B',
    columns,
    estimate_seconds: null,
    seconds_per_row: null,
    invalid: [],
  });
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview.getByText('Column A has no serial numbers, so column B is read.')).toBeVisible();
  await expect(preview).toContainText('time not known yet');
  api.answer(previewSheet, { ...sheetPreview, valid_count: 0, columns });
  await preview.getByRole('button', { name: 'Use column A' }).click();
  await expect(preview.getByText('Column A has no serial numbers. Choose another column.')).toBeVisible();
});

test('a preview that is off reads nothing, and stays off until it is on again', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  await openUpload(api, open);
  const preview = page.getByRole('switch', { name: 'Preview before upload' });
  await preview.press('Space');
  await chooseFile(page);
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(page.getByText('Drag and drop')).toHaveCount(0);
  await expect(previewOf(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(preview).toHaveCount(0);
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(preview).not.toBeChecked();
  expect(api.bodiesOf(previewSheet)).toEqual([]);
  await preview.press('Space');
  await expect(previewOf(page)).toContainText('12,000');
});

test('own columns that cannot be read are not taken for none', async ({ page, api, open }) => {
  const columns = ['A', 'B'].map((column) => ({ column, head: '', serials: 2, imeis: 2 }));
  api.answer(previewSheet, { ...sheetPreview, columns });
  api.failWordless(getFields);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Own columns could not be loaded.');
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  await preview.getByRole('button', { name: 'Retry' }).click();
  await expect(preview.getByLabel('Employee')).toBeVisible();
});

test('a column of the sheet that fills an own column is shown, although it is not among the first', async ({
  page,
  api,
  open,
}) => {
  const columns = [{ column: 'A', head: 'IMEI', serials: 2, imeis: 2 }];
  const heads = { BT: 'Site' };
  api.answer(previewSheet, { ...sheetPreview, columns, heads, fields: { BS: 'employee', BT: 'site' } });
  api.answer(getFields, {
    fields: [
      { key: 'employee', name: 'Employee' },
      { key: 'site', name: 'Site' },
    ],
  });
  await openUpload(api, open);
  await chooseFile(page);
  const chosenOf = (name: string) => previewOf(page).getByLabel(name).locator('option:checked');
  await expect(chosenOf('Employee')).toHaveText('BS');
  await expect(chosenOf('Site')).toHaveText('BT · Site');
});

test('a file of Excel 4 is left to the server, which says how to save it; another file is refused at once', async ({
  page,
  api,
  open,
}) => {
  const text = 'This file was saved in the format of Excel 4 or older.';
  api.refuse(previewSheet, 415, text);
  await openUpload(api, open);
  const choose = (name: string, hex: string) =>
    page.locator('input[type=file]').setInputFiles({
      name,
      mimeType: 'application/vnd.ms-excel',
      buffer: Buffer.from(hex, 'hex'),
    });
  await choose('list.xls', '504c4541');
  await expect(previewOf(page)).toContainText('This file is not an Excel file');
  expect(api.bodiesOf(previewSheet)).toHaveLength(0);
  await choose('old.xls', '0904060000001000');
  await expect(previewOf(page)).toContainText(text);
});

test('a preview that fails blocks nothing and can be repeated', async ({ page, api, open }) => {
  api.failWordless(previewSheet);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('You can upload it all the same.');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  api.answer(previewSheet, sheetPreview);
  await preview.getByRole('button', { name: 'Retry' }).click();
  await expect(preview).toContainText('12,000');
});

test('a preview that failed is read again only by Retry, because its file may be large', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(previewSheet);
  await openUpload(api, open, {}, undefined, [getOwnCompany]);
  await chooseFile(page);
  await expect(previewOf(page).getByRole('button', { name: 'Retry' })).toBeVisible();
  // Each poll repeats other reads that failed.
  for (const poll of [1, 2]) {
    const repeated = api.bodiesOf(getOwnCompany).length;
    await lookAgain(page);
    await expect.poll(() => api.bodiesOf(getOwnCompany).length, `poll ${poll}`).toBeGreaterThan(repeated);
  }
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
});

test('an upload waits ten seconds for its preview, and then needs none', async ({ page, api, open }) => {
  api.answer(previewSheet, sheetPreview);
  const held = api.hold(previewSheet);
  await page.clock.install();
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Reading the file…');
  const upload = page.getByRole('button', { name: 'Upload File' });
  await expect(upload).toBeDisabled();
  await page.clock.fastForward(10_000);
  await expect(upload).toBeEnabled();
  await expect(preview).toContainText('You can upload without waiting for the preview.');
  await page.locator('input[type=file]').setInputFiles(sheetFile('other.xlsx', ['1', '2']));
  await expect(upload).toBeDisabled();
  await expect(preview).toContainText('Reading the file…');
  held.letGo();
  await expect(upload).toBeEnabled();
  await expect(verdictOf(page)).toContainText('12,000');
});

test('a preview ends with another file, with the switch and with the screen', async ({ page, api, open }) => {
  api.answer(previewSheet, sheetPreview);
  api.hold(previewSheet);
  await openUpload(api, open);
  const nextEnd = () =>
    page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/data/preview'));
  const expectSent = (count: number) => expect.poll(() => api.bodiesOf(previewSheet).length).toBe(count);
  await chooseFile(page);
  await expectSent(1);
  const byFile = nextEnd();
  await page.locator('input[type=file]').setInputFiles(sheetFile('other.xlsx', ['1', '2']));
  await byFile;
  await expectSent(2);
  const bySwitch = nextEnd();
  const isPreviewOn = page.getByRole('switch', { name: 'Preview before upload' });
  await isPreviewOn.press('Space');
  await bySwitch;
  // Without a preview, nothing has to be waited for.
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
  await isPreviewOn.press('Space');
  await expectSent(3);
  const byLeaving = nextEnd();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await byLeaving;
});

test('a column with a few IMEIs more than A is offered, and not read by itself', async ({
  page,
  api,
  open,
}) => {
  const columns = [
    { column: 'A', head: 'IMEI 1', serials: 11, imeis: 11 },
    { column: 'B', head: 'IMEI 2', serials: 12, imeis: 12 },
  ];
  api.answer(previewSheet, {
    ...sheetPreview,
    columns,
    suggested_column: 'B',
    invalid: invalidCells(3),
  });
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Column B looks more like IMEIs than column A.');
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
  api.answer(previewSheet, { ...sheetPreview, columns, column: 'B' });
  const held = api.hold(previewSheet);
  await preview.getByRole('button', { name: 'Use column B' }).click();
  await expect(preview).toContainText('Reading the file…');
  await expectAccessible(page, allWidths);
  held.letGo();
  await expect.poll(() => String(api.bodiesOf(previewSheet).at(-1))).toMatch(/name="column"\s+B\s/);
});

test('a column with few IMEIs beside a full column of serials is offered, and not read by itself', async ({
  page,
  api,
  open,
}) => {
  const columns = [
    { column: 'A', head: 'Serial', serials: 120, imeis: 0 },
    { column: 'C', head: 'IMEI', serials: 5, imeis: 5 },
  ];
  api.answer(previewSheet, { ...sheetPreview, columns, suggested_column: 'C' });
  await openUpload(api, open);
  await chooseFile(page);
  await expect(previewOf(page)).toContainText('Column C looks more like IMEIs than column A.');
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
});

for (const [how, toFail] of [
  ['fails', async (api: FakeApi) => api.failWordless(previewSheet)],
  [
    'takes ten seconds',
    async (api: FakeApi, page: Page) => {
      api.hold(previewSheet);
      await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(2);
      await page.clock.fastForward(10_000);
    },
  ],
] as const) {
  test(`column A stays the one that is read while the preview of a better column ${how}`, async ({
    page,
    api,
    open,
  }) => {
    const columns = [
      { column: 'A', head: '', serials: 2, imeis: 0 },
      { column: 'C', head: '', serials: 120, imeis: 120 },
    ];
    const few = { ...sheetPreview, columns, valid_count: 2, invalid_count: 118, invalid: [] };
    api.answer(previewSheet, { ...few, suggested_column: 'C' });
    const held = api.hold(previewSheet);
    await page.clock.install();
    await openUpload(api, open);
    await chooseFile(page);
    await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(1);
    held.letGo();
    await toFail(api, page);
    await expect(previewOf(page)).toContainText('Column C looks more like IMEIs than column A.');
    await page.getByRole('button', { name: 'Upload File' }).click();
    const question = page.getByRole('dialog', { name: 'Few serial numbers found' });
    await expect(question).toContainText('Only 2 of 120 cells of column A hold an IMEI or serial number');
  });
}

test('a column that looks more like IMEIs is read instead of A, until the user takes A', async ({
  page,
  api,
  open,
}) => {
  const columns = [
    { column: 'A', head: '', serials: 2, imeis: 0 },
    { column: 'C', head: '', serials: 120, imeis: 120 },
  ];
  const few = { ...sheetPreview, columns, valid_count: 2, invalid_count: 118, invalid: [] };
  api.answer(previewSheet, { ...few, suggested_column: 'C' });
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open);
  const held = api.hold(previewSheet);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(1);
  held.letGo();
  api.answer(previewSheet, { ...sheetPreview, columns, column: 'C', invalid: [] });
  await expect(preview).toContainText('Column C is read, because it looks more like IMEIs than column A.');
  const upload = page.getByRole('button', { name: 'Upload File' });
  await upload.click();
  await expect.poll(() => String(api.bodiesOf(uploadSheet).at(-1))).toMatch(/name="column"\s+C\s/);

  api.answer(previewSheet, { ...few, suggested_column: 'C' });
  await preview.getByRole('button', { name: 'Use column A' }).click();
  await expect(preview).toContainText('Column C looks more like IMEIs than column A.');
  await upload.click();
  const question = page.getByRole('dialog', { name: 'Few serial numbers found' });
  await expect(question).toContainText('Only 2 of 120 cells of column A hold an IMEI or serial number');
  await expectAccessible(page, allWidths);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(api.bodiesOf(uploadSheet)).toHaveLength(1);
  await upload.click();
  await question.getByRole('button', { name: 'Upload anyway' }).click();
  await expect.poll(() => api.bodiesOf(uploadSheet).length).toBe(2);
  expect(String(api.bodiesOf(uploadSheet).at(-1))).not.toMatch(/name="column"/);
});

test('a file that was checked before says when, and offers its ticket and its answers', async ({
  page,
  api,
  open,
}) => {
  const at = new Date(Date.now() - 22 * 60_000).toISOString();
  const by = { name: 'Rina Wulandari', email: 'rina@example.com' };
  api.answer(previewSheet, {
    ...sheetPreview,
    known_ages: [{ days: 0, count: 300 }],
    seen: { ticket_number: '7', at, by },
  });
  await openUpload(api, open, { bill_known: false });
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Rina Wulandari checked this file 22 minutes ago as ticket 7.');
  await expect(preview).toContainText(
    '300 of its answers are in the register: they need no lookup and cost nothing.',
  );
  await expect(preview.getByRole('link', { name: 'Open' })).toHaveAttribute('href', '/dashboard/tickets/7');
  await expectAccessible(page, allWidths);
  await preview.getByRole('button', { name: 'Reuse its answers' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByLabel('Reuse answers from the last')).toHaveValue('1');
  await expect(verdictOf(page)).toContainText('300 from the register');
  await expect(preview.getByRole('button', { name: 'Reuse its answers' })).toHaveCount(0);
  await preview.getByRole('button', { name: 'Check again' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(preview).not.toContainText('as ticket 7');
  await expect(page.getByLabel('Reuse answers from the last')).toHaveValue('');
  await expect(verdictOf(page)).not.toContainText('from the register');
});

test('a preview that was refused can be read again once the company is Active', async ({
  page,
  api,
  open,
}) => {
  api.refuse(previewSheet, 403, 'Your company is Inactive.');
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview.getByRole('alert')).toContainText('Your company is Inactive.');
  api.answer(previewSheet, sheetPreview);
  await preview.getByRole('button', { name: 'Retry' }).click();
  await expect(verdictOf(page)).toContainText('12,000 to check');
});

test('a preview says that its company has uploaded more since, and is read again', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(getTicket, { ticket: madeUp });
  await openUpload(api, open);
  await chooseFile(page);
  const preview = previewOf(page);
  const words = 'Your company has uploaded data since this preview was read, so it may be out of date.';
  await expect(verdictOf(page)).toContainText('12,000 to check');
  await expect(preview).not.toContainText(words);
  answerFound(api, { ticket_number: '8', imported: true });
  api.answer(getActivity, { ...quiet, revision: '1' });
  const look = async () => {
    await lookAgain(page);
    return preview.getByText(words).isVisible();
  };
  await expect.poll(look).toBe(true);
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
  await expectAccessible(page, allWidths);
  api.answer(previewSheet, { ...sheetPreview, valid_count: 11_000 });
  await preview.getByRole('button', { name: 'Read again' }).press('Enter');
  await expect(verdictOf(page)).toContainText('11,000 to check');
  await expect(preview).not.toContainText(words);
  await expect(page.getByRole('main')).toBeFocused();
});

test('an older ticket that enters the newest 50 is no newer upload than a preview', async ({
  page,
  api,
  open,
}) => {
  const tickets = Array.from({ length: 51 }, (_, index) => {
    const number = `${60 - index}`;
    return { _id: number, ticket_number: number, imported: true };
  });
  api.answer(previewSheet, sheetPreview);
  api.answer(getTicket, { ticket: madeUp });
  await openUpload(api, open);
  answerFound(api, ...tickets.slice(0, 50));
  await page.reload();
  await chooseFile(page);
  await expect(verdictOf(page)).toContainText('12,000 to check');
  const reads = api.bodiesOf(findTickets).length;
  answerFound(api, ...tickets.slice(1));
  api.answer(getActivity, { ...quiet, revision: '1' });
  const look = async () => {
    await lookAgain(page);
    return api.bodiesOf(findTickets).length;
  };
  await expect.poll(look).toBeGreaterThan(reads);
  await settled(page);
  await expect(previewOf(page)).not.toContainText('Your company has uploaded data since');
});

test('an upload into an order of another size says so', async ({ page, api, open }) => {
  const order = { ...madeUp, ticket_number: '12', status: 'Pending' as const, data_count: 12_000 };
  api.answer(previewSheet, sheetPreview);
  api.answer(getTicket, { ticket: order });
  await openUpload(api, open);
  answerFound(api, { ...order, kind: 'order' });
  await page.reload();
  await chooseFile(page);
  const preview = previewOf(page);
  await expect(preview).toContainText('Ticket 12 was ordered for 12,000 rows, but this upload has 12,145.');
  await expectAccessible(page, allWidths);
  await page.getByLabel('Upload into').selectOption('New ticket');
  await expect(preview).not.toContainText('was ordered for');
});

test('a preview says that the price is not known while its order cannot be read', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.failWordless(getTicket);
  await openUpload(api, open);
  answerFound(api, { ...madeUp, ticket_number: '12', status: 'Pending', kind: 'order' });
  await page.reload();
  await chooseFile(page);
  await expect(previewOf(page)).toContainText('price not known');
  await expect(previewOf(page)).not.toContainText('Loading');
});

test('what to delete first and how it works take one line each where they tell nothing new', async ({
  page,
  api,
  open,
}) => {
  await openUpload(api, open);
  const first = page.getByText('Please delete your previous data');
  const heightOf = async () => (await first.locator('..').boundingBox())?.height ?? 0;
  const help = page.getByText('How it works', { exact: true });
  const steps = page.getByText('Prepare your file');
  await expect(steps).toBeVisible();
  expect(await heightOf()).toBeLessThan(30);
  answerFound(api, { kind: 'upload' });
  api.answer(getTicket, { ticket: madeUp });
  await page.reload();
  await expect(help).toBeVisible();
  await expect(steps).toBeHidden();
  const icon = first.locator('xpath=ancestor::div[contains(@class, "banner")][1]');
  await expect(icon).toBeVisible();
  await help.click();
  await expect(steps).toBeVisible();
  await expectAccessible(page, allWidths);
});
