import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expectWhole, runOn } from '#tests/support/browser/geometry.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeUser } from '#tests/support/stories/api.ts';
import { patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

/** Scrolls a table to its right end. */
const scrollToEnd = (table: Locator) =>
  runOn<void>(table.locator('..'), 'element.scrollLeft = element.scrollWidth;');

const firstRow = (table: Locator) => table.getByRole('row').nth(1);
const tableOf = (page: Page, name: string) => page.getByRole('table', { name });

test('a table scrolled to its right end keeps the serial and shows the last column', async ({
  page,
  user,
  signIn,
}) => {
  const [imei = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, makeImeis(30));
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const results = tableOf(page, 'Serial Data');
  for (const width of [820, 1000]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(firstRow(results).getByText(imei, { exact: true })).toBeVisible();
    await scrollToEnd(results);
    await expectWhole(firstRow(results).getByRole('cell').nth(1));
    await expectWhole(firstRow(results).getByRole('cell').last());
    await expectWhole(results.getByRole('columnheader').nth(1));
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/dashboard/data?view=uploaded&ticket=${ticket}`);
  const uploaded = tableOf(page, 'Uploaded Data');
  await expect(firstRow(uploaded).getByText(imei, { exact: true })).toBeVisible();
  await expectWhole(firstRow(uploaded).getByRole('cell').nth(2));
  await scrollToEnd(uploaded);
  await expectWhole(firstRow(uploaded).getByRole('cell').nth(2));
  await expectWhole(firstRow(uploaded).getByRole('cell').last());
});

test('results on phones have rows of two lines, which a tap opens', async ({ page, user, signIn }) => {
  const [imei = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, makeImeis(12));
  await signIn(page, user);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const results = tableOf(page, 'Serial Data');
  const row = results.getByRole('row').first();
  await expect(row.getByText(imei, { exact: true })).toBeVisible();
  await expect(results.getByRole('columnheader')).toHaveCount(0);
  const hidden = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(results.locator('..'), hidden), 'pixels out of sight').toBe(0);
  await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(80);
  await expectAccessible(page);
  // Rows begin on the first screen: what else narrows and sorts them is folded.
  await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(844 - 2 * 60);
  await expect(page.getByLabel('Sort by')).toBeHidden();
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByRole('combobox', { name: 'Warranty' })).toBeVisible();
  await page.getByLabel('Sort by').selectOption('No, descending');
  await expect(row.getByText(String(makeImeis(12)[11]), { exact: true })).toBeVisible();
  await page.getByLabel('Sort by').selectOption('No, ascending');
  await expect(row.getByText(imei, { exact: true })).toBeVisible();
  await row.click();
  const opened = page.getByRole('dialog', { name: 'Row 1', exact: true });
  await expect(opened).toContainText(imei);
  await expect(opened).toContainText('Purchase Date');
  await expect.poll(() => runOn<number>(opened, 'return element.offsetWidth;')).toBe(390);
});

test('the client table scrolled to its right end keeps the name visible', async ({
  page,
  superadmin,
  signIn,
}) => {
  const { companyCode } = await makeUser({ company: 'Perusahaan Perseroan Telekomunikasi Nusantara Raya' });
  await signIn(page, superadmin);
  await page.setViewportSize({ width: 390, height: 800 });
  // The newest come first, and other tests make many at once.
  await page.goto('/dashboard/clients?limit=1000');
  const clients = page.getByRole('table');
  const row = clients.getByRole('row').filter({ hasText: String(companyCode) });
  await row.scrollIntoViewIfNeeded();
  await scrollToEnd(clients);
  await expectWhole(row.getByRole('cell').first());
  await expectWhole(row.getByRole('cell').last());
});

test('cells and counters use tabular figures, running text does not', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(1));
  await signIn(page, user);
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  const tabular = (element: Locator) => expect(element).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await tabular(firstRow(tableOf(page, 'Serial Data')).getByRole('cell').nth(0));
  for (const percent of await page.getByText('100%', { exact: true }).all()) await tabular(percent);
  const label = page.getByText('Auto-refresh', { exact: true });
  const [drawn, natural] = await runOn<[number, number]>(
    label,
    `const range = document.createRange();
    range.selectNodeContents(element);
    const drawn = range.getBoundingClientRect().width;
    element.style.fontVariantNumeric = 'normal';
    return [drawn, range.getBoundingClientRect().width];`,
  );
  expect(drawn).toBe(natural);
});

test('columns are hidden, moved, widened and pinned, rows are made lower, and all is remembered', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(12));
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const results = tableOf(page, 'Serial Data');
  const heads = results.getByRole('columnheader');
  const names = ['No', 'Serial Number', 'Type', 'Status', 'Purchase Date', 'Warranty', 'Coverage Start'];
  await expect(heads).toHaveText([...names, 'Coverage End', 'Expires In', 'Fetched At']);
  await page.getByRole('button', { name: 'Table settings' }).click();
  const settings = page.getByRole('dialog', { name: 'Table settings' });
  await expect(settings.getByLabel('Serial Number', { exact: true })).toBeDisabled();
  await settings.getByLabel('Purchase Date', { exact: true }).uncheck();
  await settings.getByRole('button', { name: 'Move Warranty left' }).click();
  await settings.getByRole('button', { name: 'Move Warranty left' }).click();
  const widthOf = (head: Locator) => runOn<number>(head, 'return element.offsetWidth;');
  const type = results.getByRole('columnheader', { name: 'Type' });
  for (let count = 0; count < 11; count += 1) {
    await settings.getByRole('button', { name: 'Make Type wider' }).click();
  }
  await expect.poll(() => widthOf(type)).toBeGreaterThan(230);
  await settings.getByRole('button', { name: 'Keep Type in sight' }).click();
  await settings.getByLabel('Compact').check();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(settings).toBeHidden();

  await page.reload();
  await expect(heads).toHaveText([
    'No',
    'Serial Number',
    'Type',
    'Warranty',
    'Status',
    'Coverage Start',
    'Coverage End',
    'Expires In',
    'Fetched At',
  ]);
  await expect.poll(() => widthOf(type)).toBeGreaterThan(230);
  await expect.poll(() => runOn<number>(firstRow(results), 'return element.offsetHeight;')).toBe(28);
  await page.setViewportSize({ width: 820, height: 900 });
  await scrollToEnd(results);
  await expectWhole(type);

  await page.getByRole('button', { name: 'Table settings' }).click();
  await settings.getByRole('button', { name: 'Reset to default' }).click();
  await expect(heads).toHaveText([...names, 'Coverage End', 'Expires In', 'Fetched At']);
});

test('one serial is copied by its button and several by their boxes, also by keyboard', async ({
  page,
  context,
  user,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const imeis = makeImeis(12);
  const ticket = await uploadAndFinish(user, imeis);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}&size=50`);
  const results = tableOf(page, 'Serial Data');
  await expect(results.getByRole('row')).toHaveCount(13);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await results.getByRole('button', { name: `Copy ${imeis[3]}` }).click();
  await expect.poll(copied).toBe(imeis[3]);
  await expect(page.getByText('Copied!')).toBeVisible();

  await results.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
  await results.getByRole('checkbox', { name: 'Select row 5' }).click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Copy 4 serials' }).click();
  await expect.poll(copied).toBe(imeis.slice(1, 5).join('\n'));
  const html = await page.evaluate<string>(
    `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`,
  );
  expect(html).toContain(`mso-number-format`);
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(page.getByText('4 selected')).toHaveCount(0);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(results.getByRole('row').nth(2)).toBeFocused();
  await page.keyboard.press('c');
  await expect.poll(copied).toBe(imeis[1]);
  await page.keyboard.press('x');
  await expect(results.getByRole('checkbox', { name: 'Select row 2', exact: true })).toBeChecked();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Next row, previous row');
  const singleKeys = help.getByRole('checkbox', { name: 'Single-key shortcuts' });
  await singleKeys.uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  const row = results.getByRole('checkbox', { name: 'Select row 2', exact: true });
  for (const key of ['x', '/', '?']) await page.keyboard.press(key);
  await expect(row).toBeChecked();
  await expect(page.getByRole('searchbox')).not.toBeFocused();
  await expect(help).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await singleKeys.check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await results.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await expect(page.getByRole('button', { name: 'Copy 12 serials' })).toBeVisible();
});

test('a table takes the whole window and shows all columns at 1280 px; forms stay 1,200 px wide', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(2), 'no serial at all!']);
  await signIn(page, user);
  // Beside the open menu there is room for all columns, for the longest reason and for what ends today.
  // Of figures of equal width a 1 is as wide as any other.
  const patch = { state: 'done', coverage_expires: 'Expires today', timestamp: '2026-11-11T04:11:11.000Z' };
  await patchAnswers<{ data: object[] }>(page, '**/api/imei?*', ({ data }) =>
    data.map((row) => Object.assign(row, { timestamp: patch.timestamp }, row === data[0] && patch)),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  const hidden = 'return element.scrollWidth - element.clientWidth;';
  const below = 'return element.scrollHeight - element.clientHeight;';
  for (const [language, title, reason, today, time] of [
    ['id', 'Data Nomor Seri', 'Nomor seri tidak valid', 'Hari ini', '11 Nov 2026 • 11:11'],
    ['en', 'Serial Data', 'Invalid serial number', 'Expires today', 'Nov 11, 2026 • 11:11'],
  ] as const) {
    await page.addInitScript((value) => localStorage.setItem('coverdesk.language', value), language);
    const table = tableOf(page, title);
    for (const [rows, text] of [
      ['', reason],
      ['&state=done', today],
    ] as const) {
      await page.goto(`/dashboard/data?ticket=${ticket}${rows}`);
      const drawn = table.getByRole('cell').getByText(text, { exact: true });
      await expect(drawn).toBeVisible();
      await expect.poll(() => runOn<number>(drawn, hidden), `pixels of "${text}" out of sight`).toBe(0);
      const beside = () => runOn<number>(table.locator('..'), hidden);
      await expect.poll(beside, `pixels beside "${text}"`).toBe(0);
      // In two lines, none of them out of sight.
      const fetched = firstRow(table).getByRole('cell').last();
      await expect(fetched).toHaveText(time);
      await expectWhole(fetched);
      await expect.poll(() => runOn<number>(fetched, below)).toBe(0);
    }
  }
  await expect(page.getByRole('button', { name: 'Collapse sidebar' })).toBeVisible();
  const results = tableOf(page, 'Serial Data');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await expect(firstRow(results).getByRole('cell').first()).toHaveText('1');
  await expect.poll(async () => (await results.boundingBox())?.width).toBeGreaterThan(1600);
  const type = firstRow(results).getByRole('cell').nth(2);
  await expect.poll(() => runOn<number>(type, hidden)).toBe(0);
  await expect.poll(() => runOn<number>(firstRow(results).getByRole('cell').last(), hidden)).toBe(0);
  await expect(firstRow(results).getByRole('cell').last()).toHaveText('Nov 11, 2026 • 11:11');
  const fetched = firstRow(results).getByRole('cell').last();
  await expect.poll(() => runOn<number>(fetched, below), 'pixels of the time below the day').toBe(0);
  await page.goto('/dashboard/upload');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => (await page.getByRole('main').boundingBox())?.width).toBe(1200);
});

test('the first row of results is on the first screen at 1280 px, on Data Management and in the tracker', async ({
  page,
  user,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(1));
  const ticket = await uploadAndFinish(user, [...makeImeis(60), 'no serial at all!']);
  await signIn(page, user);
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of [`/dashboard/data?ticket=${ticket}`, `/dashboard/tracker?ticket=${ticket}`]) {
    await page.goto(path);
    await expect(page.getByRole('button', { name: 'All 61' })).toBeVisible();
    await expect(firstRow(tableOf(page, 'Serial Data'))).toBeInViewport({ ratio: 1 });
  }
  // On phones, the chip of a range of days fits the screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/dashboard/data?ticket=${ticket}&ends_from=2026-11-24&ends_to=2026-12-31`);
  await expect(page.getByRole('button', { name: 'Ends Nov 24, 2026 to Dec 31, 2026' })).toBeInViewport({
    ratio: 1,
  });
});

test('results at 1280 px show model and warranty whole, and cells share one baseline', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(3), 'no serial at all!']);
  await signIn(page, user);
  const long = { type: 'Samsung Galaxy A54 5G', warranty_title: 'Business Protection Plan' };
  await patchAnswers<{ data: { state: string }[] }>(page, '**/api/imei?*', ({ data }) =>
    data.map((row) => Object.assign(row, row.state === 'done' ? long : {})),
  );
  const row = firstRow(tableOf(page, 'Serial Data'));
  const cut =
    'return Math.max(element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight);';
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/dashboard/data?ticket=${ticket}`);
    for (const text of Object.values(long)) {
      await expect.poll(() => runOn<number>(row.getByText(text, { exact: true }), cut)).toBe(0);
    }
  }
  const baselineOf = (cell: Locator) =>
    runOn<number>(
      cell,
      `const mark = element.appendChild(document.createElement('span'));
      mark.style.display = 'inline-block';
      const { bottom } = mark.getBoundingClientRect();
      mark.remove();
      return Math.round(bottom);`,
    );
  const cells = row.getByRole('cell');
  const baseline = await baselineOf(cells.nth(1));
  expect(await baselineOf(cells.last())).toBe(baseline);
  expect(await baselineOf(cells.first().getByRole('button'))).toBe(baseline);
  const box = await row.getByRole('checkbox').boundingBox();
  const middle = await runOn<number>(
    cells.nth(1),
    'const { top, height } = element.getBoundingClientRect(); return top + height / 2;',
  );
  expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - middle)).toBeLessThanOrEqual(1);
});

test('a selection keeps the rows of other pages, and a range never reaches across pages', async ({
  page,
  context,
  user,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const imeis = makeImeis(25);
  const ticket = await uploadAndFinish(user, imeis);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const box = (row: number) => page.getByRole('checkbox', { name: `Select row ${row}`, exact: true });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const next = pages.getByRole('button', { name: 'Next page' });
  await box(2).check();
  await next.press('Enter');
  await expect(box(12)).toBeVisible();
  await pages.getByRole('button', { name: 'Previous page' }).click();
  await box(9).click({ modifiers: ['Shift'] });
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
  await next.press('Enter');
  await box(14).click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected (2 not on this page)')).toBeVisible();
  await expect(box(13)).not.toBeChecked();
  await pages.getByRole('button', { name: 'Previous page' }).click();
  await expect(box(9)).toBeChecked();
  await box(4).click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected (1 not on this page)')).toBeVisible();
  const asked = page.waitForRequest('**/api/imei/download?*');
  await page.getByRole('button', { name: 'Download 4 rows' }).click();
  expect(new URL((await asked).url()).searchParams.get('positions')).toBe('2,4,9,14');

  // The focus stays on the pager at the last page.
  await next.press('Enter');
  await expect(box(11)).toBeVisible();
  await next.press('Enter');
  await expect(box(25)).toBeVisible();
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();

  // Marked and copied by hand, a serial is text to a spreadsheet, too.
  await page.getByText(String(imeis[24]), { exact: true }).selectText();
  await page.keyboard.press('ControlOrMeta+c');
  const html = `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`;
  await expect.poll(() => page.evaluate<string>(html)).toContain('mso-number-format');
  expect(await page.evaluate<string>(html)).toContain(String(imeis[24]));
});

test('a table is printed whole', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(60));
  await signIn(page, user);
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(`/dashboard/data?ticket=${ticket}&size=100`);
  const table = tableOf(page, 'Serial Data');
  await expect(table.getByRole('row')).toHaveCount(61);
  await page.emulateMedia({ media: 'print' });
  const cut =
    'return [element.scrollWidth - element.clientWidth, element.scrollHeight - element.clientHeight];';
  expect(await runOn<number[]>(table.locator('..'), cut)).toEqual([0, 0]);
  await expect(page.getByRole('navigation', { name: 'Menu' })).toBeHidden();
});
