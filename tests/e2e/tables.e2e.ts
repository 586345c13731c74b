import type { Locator, Page } from '@playwright/test';
import { makeImeis } from '#tests/support/devices.ts';
import { makeUser } from './support/api.ts';
import { expectWhole, readMarks, runOn } from './support/painted.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

/** Scrolls a table to its right end. */
const scrollToEnd = (table: Locator) =>
  runOn<void>(table.locator('..'), 'element.scrollLeft = element.scrollWidth;');

const firstRow = (table: Locator) => table.getByRole('row').nth(1);
const tableOf = (page: Page, name: string) => page.getByRole('table', { name });

test('a table: scrolled to its right end, it still shows whose row it is, and the last column', async ({
  page,
  user,
  signIn,
}) => {
  const [imei = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, makeImeis(30));
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const results = tableOf(page, 'Serial Data');
  for (const width of [390, 820, 1280]) {
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
  await scrollToEnd(uploaded);
  await expectWhole(firstRow(uploaded).getByRole('cell').nth(2));
  await expectWhole(firstRow(uploaded).getByRole('cell').last());
});

test('the clients’ table: scrolled to its right end, the name stays uncovered; a menu’s button has three whole dots', async ({
  page,
  superadmin,
  signIn,
}) => {
  const { companyCode } = await makeUser({ company: 'Perusahaan Perseroan Telekomunikasi Nusantara Raya' });
  await signIn(page, superadmin);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/dashboard/clients');
  const clients = page.getByRole('table');
  const row = clients.getByRole('row').filter({ hasText: String(companyCode) });
  await row.scrollIntoViewIfNeeded();
  await scrollToEnd(clients);
  await expectWhole(row.getByRole('cell').first());
  await expectWhole(row.getByRole('cell').last());
  const dots = await readMarks(page, row.getByRole('button'));
  expect(dots).toHaveLength(3);
  expect(new Set(dots).size, `the widths of its dots: ${dots}`).toBe(1);
});

test('tabular figures: in cells and counters, not in running text, whose hyphens they would widen', async ({
  page,
  user,
  signIn,
}) => {
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
