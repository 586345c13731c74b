import type { Locator, Page } from '@playwright/test';
import { getBudget } from '#features/clients/budgets.contract.ts';
import { getOwnCompany } from '#features/clients/clients.contract.ts';
import {
  importSerials,
  previewSheet,
  type SheetPreview,
  uploadSheet,
} from '#features/imports/imports.contract.ts';
import { listTicketNumbers } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { sheetFile } from '#tests/support/stories/upload.ts';

const path = '/dashboard/upload';

const invalidCells = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    row: index + 2,
    value: `no serial ${index}`,
    reason: 'Not an IMEI, MEID or serial number',
  }));

const seen: SheetPreview = {
  sheet: 'Sheet1',
  sheets: ['Sheet1'],
  suggested_sheet: null,
  column: 'A',
  default_column: 'A',
  suggested_column: null,
  columns: [{ column: 'A', head: 'IMEI', serials: 2000 }],
  rows: 12_345,
  valid_count: 12_000,
  invalid_count: 145,
  duplicate_count: 200,
  header_skipped: true,
  known_count: 800,
  known_ages: [
    { days: 5, count: 300 },
    { days: 20, count: 500 },
  ],
  price_total: 9_600_000,
  exceeds_budget: false,
  price_per_data: 800,
  estimate_seconds: 600,
  seconds_per_row: 0.05,
  invalid: invalidCells(3),
};

const company = {
  _id: '1',
  company_name: 'Acme',
  company_code: 'ACM001',
  status: '1' as const,
  bill_known: true,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

async function openUpload(
  api: FakeApi,
  open: (path: string, role: 'user') => Promise<void>,
  change: Partial<Answer<typeof getOwnCompany>['client']> = {},
  budget: { monthly_rupiah: number | null; used: number } = { monthly_rupiah: null, used: 0 },
): Promise<void> {
  api.answer(listTicketNumbers, { data: [] });
  api.answer(getOwnCompany, { client: { ...company, ...change } });
  api.answer(getBudget, { ...budget, month: '2026-11' });
  await open(path, 'user');
}

const choose = (page: Page, name = 'devices.xlsx') =>
  page.locator('input[type=file]').setInputFiles(sheetFile(name, ['123']));
const regionOf = (page: Page) => page.getByRole('region', { name: 'Preview' });

test('the upload requires an Excel file, which can be removed again', async ({ page, api, open }) => {
  api.answer(previewSheet, seen);
  await openUpload(api, open);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByRole('alert').getByText('Please select a file to upload')).toBeVisible();

  // Drops a file as a browser does.
  const drop = async (name: string, on: Locator) => {
    const transfer = await page.evaluateHandle(
      `(() => { const t = new DataTransfer(); t.items.add(new File(['x'], ${JSON.stringify(name)})); return t; })()`,
    );
    await on.dispatchEvent('drop', { dataTransfer: transfer });
  };
  const zone = page.getByText('Drag and drop your Excel file here');
  await drop('notes.csv', zone);
  await expect(page.getByText('Please upload an Excel file (.xlsx or .xls)')).toBeVisible();
  await drop('OLD.XLS', zone);
  await expect(page.getByText('OLD.XLS')).toBeVisible();
  await expect(page.getByText('Please upload an Excel file (.xlsx or .xls)')).toBeHidden();
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(page.getByText('OLD.XLS')).toBeHidden();
  // Beside the zone, too: the browser would leave the app and open the file.
  await drop('beside.xlsx', page.getByRole('heading', { level: 1 }));
  await expect(page.getByText('beside.xlsx')).toBeVisible();
});

test('a preview shows counts, freshness, price and time, and the first invalid cells', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, { ...seen, invalid: invalidCells(100) });
  const held = api.hold(previewSheet);
  await openUpload(api, open);
  await choose(page);
  const preview = regionOf(page);
  await expect(preview).toContainText('Reading the file…');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
  held.letGo();
  await expect(preview.getByRole('definition')).toHaveText([
    '12,000',
    '145',
    '200',
    /^800.*300 checked within 7 days.*800 checked within 30 days$/,
    'Rp 9.600.000',
    'about 10 minutes',
  ]);
  await expect(preview.getByText('These are the first 100; only these can be corrected here.')).toBeVisible();
  await expect(preview.getByRole('row')).toHaveCount(101);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(preview).toHaveCount(0);
});

test('a preview says that the upload exceeds the budget, as long as it does', async ({ page, api, open }) => {
  api.answer(previewSheet, { ...seen, exceeds_budget: true });
  await openUpload(api, open, { bill_known: false }, { monthly_rupiah: 10_000_000, used: 500_000 });
  await choose(page);
  const preview = regionOf(page);
  await expect(preview).toContainText('This upload exceeds the budget');
  await expect(preview).toContainText(
    'It takes Rp 9.600.000 of your company’s budget, of which Rp 9.500.000 is left for this month.',
  );
  await expectAccessible(page, allWidths);
  // 300 rows of the register are not billed.
  await page.getByLabel('Take answers from the register younger than').fill('6');
  await expect(preview).not.toContainText('exceeds the budget');
});

test('price and time leave out rows of the register; invalid cells are corrected in place and sent', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, seen);
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open, { bill_known: false });
  await choose(page);
  const facts = regionOf(page).getByRole('definition');
  const price = facts.nth(4);
  await expect(price).toHaveText('Rp 9.600.000');
  await page.getByLabel('Take answers from the register younger than').fill('6');
  await expect(price).toHaveText('Rp 9.360.000');
  await expect(facts.nth(3)).toContainText('300 of them are taken from the register');
  await page.getByLabel('Take answers from the register younger than').fill('21');
  await expect(facts.nth(5)).toHaveText('about 9 minutes');
  const cell = (name: string) => page.getByLabel(`Correct cell ${name}`, { exact: true });
  const stateOf = (name: string) => page.getByRole('row').filter({ has: cell(name) });
  await cell('A2').fill('35-630348901234-2');
  await expect(stateOf('A2')).toContainText('Corrected: 356303489012342');
  await cell('A3').fill('356303489012343');
  await expect(stateOf('A3')).toContainText('The check digit is wrong');
  await cell('A4').fill('');
  await expect(stateOf('A4')).toContainText('Not an IMEI, MEID or serial number');
  await expect(facts).toContainText(['12,001', '144']);
  await expect(price).toHaveText('Rp 8.960.800');
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

test('an unknown time is told; a column that was read in place of A is named', async ({
  page,
  api,
  open,
}) => {
  const columns = ['A', 'B'].map((column) => ({ column, head: '', serials: column === 'B' ? 2 : 0 }));
  api.answer(previewSheet, {
    ...seen,
    column: 'B',
    columns,
    estimate_seconds: null,
    seconds_per_row: null,
    invalid: [],
  });
  await openUpload(api, open);
  await choose(page);
  const preview = regionOf(page);
  await expect(preview.getByText('Column A has no serial numbers, so column B is read.')).toBeVisible();
  await expect(preview).toContainText('Not known yet');
  api.answer(previewSheet, { ...seen, valid_count: 0, columns });
  await preview.getByLabel('Column').selectOption('A');
  await expect(preview.getByText('Column A has no serial numbers. Choose another column.')).toBeVisible();
});

test('a preview that is off reads nothing, and stays off until it is on again', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, seen);
  await openUpload(api, open);
  const preview = page.getByRole('switch', { name: 'Preview before upload' });
  await preview.press('Space');
  await choose(page);
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(regionOf(page)).toHaveCount(0);
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(preview).toHaveCount(0);
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(preview).not.toBeChecked();
  expect(api.bodiesOf(previewSheet)).toEqual([]);
  await preview.press('Space');
  await expect(regionOf(page)).toContainText('12,000');
});

test('pasted serials are counted and sent; what is refused stays in the field', async ({
  page,
  api,
  open,
}) => {
  const words = 'No valid serial number was found.';
  const details = [{ path: 'serials.1', message: 'unknown: Not an IMEI' }];
  api.refuse(importSerials, 422, words, { code: 'no_valid_serial', details });
  await openUpload(api, open);
  await page.getByRole('tab', { name: 'Paste' }).click();
  const send = page.getByRole('button', { name: 'Upload Serial Numbers' });
  const alert = page.getByRole('main').getByRole('alert');
  await send.click();
  await expect(alert).toHaveText('Please paste at least one serial number');
  const field = page.getByLabel('Serial numbers', { exact: true });
  await field.fill('IMEI\nunknown, 123;\t 45');
  await expect(alert).toHaveCount(0);
  await expect(page.getByText('4 entries')).toBeVisible();
  await send.click();
  await expect(alert.getByRole('listitem')).toHaveText('Entry 2 · unknown: Not an IMEI');
  await expect(field).toHaveValue('IMEI\nunknown, 123;\t 45');
  expect(api.bodiesOf(importSerials)).toEqual([{ serials: ['IMEI', 'unknown', '123', '45'] }]);
  await expectAccessible(page, allWidths);
  // A file that is dropped is taken, and shown.
  api.answer(previewSheet, seen);
  await choose(page);
  await expect(page.getByRole('tab', { name: 'File' })).toHaveAttribute('aria-selected', 'true');
});

test('answers of the register are taken up to an age that is a whole number of days', async ({
  page,
  api,
  open,
}) => {
  api.refuse(importSerials, 409, 'Refused');
  await openUpload(api, open);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('123');
  const days = page.getByLabel('Take answers from the register younger than');
  const send = page.getByRole('button', { name: 'Upload Serial Numbers' });
  await days.fill('0');
  await send.click();
  await expect(page.getByText('Enter a number of at least 1.')).toBeVisible();
  await days.fill('7');
  await send.click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Refused');
  await days.fill('');
  await send.click();
  await expect
    .poll(() => api.bodiesOf(importSerials))
    .toEqual([{ serials: ['123'], fresh_days: 7 }, { serials: ['123'] }]);
});

test('the notice of an Inactive company, the budget and what is not billed stand beside the upload', async ({
  page,
  api,
  open,
}) => {
  const budget = { monthly_rupiah: 125_000_000, used: 40_000_000 };
  await openUpload(api, open, { status: '0', bill_known: false }, budget);
  await expect(page.getByText('Your company is Inactive')).toBeVisible();
  await expect(page.getByText('Rows from the register are not billed')).toBeVisible();
  await expect(page.getByText('Rp 40.000.000 of Rp 125.000.000 used this month')).toBeVisible();
  await expect(page.getByText('Rp 85.000.000 of your company’s budget is left.')).toBeVisible();
  await expectAccessible(page, allWidths);
});

test('a refused file says why once, before and after the upload', async ({ page, api, open }) => {
  const words = 'This workbook is protected by a password. Save it without one and upload it again.';
  api.refuse(previewSheet, 422, words);
  api.refuse(uploadSheet, 422, words);
  const held = api.hold(uploadSheet);
  await openUpload(api, open);
  await choose(page);
  const alert = page.getByRole('main').getByRole('alert');
  await expect(regionOf(page).getByRole('alert')).toHaveText(words);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(regionOf(page)).toHaveCount(0);
  held.letGo();
  await expect(alert).toHaveText(words);
  await expect(regionOf(page)).toHaveCount(0);
  // Another kind of file is refused by its first bytes, without being sent.
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fake.xlsx', mimeType: 'text/plain', buffer: Buffer.from('no workbook') });
  await expect(alert).toContainText('This file is not an Excel file');
  // The refused file was not sent for a second preview either.
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
});

test('a preview that fails blocks nothing and can be repeated', async ({ page, api, open }) => {
  api.failWordless(previewSheet);
  await openUpload(api, open);
  await choose(page);
  const preview = regionOf(page);
  await expect(preview).toContainText('You can upload it all the same.');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
  await expect(page.getByRole('alert').filter({ hasText: /./ })).toHaveCount(0);
  api.answer(previewSheet, seen);
  await preview.getByRole('button', { name: 'Retry' }).click();
  await expect(preview).toContainText('12,000');
});

test('a preview ends with another file, with the upload and with the screen', async ({ page, api, open }) => {
  api.answer(previewSheet, seen);
  api.hold(previewSheet);
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open);
  const nextEnd = () =>
    page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/data/preview'));
  const expectSent = (count: number) => expect.poll(() => api.bodiesOf(previewSheet).length).toBe(count);
  await choose(page);
  await expectSent(1);
  const byFile = nextEnd();
  await page.locator('input[type=file]').setInputFiles(sheetFile('other.xlsx', ['1', '2']));
  await byFile;
  await expectSent(2);
  const byUpload = nextEnd();
  await page.getByRole('button', { name: 'Upload File' }).click();
  await byUpload;
  // The file was refused, so it is read again.
  await expectSent(3);
  await expect(page.getByRole('alert').filter({ hasText: 'Another upload' })).toBeVisible();
  const byLeaving = nextEnd();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await byLeaving;
});
