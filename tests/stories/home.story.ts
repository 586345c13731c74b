import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { deactivateCompany } from '#tests/support/stories/api.ts';
import { followMenu, uploadAndFinish } from '#tests/support/stories/upload.ts';

test('the greeting and the date of an open Home follow the clock over midnight', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.clock.install({ time: new Date('2026-03-04T23:58:30+07:00') });
  await page.goto('/dashboard');
  const greeting = page.getByRole('heading', { level: 1 });
  await expect(greeting).toHaveText(`Good evening, ${user.name}`);
  await expect(page.getByText('Wednesday, March 4, 2026', { exact: true })).toBeVisible();
  await page.clock.runFor('02:30');
  await expect(greeting).toHaveText(`Good morning, ${user.name}`);
  await expect(page.getByText('Thursday, March 5, 2026', { exact: true })).toBeVisible();
});

test('a standard user sees their cards and links, failures and the latest results, and the values of charts by keyboard', async ({
  page,
  user,
  signIn,
}) => {
  const number = await uploadAndFinish(user, [...makeImeis(3), 'no serial at all!']);
  await signIn(page, user);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  for (const text of ['Account Type', 'Standard User', 'Last Login', 'Just now', 'Status', 'Active']) {
    await expect(main.getByText(text, { exact: true })).toBeVisible();
  }
  // It is the first sign-in, whose token the change of the password has renewed.
  await expect(main.getByText(/^Before that/)).toHaveCount(0);
  const notice = main.getByText('Your company is Inactive');
  await expect(notice).toHaveCount(0);
  const quick = main.getByRole('region', { name: 'Quick links' });
  for (const [name, path] of [
    ['Upload Data', '/dashboard/upload'],
    ['Data Management', '/dashboard/data'],
    ['Tracker', '/dashboard/tracker'],
  ] as const) {
    await expect(quick.getByRole('link', { name })).toHaveAttribute('href', path);
  }
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('listitem').filter({ hasText: `Ticket ${number}` })).toContainText(
    /[1-4] rows? failed/,
  );
  await expect(page.getByRole('region', { name: 'Running tickets' })).toContainText('Nothing is running.');
  const last = page.getByRole('region', { name: 'Last tickets' });
  await expect(last.getByRole('listitem')).toHaveCount(1);
  await expect(last).toContainText('Completed');
  const bars = page.getByRole('figure', { name: 'Devices by activation' }).locator('.bar');
  await expect(bars).toHaveCount(4);
  await bars.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(bars.nth(1)).toBeFocused();
  await expect(bars.nth(1)).toHaveAccessibleName(/^Unactivated: \d/);
  await expect
    .poll(async () => (await page.locator('.account-strip').boundingBox())?.height)
    .toBeLessThan(40);
  for (const boxes of [page.locator('.now-panel'), page.locator('.figure-charts > .panel')]) {
    const heights = async () => (await boxes.all()).map(async (box) => (await box.boundingBox())?.height);
    await expect.poll(async () => new Set(await Promise.all(await heights())).size).toBe(1);
  }
  await deactivateCompany(user);
  await page.reload();
  await expect(notice).toBeVisible();
  await last.getByRole('link', { name: `Ticket ${number}` }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/tickets/${number}$`));
});

test('figures of Home and the tracker link to their rows', async ({ page, user, signIn }) => {
  const number = await uploadAndFinish(user, [...makeImeis(60), 'no serial at all!']);
  await signIn(page, user);
  await page.goto('/dashboard');
  const failed = page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('link', { name: /rows? failed$/ });
  await expect(failed).toHaveAttribute('href', `/dashboard/data?ticket=${number}&state=failed`);

  const tickets = page.getByRole('dialog');
  const ofTicket = tickets.getByRole('link', { name: `Ticket ${number}` });
  const found = page.getByRole('status').filter({ hasText: / of 61 rows?$/ });
  const activated = page.getByRole('link', { name: /^Activated: [1-9]/ });
  const count = (await activated.getAttribute('aria-label'))?.replace(/\D/g, '');
  await activated.focus();
  await page.keyboard.press('Enter');
  await expect(tickets.getByRole('heading', { name: 'Activated by ticket' })).toBeVisible();
  await expect(ofTicket).toContainText(`${count}`);
  await expectAccessible(page);
  await ofTicket.click();
  await expect(found).toContainText(`${count} of 61`);

  await followMenu(page, 'Home');
  const month = page.getByRole('figure', { name: 'Coverage ending by month' }).getByRole('link').first();
  const [name, devices] = ((await month.getAttribute('aria-label')) ?? '').split(': ');
  await month.click();
  await expect(tickets.getByRole('heading', { name: `Coverage ending in ${name} by ticket` })).toBeVisible();
  await ofTicket.click();
  await expect(found).toContainText(`${devices} of 61`);
  const between = page.getByRole('button', { name: /^Ends \w+ \d+, \d{4} to / });
  await expect(between).toHaveAttribute('aria-pressed', 'true');
  await between.click();
  await expect(between).toHaveCount(0);
  await expect(page).toHaveURL(`/dashboard/data?ticket=${number}`);

  await followMenu(page, 'Tracker');
  const row = page.getByRole('table', { name: 'All Tickets' }).getByRole('row').filter({ hasText: number });
  await expect(row.getByRole('link', { name: /^[1-9]/ })).toHaveAttribute(
    'href',
    `/dashboard/data?ticket=${number}&state=failed`,
  );
});

test('a superadmin sees their cards and links, and the revenue of the month with the tickets that bring it', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(2));
  await signIn(page, superadmin);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  await expect(main.getByText('Super Admin', { exact: true })).toBeVisible();
  await expect(main.getByText('Administrator', { exact: true })).toBeVisible();
  const links = main.getByRole('region', { name: 'Quick links' }).getByRole('link');
  const readPaths = () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  await expect
    .poll(readPaths)
    .toEqual([
      '/dashboard/tickets',
      '/dashboard/clients',
      '/dashboard/proxies',
      '/dashboard/upload-proxies',
      '/dashboard/register',
    ]);
  const revenue = page
    .locator('.account-strip > div')
    .filter({ hasText: /^Revenue of \w+ \d{4}/ })
    .getByRole('link');
  await expect(revenue).toHaveText(/^Rp [1-9]/);
  await revenue.click();
  const tickets = page.getByRole('dialog');
  await expect(tickets.getByRole('heading', { name: /^Revenue of .* by ticket$/ })).toBeVisible();
  await tickets
    .getByRole('link', { name: /^Ticket \d/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/dashboard\/tickets\/\d+\?view=price$/);
  await expect(page.getByRole('tab', { name: 'Price' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(tickets).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tickets).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard');
});
