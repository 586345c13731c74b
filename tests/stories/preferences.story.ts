import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test('language and theme are remembered; switching them keeps what was typed, the scroll position and a running download', async ({
  page,
  user,
  signIn,
}) => {
  await page.goto('/login');
  await page.getByLabel('Email').fill('half@an');
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByLabel('Email')).toHaveValue('half@an');
  await page.getByLabel('Bahasa').selectOption('en');

  const ticket = await uploadAndFinish(user, makeImeis(60));
  await signIn(page, user);
  const download = await holdRequests(page, 'GET', '**/api/imei/download*');
  await page.goto(`/dashboard/tracker?ticket=${ticket}&size=50`);
  await expect(page.getByRole('row', { name: /\d{15}/ })).toHaveCount(50);
  await page.getByRole('button', { name: 'JSON (.json)' }).click();
  await page.evaluate('scrollTo(0, 500)');
  const scrolled = () => page.evaluate<number>('scrollY');
  const before = await scrolled();
  expect(before).toBeGreaterThan(100);
  await page.getByRole('button', { name: /^Search or jump/ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Language')).toBeFocused();
  expect(await scrolled()).toBe(before);
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByRole('columnheader', { name: 'Nomor Seri' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Aktif|Belum aktif/ }).first()).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Menu utama' })).toContainText('Beranda');
  await expect(page.getByLabel('Bahasa')).toBeFocused();
  expect(await scrolled()).toBe(before);
  const saved = page.waitForEvent('download');
  download.letGo();
  expect((await saved).suggestedFilename()).toMatch(/\.json$/);

  await page.goto('/dashboard/change-password');
  await expect(page.getByRole('button', { name: 'Keluar' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual([
    'coverdesk.language',
    'coverdesk.theme',
    'token',
  ]);
  const field = page.locator('input[autocomplete="current-password"]');
  await field.fill('half a password');
  await page.getByLabel('Bahasa').selectOption('en');
  await expect(page.getByLabel('Current Password')).toHaveValue('half a password');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
});
