import type { Locator, Page } from '@playwright/test';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });

test('a standard user has their own menu, marked by exact path', async ({ page, user, signIn }) => {
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
  const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
  await expect(sidebar.getByText(user.email)).toBeVisible();
  await expect(sidebar.getByText('User', { exact: true })).toBeVisible();
  await expect(sidebar.getByText(user.email.charAt(0).toUpperCase(), { exact: true })).toBeVisible();

  await menu(page).getByRole('link', { name: 'Data Management' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data$/);
  await expect(menu(page).locator('[aria-current="page"]')).toHaveText(['Data Management']);
  await page.goto('/dashboard/data/deeper');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(menu(page).locator('[aria-current="page"]')).toHaveCount(0);
});

test('a superadmin has their own menu', async ({ page, superadmin, signIn }) => {
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
  await expect(page.getByRole('complementary').getByText('Superadmin', { exact: true })).toBeVisible();
});

test('the sidebar is expanded at first, collapses, and stays so', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  const width = async () => (await page.getByRole('complementary').boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(200);
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await expect.poll(width).toBeLessThan(100);
  await expect(menu(page).getByRole('link', { name: 'Tracker' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
});

test('each role sees why it has no access to the other’s screens', async ({ page, user, signIn }) => {
  await signIn(page, user);
  const denied: Record<string, string> = {
    '/dashboard/tickets': 'Only super administrators can manage tickets.',
    '/dashboard/register': 'Only super administrators can register new users.',
    '/dashboard/clients': 'Only super administrators can access this page.',
    '/dashboard/proxies': 'Only super administrators can access this page.',
    '/dashboard/upload-proxies': 'Only super administrators can access this page.',
    '/dashboard/sources': 'Only super administrators can access this page.',
    '/dashboard/audit': 'Only administrators can access this page.',
  };
  for (const [path, reason] of Object.entries(denied)) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText(reason, { exact: true })).toBeVisible();
  }
});

test('the hidden skip link casts no shadow, and leads to the content when focused', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  await page.setViewportSize({ width: 820, height: 600 });
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible();
  const link = page.getByRole('link', { name: 'Skip to content' });
  await expect(link).not.toBeInViewport();
  await expect(link).toHaveCSS('box-shadow', 'none');
  await link.focus();
  await expect(link).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test('a superadmin neither uploads nor manages data', async ({ page, superadmin, signIn }) => {
  await signIn(page, superadmin);
  for (const path of ['/dashboard/upload', '/dashboard/data']) {
    await page.goto(path);
    await expect(page.getByText('This feature is only available for standard users.')).toBeVisible();
  }
});

test('the language and the theme are switched and remembered', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  await page.getByLabel('Language').focus();
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByRole('navigation', { name: 'Menu utama' })).toContainText('Beranda');
  await expect(page.locator('html')).toHaveAttribute('lang', 'id');
  await expect(page.getByLabel('Bahasa')).toBeFocused();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Keluar' })).toBeVisible();
  await page.getByLabel('Bahasa').selectOption('en');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();

  await page.getByLabel('Theme').selectOption('dark');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual([
    'coverdesk.language',
    'coverdesk.theme',
    'token',
  ]);
});

test('switching language and theme keeps what was typed, the scroll position and a running download', async ({
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
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByRole('columnheader', { name: 'Nomor Seri' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Belum diaktifkan|Sudah diaktifkan/ }).first()).toBeVisible();
  expect(await scrolled()).toBe(before);
  const saved = page.waitForEvent('download');
  download.letGo();
  expect((await saved).suggestedFilename()).toMatch(/\.json$/);

  await page.goto('/dashboard/change-password');
  const field = page.locator('input[autocomplete="current-password"]');
  await field.fill('half a password');
  await page.getByLabel('Bahasa').selectOption('en');
  await expect(page.getByLabel('Current Password')).toHaveValue('half a password');
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
  // What was read for the screen before is forgotten by now, and read again.
  await page.clock.runFor(5 * 60_000);
  await page.goBack();
  await expect(heading).toHaveText('Data Management');
  await expect.poll(scrolled).toEqual([200, 300]);
  await page.goForward();
  await expect(heading).toHaveText('Tracker');
  await expect.poll(() => page.evaluate('scrollY')).toBe(0);
});

test('on a narrow screen the menu is a drawer that gives the focus back', async ({ page, user, signIn }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, user);
  await page.goto('/dashboard');
  const opener = page.getByRole('button', { name: 'Open menu' });
  await opener.click();
  const drawer = page.getByRole('dialog', { name: 'Main menu' });
  await expect(drawer.getByRole('link', { name: 'Tracker' })).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(drawer.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Tab');
  await expect(drawer.getByRole('button', { name: 'Close menu' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();
  await opener.click();
  await drawer.getByRole('link', { name: 'Tracker' }).click();
  await expect(page).toHaveURL(/\/dashboard\/tracker$/);
  await expect(drawer).toBeHidden();
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(overflow).toBeLessThanOrEqual(0);
});

for (const role of ['user', 'superadmin'] as const) {
  test(`a ${role} finds the kind of account on Home, Change Password and Logout in the sidebar`, async ({
    page,
    user,
    superadmin,
    signIn,
  }) => {
    const account = role === 'user' ? user : superadmin;
    await signIn(page, account);
    await page.goto('/dashboard');
    const kind = role === 'user' ? 'UserStandard User' : 'Super AdminAdministrator';
    await expect(page.locator('.account-strip > div')).toHaveText([
      `Account Type${kind}`,
      /^Last LoginJust now(Before that: \w+ \d+, \d{4} • \d\d:\d\d)?$/,
      'StatusActive',
      ...(role === 'user' ? [] : [/^Revenue of \w+ \d{4}Rp [\d.]+$/]),
    ]);
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(sidebar.getByText(account.email)).toBeVisible();
    await sidebar.getByRole('link', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(/\/dashboard\/change-password$/);
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Change Password']);
    await sidebar.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
}

test.describe('failures without any words of the server', () => {
  test.use({ allowedComplaints: [/status of (500|404|400)/] });

  test('an app that cannot be loaded after sign-in says so and offers Retry', async ({
    page,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    await page.route('**/assets/screens-*.js', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/dashboard');
    await expect(page.getByRole('alert')).toHaveText('This page could not be shown. Please try again.');
    await page.unroute('**/assets/screens-*.js');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  });

  test('parts of the app that cannot be loaded show a message, and the page stays', async ({
    page,
    user,
    signIn,
  }) => {
    await page.route('**/assets/{palette-dialog,forgot-password-page}-*.js', (route) =>
      route.fulfill({ status: 500, body: '' }),
    );
    await page.goto('/forgot-password');
    await expect(page.getByRole('alert')).toHaveText('This page could not be shown. Please try again.');
    await signIn(page, user);
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('alert')).toHaveText('This could not be loaded. Please try again.');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible();
  });
});

test('the top bar has the location left, the search in the middle, activity and switches right', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const bar = page.getByRole('banner');
  const leftOf = async (element: Locator) => (await element.boundingBox())?.x ?? 0;
  const search = bar.getByRole('button', { name: 'Search or jump to' });
  const place = bar.getByText('Data Management', { exact: true });
  await expect(place).toBeVisible();
  expect(await leftOf(place)).toBeLessThan(await leftOf(search));
  expect(await leftOf(search)).toBeLessThan(await leftOf(bar.getByLabel('Theme')));
});

test('a phone has the main screens in a bottom bar, 44 pixels each', async ({ page, user, signIn }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, user);
  await page.goto('/dashboard');
  await expect(page.getByRole('banner').getByText('Coverdesk')).toBeVisible();
  const search = page.getByRole('banner').getByRole('button', { name: 'Search or jump to' });
  const searchEnd = async () => ((box) => (box?.x ?? 0) + (box?.width ?? 0))(await search.boundingBox());
  await expect.poll(searchEnd, 'the search is at the right end').toBe(378);
  const bar = page.getByRole('navigation', { name: 'Quick menu' });
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Upload Data', 'Data', 'Tracker']);
  await expect(bar.getByRole('link', { name: 'Data Management', exact: true })).toBeVisible();
  await bar.getByRole('link', { name: 'Tracker' }).click();
  await expect(page).toHaveURL(/\/dashboard\/tracker$/);
  await expect(bar.locator('[aria-current="page"]')).toHaveText(['Tracker']);
  await page.goto('/dashboard/upload');
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeVisible();
  const low = await page.evaluate<string[]>(`[...document.querySelectorAll('button, select, nav a')]
    .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 44)
    .map((control) => control.textContent || control.ariaLabel)`);
  expect(low).toEqual([]);
  await bar.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Main menu' })).toBeVisible();
});

test('a screen whose code is long on its way is announced, and then shown', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard');
  await settled(page);
  const code = await holdRequests(page, 'GET', /\/assets\/tokens-page-.*\.js/);
  await page.getByRole('link', { name: 'API tokens' }).click();
  const loading = page.getByRole('banner').getByText('Loading…');
  await expect(loading).toBeAttached();
  code.letGo();
  await expect(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeFocused();
  await expect(loading).toHaveCount(0);
});
