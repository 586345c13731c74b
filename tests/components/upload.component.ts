import type { Locator, Route } from '@playwright/test';
import { getBudget } from '#features/clients/budgets.contract.ts';
import {
  downloadReport,
  importSerials,
  previewSerials,
  previewSheet,
  uploadSheet,
} from '#features/imports/imports.contract.ts';
import { listResults } from '#features/results/results.contract.ts';
import { findTickets, getTicket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { doubleClick } from '#tests/support/browser/double-click.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { imported } from '#tests/support/browser/made-up-rows.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';
import {
  chooseFile,
  openUpload,
  previewOf,
  sheetPreview,
  verdictOf,
} from '#tests/support/browser/upload-screen.ts';

test('the upload requires an Excel file, which can be removed again', async ({ page, api, open }) => {
  api.answer(previewSheet, sheetPreview);
  await openUpload(api, open);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByRole('alert').getByText('Please select a file to upload')).toBeVisible();
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByRole('alert').getByText('Silakan pilih file untuk diunggah')).toBeVisible();
  await page.getByLabel('Bahasa').selectOption('en');

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
  await page.getByRole('button', { name: 'Remove file' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByText('OLD.XLS')).toBeHidden();
  // Beside the zone, too: the browser would leave the app and open the file.
  await drop('beside.xlsx', page.getByRole('heading', { level: 1 }));
  await expect(page.getByText('beside.xlsx')).toBeVisible();
});

test('pasted serials are counted and sent; what is refused stays in the field', async ({
  page,
  api,
  open,
}) => {
  const words = 'No valid serial number was found.';
  const details = [{ path: 'serials.1', message: 'unknown: Not an IMEI' }];
  api.refuse(importSerials, 422, words, { code: 'no_valid_serial', details });
  api.refuse(previewSerials, 422, words, { code: 'no_valid_serial', details });
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
  // The preview says so before, the upload after.
  await expect(previewOf(page).getByRole('listitem')).toHaveText('Entry 2 · unknown: Not an IMEI');
  await send.click();
  await expect(previewOf(page)).toHaveCount(0);
  await expect(alert.getByRole('listitem')).toHaveText('Entry 2 · unknown: Not an IMEI');
  await expect(field).toHaveValue('IMEI\nunknown, 123;\t 45');
  expect(api.bodiesOf(importSerials)).toEqual([{ serials: ['IMEI', 'unknown', '123', '45'] }]);
  await expectAccessible(page, allWidths);
  // A file that is dropped is taken, and shown.
  api.answer(previewSheet, sheetPreview);
  await chooseFile(page);
  await expect(page.getByRole('tab', { name: 'File' })).toHaveAttribute('aria-selected', 'true');
});

test('pasted serials are previewed once typing pauses, with their price and what is invalid', async ({
  page,
  api,
  open,
}) => {
  const list = { sheet: '', sheets: [], column: '', default_column: '', columns: [] };
  const invalid = [{ row: 2, value: 'unknown', reason: 'Not an IMEI' }];
  const counts = { valid_count: 1, invalid_count: 1, duplicate_count: 0, known_count: 0, known_ages: [] };
  api.answer(previewSerials, { ...sheetPreview, ...list, ...counts, estimate_seconds: 1, invalid });
  api.refuse(importSerials, 409, 'Refused');
  await openUpload(api, open);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('356303489012342\nunknown');
  const send = page.getByRole('button', { name: 'Upload Serial Numbers', exact: true });
  await expect(verdictOf(page)).toHaveText('1 to check · 1 to fix · Rp 800 · about 1 second');
  await expect(send).toHaveAccessibleDescription('1 device for Rp 800');
  await expect(previewOf(page).getByRole('row').last()).toHaveText('Entry 2unknownNot an IMEI');
  await expectAccessible(page, allWidths);
  const held = api.hold(previewSerials);
  await page.getByLabel('Serial numbers', { exact: true }).fill('356303489012342');
  await expect(send).toBeDisabled();
  held.letGo();
  await send.click();
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Refused');
  expect(api.bodiesOf(previewSerials)).toContainEqual({ serials: ['356303489012342'] });
  expect(api.bodiesOf(importSerials)).toEqual([{ serials: ['356303489012342'] }]);
});

test('a second click on Upload is no click on the button that takes its place', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSerials, { ...sheetPreview, sheet: '', sheets: [], columns: [] });
  api.answer(importSerials, imported);
  await openUpload(api, open);
  // The content of the screen that follows does not matter here.
  for (const call of [getTicket, listResults]) api.failWordless(call);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('356303489012342');
  const next = page.getByRole('button', { name: 'Upload more serial numbers' });
  const send = page.getByRole('button', { name: 'Upload Serial Numbers', exact: true });
  await expect(send).toBeEnabled();
  await doubleClick(page, send, () => expect(next).toBeVisible());
  await expect(page).toHaveURL(/\/dashboard\/data/);
  expect(api.bodiesOf(importSerials)).toHaveLength(1);
});

test('the focus stays on the screen when the button for a further upload disappears', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(previewSerials);
  api.answer(importSerials, imported);
  await page.clock.install();
  await openUpload(api, open);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('356303489012342');
  const send = page.getByRole('button', { name: 'Upload Serial Numbers', exact: true });
  await expect(send).toBeEnabled();
  await pauseClock(page);
  await send.press('Enter');
  await page.getByRole('button', { name: 'Upload more serial numbers' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.clock.resume();
});

test('the page leads to the data only when the report that was asked for in its result is there', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(previewSerials);
  api.answer(importSerials, { ...imported, duplicate_count: 1 });
  api.answer(downloadReport, undefined);
  const report = api.hold(downloadReport);
  await page.clock.install();
  await openUpload(api, open);
  for (const call of [getTicket, listResults]) api.failWordless(call);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('356303489012342');
  await page.getByRole('button', { name: 'Upload Serial Numbers', exact: true }).click();
  await page.getByRole('button', { name: 'Download invalid and duplicate cells' }).click();
  await expect.poll(() => api.bodiesOf(downloadReport)).toHaveLength(1);
  await page.clock.runFor(3000);
  await expect(page.getByText('The download was cancelled')).toHaveCount(0);
  await expect(page).toHaveURL(/\/dashboard\/upload$/);
  report.letGo();
  await expect(page.getByText('The download is complete.')).toBeVisible();
  await page.clock.runFor(2000);
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=7$/);
});

test('answers of the register are taken up to an age that is a whole number of days', async ({
  page,
  api,
  open,
}) => {
  api.refuse(importSerials, 409, 'Refused');
  api.failWordless(previewSerials);
  await openUpload(api, open);
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill('123');
  const days = page.getByLabel('Reuse answers from the last');
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
  api.answer(getBudget, { monthly_rupiah: 200_000_000, used: 40_000_000, month: '2026-11' });
  const raised = page.getByText('Rp 40.000.000 of Rp 200.000.000 used this month');
  const look = async () => {
    await lookAgain(page);
    return raised.isVisible();
  };
  await expect.poll(look).toBe(true);
});

test('a refused file says why once, before and after the upload', async ({ page, api, open }) => {
  const words = 'This workbook is protected by a password. Save it without one and upload it again.';
  api.refuse(previewSheet, 422, words);
  api.refuse(uploadSheet, 422, words);
  const held = api.hold(uploadSheet);
  await openUpload(api, open);
  await chooseFile(page);
  const alert = page.getByRole('main').getByRole('alert');
  await expect(previewOf(page).getByRole('alert')).toHaveText(words);
  await page.setViewportSize({ width: 390, height: 640 });
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(previewOf(page)).toHaveCount(0);
  // Each progress would be read out.
  await expect(page.getByRole('progressbar', { name: 'Upload progress' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /sent|rows/ })).toHaveCount(0);
  held.letGo();
  await expect(alert).toHaveText(words);
  await expect(alert).toBeInViewport({ ratio: 1 });
  await expect(previewOf(page)).toHaveCount(0);
  // Another kind of file is refused by its first bytes, without being sent.
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fake.xlsx', mimeType: 'text/plain', buffer: Buffer.from('no workbook') });
  await expect(alert).toContainText('This file is not an Excel file');
  // The refused file was not sent for a second preview either.
  expect(api.bodiesOf(previewSheet)).toHaveLength(1);
});

test('an upload that a proxy answered is repeated with its key, because the server may have the file', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  await openUpload(api, open);
  await chooseFile(page);
  const keys: (string | undefined)[] = [];
  const answerAsProxy = (route: Route) => {
    keys.push(route.request().headers()['idempotency-key']);
    return route.fulfill({ contentType: 'text/html', body: '<h1>Sign in to the network</h1>' });
  };
  await page.route('**/api/data/upload', answerAsProxy, { times: 2 });
  const send = page.getByRole('button', { name: 'Upload File' });
  const alert = page.getByRole('main').getByRole('alert');
  await settled(page);
  let read = api.bodiesOf(findTickets).length;
  for (const sent of [1, 2]) {
    await send.click();
    await expect.poll(() => keys.length).toBe(sent);
    await expect(alert.getByRole('paragraph')).toHaveText([
      'Failed to upload file',
      'No answer arrived. The change may have been made: check before you try again.',
    ]);
    await expect(send).toBeEnabled();
    await expect.poll(() => api.bodiesOf(findTickets).length).toBeGreaterThan(read);
    await settled(page);
    read = api.bodiesOf(findTickets).length;
  }
  expect(keys[0]).toMatch(/./);
  expect(keys[1]).toBe(keys[0]);
});
