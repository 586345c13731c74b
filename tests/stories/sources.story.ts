import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect } from '#tests/support/browser/test.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { sourceSecret, test } from '#tests/support/stories/own-sources.ts';

const panelOf = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true });
const factOf = (page: Page, label: string, name: string) =>
  panelOf(page, label).locator('dl > div').filter({ hasText: name }).getByRole('definition');

test.describe.configure({ mode: 'serial' });

test('every source shows its kind, state and figures, in the order of the file, is paused and resumed; the processes are listed', async ({
  page,
}) => {
  await page.goto('/dashboard/sources');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    ...['Our own list', 'Shop check', 'Later', 'Running processes'],
  ]);
  const shop = panelOf(page, 'Shop check');
  await expect(shop.getByText('Up', { exact: true })).toBeVisible();
  await expect(factOf(page, 'Shop check', 'Kind')).toHaveText('http');
  await expect(factOf(page, 'Shop check', 'Accepts')).toHaveText('IMEI');
  await expect(factOf(page, 'Shop check', 'Network route')).toHaveText('Direct');
  await expect(factOf(page, 'Shop check', 'Limits')).toHaveText('50 a second, 8 at once');
  await expect(factOf(page, 'Shop check', 'Attempts')).toHaveText('5');
  await expect(factOf(page, 'Shop check', 'Last error')).toHaveText('None');
  await expect(shop.getByRole('img')).toHaveAccessibleName(/^Calls in the last hour: 0, answered: 0/);
  await shop.getByText('Show as table').click();
  await expect(shop.getByRole('row')).toHaveCount(61);

  const later = panelOf(page, 'Later');
  await expect(later.getByText('Off', { exact: true })).toBeVisible();
  for (const name of ['Resume', 'Try a serial']) {
    await expect(later.getByRole('button', { name })).toBeDisabled();
    await expect(later.getByRole('button', { name })).toHaveAccessibleDescription(
      'Later Not enabled in the configuration',
    );
  }

  await shop.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Shop check is paused; its rows wait.')).toBeVisible();
  await expect(shop.getByText('Off', { exact: true })).toBeVisible();
  await expect(shop.getByText('Paused by a superadmin')).toBeVisible();
  await expectAccessible(page);
  await shop.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Shop check is asked again.')).toBeVisible();
  await expect(shop.getByText('Up', { exact: true })).toBeVisible();

  const processes = panelOf(page, 'Running processes');
  for (const name of ['API', '1 worker']) {
    const cells = processes
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name, exact: true }) });
    await expect(cells.getByRole('cell').nth(2)).toHaveText('own, shop, later');
    await expect(cells.getByRole('cell').nth(3)).toHaveText(/^[0-9a-f]{8}$/);
  }
  await page.getByLabel('Language').selectOption('Bahasa Indonesia');
  await expect(panelOf(page, 'Proses yang berjalan').getByRole('columnheader')).toHaveText([
    ...['Proses', 'Mesin', 'Berjalan sejak', 'Sumber', 'Konfigurasi'],
  ]);
});

test('trying a serial shows the request with a masked secret, the answer, the outcome and the row', async ({
  page,
  own,
}) => {
  await page.goto('/dashboard/sources');
  await panelOf(page, 'Shop check').getByRole('button', { name: 'Try a serial' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try a serial at Shop check' });
  await dialog.getByLabel('Serial').fill('35-693803-001000-4');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('found', { exact: true })).toBeVisible();
  await expect(dialog.getByText('356938030010004').first()).toBeVisible();
  const row = dialog.getByRole('region', { name: 'Mapped row' });
  await expect(row.getByRole('definition')).toHaveText([
    'iPhone 15',
    'activated',
    '–',
    '–',
    'Jan 4, 2026',
    'Jan 3, 2027',
  ]);
  await expect(dialog.getByText(/GET http:.*\/coverage\/356938030010004/)).toBeVisible();
  await expect(dialog.getByText(/authorization: .*\*\*\*/i)).toBeVisible();
  await expect(dialog.getByText('Answer 200')).toBeVisible();
  await expect(dialog.getByText('"product": "iPhone 15"')).toBeVisible();
  expect(own.secrets.at(-1)).toBe(`Bearer ${sourceSecret}`);
  expect(await page.content()).not.toContain(sourceSecret);
  await expectAccessible(page);

  await dialog.getByLabel('Serial').fill('490154203237518');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('found', { exact: true })).toBeVisible();
  await dialog.getByLabel('Serial').fill('356938030010269');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('not found', { exact: true })).toBeVisible();
  await expect(dialog.getByText('No row: only a found device gives one.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('the company’s own list is uploaded, tried and replaced', async ({ page }) => {
  await page.goto('/dashboard/sources');
  const own = panelOf(page, 'Our own list');
  await expect(factOf(page, 'Our own list', 'Own list')).toHaveText('No list has been uploaded yet.');
  await own.getByRole('button', { name: 'Upload a list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a list for Our own list' });
  await expect(dialog.getByRole('button', { name: 'Browse' })).toBeFocused();
  // The browser's event when its file chooser is closed without a choice.
  await dialog.locator('input[type=file]').dispatchEvent('cancel', { bubbles: true });
  await dialog.getByRole('button', { name: 'Upload File' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please select a file to upload');
  const file = (name: string, rows: string[]) => ({ name, mimeType: '', buffer: makeWorkbook(rows) });
  await dialog.locator('input[type=file]').setInputFiles(file('list.csv', []));
  await expect(dialog.getByRole('alert')).toHaveText('Please upload an Excel file (.xlsx or .xls)');
  const rows = ['Device', '356938030010004', 'DNQXK0ABC123', 'nonsense'];
  await dialog.locator('input[type=file]').setInputFiles(file('list.xlsx', rows));
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Upload File' }).click();
  await expect(dialog.getByText('The list now has 2 devices')).toBeVisible();
  await expect(dialog.getByText('1 row could not be used')).toBeVisible();
  await expect(dialog.getByText(/^Row 4: The device is not a valid/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(factOf(page, 'Our own list', 'Own list')).toHaveText(/^2 devices since /);
  await expect(own.getByRole('button', { name: 'Replace the list' })).toBeVisible();

  await own.getByRole('button', { name: 'Try a serial' }).click();
  const trial = page.getByRole('dialog', { name: 'Try a serial at Our own list' });
  await trial.getByLabel('Serial').fill('dnqxk0abc123');
  await trial.getByRole('button', { name: 'Ask' }).click();
  await expect(trial.getByText('found', { exact: true })).toBeVisible();
  await expect(trial.getByText('Answered without a request.')).toBeVisible();
});
