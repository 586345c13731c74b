import type { Locator, Page } from '@playwright/test';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const account = (page: Page) => page.locator('.account-strip > div');
const lastLogin = /^Last LoginJust now(Before that: \w+ \d+, \d{4} • \d\d:\d\d)?$/;

test('a standard user has their own menu, marked by exact path, the account, Change Password and Logout', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  await expect(menu(page).getByRole('link')).toHaveText([
    'Home',
    'Upload Data',
    'Data Management',
    'Devices',
    'Expiry watch',
    'Check again',
    'Tracker',
  ]);
  await expect(account(page)).toHaveText(['Account TypeUserStandard User', lastLogin, 'StatusActive']);
  await expect(sidebar(page).getByText(user.email)).toBeVisible();
  await expect(sidebar(page).getByText('User', { exact: true })).toBeVisible();
  const initial = user.email.charAt(0).toUpperCase();
  await expect(sidebar(page).getByText(initial, { exact: true })).toBeVisible();

  const current = sidebar(page).locator('[aria-current="page"]');
  await menu(page).getByRole('link', { name: 'Data Management' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data$/);
  await expect(current).toHaveText(['Data Management']);
  const bar = page.getByRole('banner');
  const place = bar.getByText('Data Management', { exact: true });
  const search = bar.getByRole('button', { name: 'Search or jump to' });
  const leftOf = async (element: Locator) => (await element.boundingBox())?.x ?? 0;
  await expect(place).toBeVisible();
  expect(await leftOf(place)).toBeLessThan(await leftOf(search));
  expect(await leftOf(search)).toBeLessThan(await leftOf(bar.getByLabel('Theme')));
  await goWithin(page, '/dashboard/data/deeper');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(current).toHaveCount(0);

  const width = async () => (await sidebar(page).boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await expect.poll(width).toBeLessThan(100);
  await expect(menu(page).getByRole('link', { name: 'Tracker' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Expand sidebar' }).click();

  await sidebar(page).getByRole('link', { name: 'Change Password' }).click();
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(current).toHaveText(['Change Password']);
  await sidebar(page).getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a superadmin has their own menu, and the revenue on Home', async ({ page, superadmin, signIn }) => {
  await signIn(page, superadmin);
  await page.goto('/dashboard');
  await expect(menu(page).getByRole('link')).toHaveText([
    'Home',
    'Clients',
    'Tickets',
    'Devices',
    'Expiry watch',
    'Check again',
    'Tracker',
    'Proxy Management',
    'Upload Proxies',
    'Sources',
    'Users',
    'Register User',
    'Statements',
    'Invoices',
    'Webhooks',
    'Audit Log',
    'Status',
  ]);
  await expect(account(page)).toHaveText([
    'Account TypeSuper AdminAdministrator',
    lastLogin,
    'StatusActive',
    /^Revenue of \w+ \d{4}Rp [\d.]+$/,
  ]);
  await expect(sidebar(page).getByText('Superadmin', { exact: true })).toBeVisible();
  await expect(sidebar(page).getByText(superadmin.email)).toBeVisible();
});

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
  await expect(page.getByRole('row', { name: /Belum diaktifkan|Sudah diaktifkan/ }).first()).toBeVisible();
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

test('Back returns to the scroll position, also after minutes; a new screen begins at its top and heading', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(60));
  await signIn(page, user);
  await page.clock.install();
  await page.goto(`/dashboard/data?ticket=${ticket}&size=50`);
  await expect(page.getByRole('row', { name: /\d{15}/ })).toHaveCount(50);
  await page.evaluate(`scrollTo(0, 200), document.querySelector('.table-scroll').scrollTo(0, 300)`);
  const scrolled = () =>
    page.evaluate<number[]>(`[scrollY, document.querySelector('.table-scroll')?.scrollTop]`);
  await expect.poll(scrolled).toEqual([200, 300]);
  const heading = page.getByRole('heading', { level: 1 });
  await menu(page).getByRole('link', { name: 'Tracker' }).click();
  await expect(heading).toHaveText('Tracker');
  await expect(heading).toBeFocused();
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
  // By now the cache has dropped the first screen's answers, so they are read again.
  await page.clock.runFor(5 * 60_000);
  await page.goBack();
  await expect(heading).toHaveText('Data Management');
  await expect.poll(scrolled).toEqual([200, 300]);
  await page.goForward();
  await expect(heading).toHaveText('Tracker');
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
});

test('narrow screens have the menu in a drawer that gives the focus back, and phones a bottom bar', async ({
  page,
  user,
  signIn,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, user);
  await page.goto('/dashboard');
  const opener = page.getByRole('button', { name: 'Open menu' });
  await opener.click();
  const drawer = page.getByRole('dialog', { name: 'Main menu' });
  const close = drawer.getByRole('button', { name: 'Close menu' });
  await expect(close).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(close).not.toBeFocused();
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(close).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await drawer.getByRole('link', { name: 'Tracker' }).click();
  await expect(page).toHaveURL(/\/dashboard\/tracker$/);
  await expect(drawer).toBeHidden();
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);

  // A phone's controls are at least 44 pixels high.
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Quick menu' });
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Upload Data', 'Data', 'Tracker']);
  await expect(bar.getByRole('link', { name: 'Data Management', exact: true })).toBeVisible();
  await expect(bar.locator('[aria-current="page"]')).toHaveText(['Tracker']);
  await bar.getByRole('link', { name: 'Home' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('banner').getByText('Coverdesk')).toBeVisible();
  const search = page.getByRole('banner').getByRole('button', { name: 'Search or jump to' });
  const searchEnd = async () => ((box) => (box?.x ?? 0) + (box?.width ?? 0))(await search.boundingBox());
  await expect.poll(searchEnd, 'the search is at the right end').toBe(378);
  await bar.getByRole('link', { name: 'Upload Data' }).click();
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeVisible();
  const low = await page.evaluate<string[]>(`[...document.querySelectorAll('button, select, nav a')]
    .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
    .map((control) => control.textContent || control.ariaLabel)`);
  expect(low).toEqual([]);
  await opener.click();
  await expect(drawer).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();

  // The hidden skip link casts no shadow, and leads to the content.
  await page.setViewportSize({ width: 820, height: 600 });
  await expect(opener).toBeVisible();
  const link = page.getByRole('link', { name: 'Skip to content' });
  await expect(link).not.toBeInViewport();
  await expect(link).toHaveCSS('box-shadow', 'none');
  await link.focus();
  await expect(link).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('parts of the app that cannot be loaded', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('parts of the app that are late or cannot be loaded are announced, and the page stays', async ({
    page,
    user,
    signIn,
  }) => {
    const sorry = 'This page could not be shown. Please try again.';
    const heading = page.getByRole('heading', { level: 1 });
    await failWordless(page, '**/assets/{palette-dialog,forgot-password-page}-*.js');
    await page.goto('/forgot-password');
    await expect(page.getByRole('alert')).toHaveText(sorry);

    await signIn(page, user);
    await failWordless(page, '**/assets/screens-*.js');
    await page.goto('/dashboard');
    await expect(page.getByRole('alert')).toHaveText(sorry);
    await page.unroute('**/assets/screens-*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(heading).toBeVisible();

    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('alert')).toHaveText('This could not be loaded. Please try again.');
    await expect(heading).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    const palette = page.getByRole('dialog', { name: 'Search or jump to' });
    await expect(palette).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette).toBeHidden();

    await settled(page);
    const code = await holdRequests(page, 'GET', /\/assets\/tokens-page-.*\.js/);
    await page.getByRole('link', { name: 'API tokens' }).click();
    const loading = page.getByRole('banner').getByText('Loading…');
    await expect(loading).toBeAttached();
    code.letGo();
    await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeFocused();
    await expect(loading).toHaveCount(0);
  });
});
