import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, deactivateCompany, tokenOf } from '#tests/support/stories/api.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { followMenu, uploadAndFinish, waitUntilRegistered } from '#tests/support/stories/upload.ts';

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

test('a standard user sees their figures, cards and links and the latest results, and the values of charts by keyboard', async ({
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
  // An invalid cell and a serial that no source knows are final: they need no decision.
  await expect(attention).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Running tickets' })).toHaveCount(0);
  const figures = page.getByRole('list', { name: 'Key figures' }).getByRole('link');
  await expect(figures.and(page.getByRole('link', { name: /^(Covered|Ending|Unactivated)/ }))).toHaveCount(3);
  const last = page.getByRole('region', { name: 'Last tickets' });
  await expect(last.getByRole('listitem')).toHaveCount(1);
  await expect(last).toContainText('Completed');
  const chart = page.getByRole('figure', { name: 'Devices by activation' });
  const bars = chart.getByRole('link').or(chart.getByRole('img'));
  await expect(bars).toHaveCount(3);
  await bars.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(bars.nth(1)).toBeFocused();
  await expect(bars.nth(1)).toHaveAccessibleName(/^Unactivated: \d/);
  await expect
    .poll(async () => (await page.locator('dl', { hasText: 'Account Type' }).boundingBox())?.height)
    .toBeLessThan(40);
  await deactivateCompany(user);
  await page.reload();
  await expect(notice).toBeVisible();
  await last
    .getByRole('listitem')
    .filter({ hasText: `#${number}` })
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/tickets/${number}$`));
});

const languages = [
  {
    language: 'en',
    activation: 'Devices by activation',
    months: 'Coverage ending by month',
    home: 'Home',
  },
  {
    language: 'id',
    activation: 'Perangkat menurut aktivasi',
    months: 'Garansi berakhir per bulan',
    home: 'Beranda',
  },
];

test('each device figure of Home leads to as many devices, also after a second check and without results', async ({
  page,
  user,
  signIn,
}) => {
  const serials = knownSerials(40);
  const tickets = [await uploadAndFinish(user, serials), await uploadAndFinish(user, serials)];
  for (const serial of serials) await waitUntilRegistered(user, serial);
  const token = await tokenOf(user);
  for (const ticket of tickets) await call('DELETE', `/imei/${ticket}`, undefined, token);
  await signIn(page, user);
  for (const { language, activation, months, home } of languages) {
    await page.goto('/dashboard');
    await page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
    const linksOf = (figure: string) => page.getByRole('figure', { name: figure }).getByRole('link');
    await expect(linksOf(months).first()).toBeVisible();
    await expectAccessible(page);
    await takePictures(page, allWidths);
    let activations = 0;
    for (const figure of [activation, months]) {
      const links = await linksOf(figure).count();
      for (let place = 0; place < (figure === activation ? links : 2); place += 1) {
        const link = linksOf(figure).nth(place);
        const count = (await link.getAttribute('aria-label'))?.split(': ').at(-1) ?? '';
        if (figure === activation) activations += Number(count);
        await link.focus();
        await page.keyboard.press('Enter');
        const entries = new RegExp(` (of|dari) ${count} (entries|entri)$`);
        await expect(page.getByRole('status').filter({ hasText: entries })).toBeVisible();
        await followMenu(page, home);
        await expect(linksOf(figure)).toHaveCount(links);
      }
    }
    expect(activations).toBe(serials.length);
  }
});

test('figures of Home and the tracker link to their rows', async ({ page, user, signIn }) => {
  const number = await uploadAndFinish(user, [...makeImeis(60), 'no serial at all!']);
  await signIn(page, user);
  await page.goto('/dashboard');
  const covered = page.getByRole('link', { name: /^Covered devices \d/ });
  await expect(covered).toHaveAttribute('href', '/dashboard/devices?expired=false');
  await page.goto('/dashboard?figure=failed');
  const tickets = page.getByRole('dialog');
  await expect(tickets.getByRole('heading', { name: 'Failed by ticket' })).toBeVisible();
  await expectAccessible(page);
  const ofTicket = tickets.getByRole('link', { name: new RegExp(`^serials.xlsx #${number} `) });
  const count = await ofTicket.locator('> :last-child').textContent();
  await ofTicket.click();
  await expect(page.getByRole('status').filter({ hasText: / of 61 rows?$/ })).toContainText(`${count} of 61`);

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
  const revenue = main.getByRole('link', { name: /^Revenue of \w+ \d{4} Rp [1-9]/ });
  await expect(main.getByRole('link', { name: /^Unpaid invoices Rp/ })).toHaveAttribute(
    'href',
    '/dashboard/invoices?status=issued',
  );
  await expect(main.getByRole('link', { name: /^Running now \d/ })).toHaveAttribute(
    'href',
    '/dashboard/tracker',
  );
  await revenue.click();
  const tickets = page.getByRole('dialog');
  await expect(tickets.getByRole('heading', { name: /^Revenue of .* by ticket$/ })).toBeVisible();
  await tickets
    .getByRole('link', { name: / #\d+ / })
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
