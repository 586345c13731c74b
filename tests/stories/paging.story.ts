import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const size = (page: Page) => page.getByLabel('Rows per page');
const rows = (page: Page) => page.getByRole('main').locator('tbody tr');

test('page, size and search survive a reload, Back goes step by step, and the size is remembered', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(60));
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const range = page.getByText(/^Showing/);
  await pages.getByRole('button', { name: '3' }).click();
  await expect(range).toHaveText('Showing 21 to 30 of 60 entries');
  await pages.getByRole('button', { name: '6' }).click();
  await expect(range).toHaveText('Showing 51 to 60 of 60 entries');
  await page.reload();
  await expect(range).toHaveText('Showing 51 to 60 of 60 entries');
  await page.goBack();
  await expect(range).toHaveText('Showing 21 to 30 of 60 entries');
  await page.goBack();
  await expect(range).toHaveText('Showing 1 to 10 of 60 entries');

  await size(page).selectOption('50');
  await expect(rows(page)).toHaveCount(50);
  await expect(page).toHaveURL(/size=50/);
  await page.goBack();
  await expect(rows(page)).toHaveCount(10);
  await expect(size(page)).toHaveValue('10');
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await expect(rows(page)).toHaveCount(50);
  await size(page).selectOption('10');
  await expect(rows(page)).toHaveCount(10);
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search serial number')).toBeFocused();
  await page.keyboard.type(makeImeis(8)[7] ?? '');
  await expect(rows(page)).toHaveCount(1);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await expect(rows(page)).toHaveCount(10);
});

test('the ticket list remembers its own page size', async ({ page, user, superadmin, signIn }) => {
  const token = await tokenOf(superadmin);
  const order = { data_count: 1, company_code: user.companyCode };
  // More than the smallest page holds: with fewer there is nothing to choose.
  for (let count = 0; count < 11; count += 1) await call('POST', '/tickets', order, token);
  await signIn(page, superadmin);
  await page.goto('/dashboard/tickets');
  await expect(size(page)).toHaveValue('20');
  await size(page).selectOption('50');
  await page.goto('/dashboard/tickets');
  await expect(size(page)).toHaveValue('50');
});
