import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' });
const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });
const account = (page: Page) => page.getByRole('main').locator('dl > div');
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
    'Uploads',
    'Data Management',
    'Tracker',
    'Devices',
    'Expiry watch',
    'Check again',
  ]);
  await expect(menu(page).getByRole('list')).toHaveCount(1);
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
  const groups = {
    Work: ['Home', 'Tickets', 'Tracker', 'Devices', 'Expiry watch', 'Check again'],
    Customers: ['Clients', 'Users', 'Register User', 'Statements', 'Invoices'],
    System: ['Sources', 'Proxy Management', 'Upload Proxies', 'Webhooks', 'Audit Log', 'Status'],
  };
  for (const [name, entries] of Object.entries(groups)) {
    const group = menu(page).getByRole('list', { name, exact: true });
    await expect(group.getByRole('link')).toHaveText(entries);
    await expect(menu(page).getByText(name, { exact: true })).toBeVisible();
  }
  await expect(menu(page).getByRole('list')).toHaveCount(3);
  await expect(account(page)).toHaveText(['Account TypeSuper AdminAdministrator', lastLogin, 'StatusActive']);
  await expect(
    page.getByRole('main').getByRole('link', { name: /^Revenue of \w+ \d{4} Rp [\d.]+$/ }),
  ).toBeVisible();
  await expect(sidebar(page).getByText('Superadmin', { exact: true })).toBeVisible();
  await expect(sidebar(page).getByText(superadmin.email)).toBeVisible();

  // The whole menu fits a laptop's screen. On a lower one it scrolls, and the foot stays in sight.
  const card = sidebar(page).getByRole('button', { name: superadmin.email });
  const foot = [
    sidebar(page).getByRole('link', { name: 'Change Password' }),
    sidebar(page).getByRole('button', { name: 'Logout' }),
  ];
  for (const height of [800, 560]) {
    await page.setViewportSize({ width: 1280, height });
    for (const entry of foot) await expect(entry).toBeInViewport({ ratio: 1 });
    const hidden = () => menu(page).evaluate((nav) => nav.scrollHeight - nav.clientHeight);
    if (height === 800) await expect.poll(hidden).toBeLessThanOrEqual(0);
    else await expect.poll(hidden).toBeGreaterThan(0);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(sidebar(page).getByRole('link', { name: 'API tokens' })).toHaveCount(0);
  await card.click();
  await expect(card).toHaveAttribute('aria-expanded', 'true');
  for (const entry of foot) await expect(entry).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await sidebar(page).getByRole('link', { name: 'Second factor' }).click();
  await expect(page).toHaveURL(/\/dashboard\/second-factor$/);
  await expect(sidebar(page).locator('[aria-current="page"]')).toHaveText(['Second factor']);
  await sidebar(page).getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');

  // The screens that list what another screen adds lead there.
  await menu(page).getByRole('link', { name: 'Proxy Management' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Upload Proxies' }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/upload-proxies$/);
  await menu(page).getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('main').getByRole('link', { name: 'Register User' }).click();
  await expect(page).toHaveURL(/\/dashboard\/register$/);
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
