import type { Locator, Page } from '@playwright/test';
import { deleteUploadedRows, getImport, listUploadedRows } from '#features/imports/imports.contract.ts';
import { deleteResults, type ResultRow } from '#features/results/results.contract.ts';
import { getActivity, getTicket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expectWhole, runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerRows, answerTicket, invalid, makeRows, ticket } from '#tests/support/browser/made-up-rows.ts';
import { onePage } from '#tests/support/browser/paging.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/data?ticket=7';

const beside = 'return element.scrollWidth - element.clientWidth;';
const firstRow = (table: Locator) => table.getByRole('row').nth(1);
const tableOf = (page: Page) => page.getByRole('table', { name: 'Serial Data' });
const scrollToEnd = (table: Locator) =>
  runOn<void>(table.locator('..'), 'element.scrollLeft = element.scrollWidth;');

test.beforeEach(({ api }) => answerTicket(api));
test.afterEach(({ page }) => page.setViewportSize({ width: 1280, height: 800 }));

test('a table scrolled to its right end keeps the serial and shows the last column', async ({
  page,
  api,
  open,
}) => {
  const rows = makeRows(10);
  const serial = String(rows[0]?.serial_number);
  answerRows(api, rows, { total: 30 });
  await open(path, 'user');
  const results = tableOf(page);
  for (const width of [820, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(firstRow(results).getByText(serial, { exact: true })).toBeVisible();
    await scrollToEnd(results);
    await expectWhole(firstRow(results).getByRole('cell').nth(1));
    await expectWhole(firstRow(results).getByRole('cell').last());
    await expectWhole(results.getByRole('columnheader').nth(1));
  }
  await page.setViewportSize({ width: 390, height: 800 });
  api.answer(listUploadedRows, {
    ticket_number: '7',
    data: rows.map((row) => ({
      ...{ _id: row._id, ticket_number: '7', row: row.sheet_row },
      ...{ serial: row.serial_number, date: ticket.date },
    })),
    pagination: onePage(30),
  });
  await page.getByRole('tab', { name: 'Uploaded Data' }).click();
  const uploaded = page.getByRole('table', { name: 'Uploaded Data' });
  await expect(firstRow(uploaded).getByText(serial, { exact: true })).toBeVisible();
  await expectWhole(firstRow(uploaded).getByRole('cell').nth(2));
  await scrollToEnd(uploaded);
  await expectWhole(firstRow(uploaded).getByRole('cell').nth(2));
  await expectWhole(firstRow(uploaded).getByRole('cell').last());
});

test('results on phones have rows of two lines, which a tap opens', async ({ page, api, open }) => {
  const rows = makeRows(10);
  const [serial, last] = [rows[0], rows[9]].map((row) => String(row?.serial_number));
  answerRows(api, rows, { total: 12 });
  await page.setViewportSize({ width: 390, height: 844 });
  await open(path, 'user');
  const results = tableOf(page);
  const row = results.getByRole('row').first();
  await expect(row.getByText(String(serial), { exact: true })).toBeVisible();
  await expect(results.getByRole('columnheader')).toHaveCount(0);
  await expect.poll(() => runOn<number>(results.locator('..'), beside), 'pixels out of sight').toBe(0);
  await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(80);
  await expectAccessible(page);
  // Rows begin on the first screen: what else narrows them is folded.
  await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(844 - 2 * 60);
  const warranty = page.getByRole('combobox', { name: 'Warranty' });
  await expect(warranty).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(warranty).toBeVisible();
  answerRows(api, rows.toReversed(), { total: 12 });
  await page.getByLabel('Sort by').selectOption('No, descending');
  await expect(page).toHaveURL(/order=desc/);
  await expect(row.getByText(String(last), { exact: true })).toBeVisible();
  answerRows(api, rows, { total: 12 });
  await page.getByLabel('Sort by').selectOption('No, ascending');
  await expect(row.getByText(String(serial), { exact: true })).toBeVisible();
  await row.click();
  const opened = page.getByRole('dialog', { name: 'Row 1', exact: true });
  await expect(opened).toContainText(String(serial));
  await expect(opened).toContainText('Purchase Date');
  await expect.poll(() => runOn<number>(opened, 'return element.offsetWidth;')).toBe(390);
});

test('columns are hidden, moved, widened and pinned, rows are made lower, and all is remembered', async ({
  page,
  api,
  open,
}) => {
  answerRows(api, makeRows(10), { total: 12 });
  await open(path, 'user');
  const results = tableOf(page);
  const heads = results.getByRole('columnheader');
  const names = ['No', 'Serial Number', 'Type', 'Status', 'Purchase Date', 'Warranty', 'Coverage Start'];
  const last = ['Coverage End', 'Expires In', 'Fetched At'];
  await expect(heads).toHaveText([...names, ...last]);
  const button = page.getByRole('button', { name: 'Table settings' });
  await button.click();
  const settings = page.getByRole('dialog', { name: 'Table settings' });
  await expect(settings.getByLabel('Compact')).toBeFocused();
  await expect(settings.getByLabel('Serial Number', { exact: true })).toBeDisabled();
  await settings.getByLabel('Purchase Date', { exact: true }).uncheck();
  const toLeft = settings.getByRole('button', { name: 'Move Type left' });
  await toLeft.focus();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Enter');
  await expect(heads.first()).toHaveText('Type');
  await expect(toLeft).toBeFocused();
  const toRight = settings.getByRole('button', { name: 'Move Type right' });
  await toRight.press('Enter');
  await toRight.press('Enter');
  await settings.getByRole('button', { name: 'Move Warranty left' }).click();
  await settings.getByRole('button', { name: 'Move Warranty left' }).click();
  const widthOf = (head: Locator) => runOn<number>(head, 'return element.offsetWidth;');
  const type = results.getByRole('columnheader', { name: 'Type' });
  await settings.getByRole('button', { name: 'Make Type wider' }).focus();
  for (let count = 0; count < 13; count += 1) await page.keyboard.press('Enter');
  await expect.poll(() => widthOf(type)).toBeGreaterThan(230);
  await settings.getByRole('button', { name: 'Keep Type in sight' }).click();
  await settings.getByLabel('Compact').check();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();
  await expect(button).toBeFocused();

  await page.reload();
  const changed = ['No', 'Serial Number', 'Type', 'Warranty', 'Status', 'Coverage Start'];
  await expect(heads).toHaveText([...changed, ...last]);
  await expect.poll(() => widthOf(type)).toBeGreaterThan(230);
  await expect.poll(() => runOn<number>(firstRow(results), 'return element.offsetHeight;')).toBe(28);
  await page.setViewportSize({ width: 820, height: 900 });
  await scrollToEnd(results);
  await expectWhole(type);

  await button.click();
  await settings.getByRole('button', { name: 'Reset to default' }).click();
  await expect(heads).toHaveText([...names, ...last]);
  // The height of rows holds for all tables, and the page stays for the next test.
  await settings.getByLabel('Normal').check();
});

test('a row is one line at 1280 px, in both languages; at 1920 px its texts are whole; forms stay 1,200 px wide', async ({
  page,
  api,
  open,
}) => {
  // Digits are tabular: a 1 is as wide as any other.
  const long = { type: 'Samsung Galaxy A54 5G', warranty_title: 'Business Protection Plan' };
  const [first, second, third, fourth] = makeRows(4) as [ResultRow, ResultRow, ResultRow, ResultRow];
  const days = { purchase_date: '2026-05-30', coverage_start_date: '2026-05-30' };
  const done = { ...first, ...long, ...days, position: 100_000, coverage_expires: 'Expires today' };
  const rows = [done, { ...second, activation_status: 'unactivated' as const, coverage_expires: 'Expired' }];
  // The badge of this reason fits, that of an invalid serial number ends in an ellipsis.
  const notFound = { ...fourth, ...invalid, reason: 'Not found' };
  const reasons = { 'Invalid serial number': 1, 'Not found': 1 };
  answerRows(api, [...rows, { ...third, ...invalid }, notFound], { reasons });
  await open(path, 'user');
  const tables = { en: 'Serial Data', id: 'Data Nomor Seri' };
  for (const [language, reason, time] of [
    ['id', 'Nomor seri tidak valid', '11 Nov 2026 • 11:11'],
    ['en', 'Invalid serial number', 'Nov 11, 2026 • 11:11'],
  ] as const) {
    await page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
    const table = page.getByRole('table', { name: tables[language] });
    await expect(firstRow(table).getByRole('cell').last()).toHaveText(time);
    for (const width of [1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const texts = width === 1280 ? `:not([title], :has([title="${reason}"]))` : '';
      const cut = `return [...element.querySelectorAll('tbody td${texts}')].filter((cell) =>
        [cell, ...cell.querySelectorAll('*')].some((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0))
        .map((cell) => cell.className + ': ' + cell.textContent)`;
      await expect.poll(() => runOn<string[]>(table, cut), `${language}, ${width} px`).toEqual([]);
      const heights = `return [...element.querySelectorAll('tbody tr')].map((row) => row.offsetHeight)`;
      await expect.poll(() => runOn<number[]>(table, heights)).toEqual([36, 36, 36, 36]);
      await expect.poll(() => runOn<number>(table.locator('..'), beside)).toBe(0);
      for (const text of [...Object.values(long), reason])
        await expect(table.getByTitle(text, { exact: true }).first()).toBeVisible();
    }
    await expect.poll(async () => (await table.boundingBox())?.width).toBeGreaterThan(1600);
  }
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible();
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByLabel('Current Password')).toBeVisible();
  await expect.poll(async () => (await page.getByRole('main').boundingBox())?.width).toBe(1200);
});

test('the panel of a failed row shows its reason whole at 320 px', async ({ page, api, open }) => {
  const [first] = makeRows(1) as [ResultRow];
  answerRows(api, [{ ...first, ...invalid }]);
  await page.setViewportSize({ width: 320, height: 640 });
  await open(`${path}&row=1`, 'user');
  await expectWhole(page.getByRole('dialog').getByTitle('Invalid serial number'));
});

test('the first row of results is on the first screen at 1280 px, on Data Management and in the tracker', async ({
  page,
  api,
  open,
}) => {
  answerRows(api, makeRows(10), { total: 61, reasons: { 'Invalid serial number': 1 } });
  for (const at of [path, '/dashboard/tracker?ticket=7']) {
    await open(at, 'user');
    await expect(page.getByRole('button', { name: 'All 61' })).toBeVisible();
    await expect(firstRow(tableOf(page))).toBeInViewport({ ratio: 1 });
  }
  // On phones, the chip of a range of days fits the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await open(`${path}&ends_from=2026-11-24&ends_to=2026-12-31`, 'user');
  const chip = page.getByRole('button', { name: 'Ends Nov 24, 2026 to Dec 31, 2026' });
  await expect(chip).toBeInViewport({ ratio: 1 });
});

test('All is pressed while every row is shown, and shows every row', async ({ page, api, open }) => {
  answerRows(api, makeRows(10), { total: 61, reasons: { 'Invalid serial number': 1 } });
  const all = page.getByRole('button', { name: 'All 61' });
  for (const filter of ['type=iPhone%2015%20Pro', 'q=35', 'state=failed', 'ends_within=30']) {
    await open(`${path}&${filter}`, 'user');
    await expect(all).toHaveAttribute('aria-pressed', 'false');
    await all.click();
    await expect(all).toHaveAttribute('aria-pressed', 'true');
    await expect(page).not.toHaveURL(/type=|q=|state=|ends_within=/);
  }
});

test('a table is printed whole', async ({ page, api, open }) => {
  answerRows(api, makeRows(60));
  await page.setViewportSize({ width: 1280, height: 700 });
  await open(`${path}&size=100`, 'user');
  const table = tableOf(page);
  await expect(table.getByRole('row')).toHaveCount(61);
  await page.emulateMedia({ media: 'print' });
  const cut =
    'return [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];';
  expect(await runOn<number[]>(table.locator('..'), cut)).toEqual([0, 0]);
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden();
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeHidden();
  // Chromium leaves the text of a button out of a head that it repeats on a page.
  await expect(table.getByRole('button', { name: 'Serial Number' })).toHaveCSS('display', 'contents');
  await page.emulateMedia({ media: null });
});

test('the dark theme is printed in light colours', async ({ page, api, open }) => {
  answerRows(api, makeRows(1));
  await open(path, 'user');
  await page.getByLabel('Theme').selectOption('dark');
  const cell = firstRow(tableOf(page)).getByRole('cell').first();
  const colours = () =>
    runOn<string[]>(
      cell,
      'const { color, backgroundColor } = getComputedStyle(element); return [color, backgroundColor];',
    );
  await expect.poll(colours).toEqual(['rgb(228, 238, 236)', 'rgb(18, 30, 29)']);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(colours).toEqual(['rgb(18, 33, 31)', 'rgb(255, 255, 255)']);
  await page.emulateMedia({ media: null });
  await page.getByLabel('Theme').selectOption('auto');
});

test('a deletion stays with what it offered when the ticket ends while its dialog is open', async ({
  page,
  api,
  open,
}) => {
  const running = { ...ticket, imported: true, status: 'Processing' as const, done: 1, remaining: 2 };
  api.answer(getTicket, { ticket: running });
  // Its answer does not matter here.
  api.failWordless(getImport);
  const rows = makeRows(3);
  answerRows(api, rows, { ticket: running });
  api.answer(listUploadedRows, {
    ticket_number: '7',
    data: rows.map((row) => ({
      ...{ _id: row._id, ticket_number: '7', row: row.sheet_row },
      ...{ serial: row.serial_number, date: ticket.date },
    })),
    pagination: onePage(3),
  });
  await open(`${path}&view=uploaded`, 'user');
  await page.getByRole('button', { name: 'Delete All' }).click();
  const chosen = page.getByRole('dialog').getByRole('radio', { checked: true });
  await expect(chosen).toHaveAccessibleName(/^3 uploaded rows/);
  api.answer(getTicket, { ticket: { ...ticket, imported: true } });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(page.getByRole('dialog').getByRole('radio')).toHaveCount(3);
  await expect(chosen).toHaveAccessibleName('3 uploaded rows');

  // A colleague deletes them. The results, which are left, were not chosen.
  api.answer(getTicket, { ticket: { ...ticket, imported: true, serial_deleted: true } });
  api.refuse(deleteUploadedRows, 404, 'The uploaded rows were deleted already.');
  api.answer(deleteResults, { message: 'deleted' });
  api.answer(getActivity, { ...quiet, revision: '2' });
  await lookAgain(page);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Delete All' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/deleted already/);
  expect(api.bodiesOf(deleteResults)).toEqual([]);
});

test('Delete All forgets the devices of the ticket only if that is ticked', async ({ page, api, open }) => {
  api.answer(getTicket, { ticket: { ...ticket, imported: true } });
  api.failWordless(getImport);
  answerRows(api, makeRows(3));
  for (const deletion of [deleteResults, deleteUploadedRows]) api.answer(deletion, { message: 'deleted' });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') sent.push(new URL(request.url()).search);
  });
  await open(path, 'user');
  const dialog = page.getByRole('dialog');
  const forget = dialog.getByRole('checkbox', { name: 'Also forget these devices' });
  for (const ticked of [true, false]) {
    await page.getByRole('button', { name: 'Delete All' }).click();
    await expect(forget).not.toBeChecked();
    await forget.setChecked(ticked);
    await expectAccessible(page, allWidths);
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog).toHaveCount(0);
  }
  expect(sent).toEqual(['?forget_devices=true', '?forget_devices=true', '', '']);
});
