import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { deviceOf } from '#features/sources/server/sandbox/devices.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { signInByApi } from '#tests/support/stories/api.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import {
  followMenu,
  sheetFile,
  uploadAndFinish,
  waitUntilRegistered,
} from '#tests/support/stories/upload.ts';

type Action = () => Promise<unknown>;

/** Does a task from Home, in three actions at most. */
async function doTask(page: Page, ...actions: Action[]): Promise<void> {
  expect(actions.length).toBeLessThanOrEqual(3);
  await goWithin(page, '/dashboard');
  // Once this is there the rows of Home are, and shortcuts are listened for.
  await expect(page.getByRole('region', { name: 'Last tickets' }).getByRole('link').first()).toBeVisible();
  for (const act of actions) await act();
}

test('each task of a user takes at most three actions from Home', async ({ page, user, signIn }) => {
  const serials = knownSerials(3);
  const [first = ''] = serials;
  await uploadAndFinish(user, [...serials, first, 'no serial at all!']);
  await waitUntilRegistered(user, first);
  await signIn(page, user);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });
  const openData = () => main.getByRole('link', { name: 'Data Management' }).click();

  // Find one IMEI.
  await doTask(
    page,
    () => page.keyboard.press('Control+k'),
    async () => {
      await palette.getByRole('combobox').fill(first);
      await expect(palette.getByRole('option', { name: first })).toBeVisible();
    },
    () => page.keyboard.press('Enter'),
  );
  await expect(
    page.getByRole('dialog', { name: first }).getByRole('heading', { name: 'History' }),
  ).toBeVisible();

  // Find the devices whose coverage ends within 30 days.
  const soon = page.getByRole('button', { name: /^Ends within 30 days/ });
  await doTask(page, openData, () => soon.click());
  await expect(soon).toHaveAttribute('aria-pressed', 'true');

  // Download the activated rows alone, as a sheet.
  const file = page.waitForEvent('download');
  await doTask(
    page,
    openData,
    () => page.getByRole('button', { name: 'Download Data' }).click(),
    () => page.getByRole('dialog').getByRole('button', { name: 'Active Only', exact: true }).click(),
  );
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);

  // See which cells were invalid.
  await doTask(
    page,
    () => page.getByRole('region', { name: 'Last tickets' }).getByRole('link').first().click(),
    () => page.getByRole('tab', { name: 'Import report' }).click(),
  );
  await expect(page.getByText('3 valid · 1 invalid · 1 duplicate', { exact: true })).toBeVisible();
});

test('a report and a check of 30 of 100 devices take two or three actions from Home', async ({
  page,
  user,
  signIn,
}) => {
  const known = knownSerials(400);
  const unactivated = known.filter((serial) => deviceOf(serial)?.activated === false).slice(0, 30);
  const activated = known.filter((serial) => deviceOf(serial)?.activated).slice(0, 70);
  const serials = [...unactivated, ...activated];
  const latest = await uploadAndFinish(user, serials);
  for (const serial of serials) await waitUntilRegistered(user, serial);
  await signIn(page, user);
  await page.goto('/dashboard');
  const main = page.getByRole('main');

  // A ticket's report as Excel.
  const file = page.waitForEvent('download');
  await doTask(
    page,
    () => followMenu(page, 'Uploads'),
    () => main.getByRole('row').nth(1).getByRole('button', { name: 'Download the results of' }).click(),
  );
  expect((await file).suggestedFilename()).toMatch(new RegExp(`^imei_${latest}_.*\\.xlsx$`));

  // Check the 30 devices again that were not activated.
  await doTask(
    page,
    () => main.getByRole('link', { name: /^Unactivated devices/ }).click(),
    async () => {
      await expect(main.getByRole('row')).toHaveCount(1 + 30);
      await main.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
    },
    () =>
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Check again' }).click(),
  );
  await page.getByRole('link', { name: /^Open ticket/ }).click();
  await expect(main.getByRole('heading', { level: 1, name: /^30 devices checked again #/ })).toBeVisible();
});

test('a sheet is uploaded in three actions from Home, with its preview seen and without scrolling', async ({
  page,
  user,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(1));
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, user);
  await page.goto('/dashboard');
  const imeis = makeImeis(14);
  const cells = ['IMEI', ...imeis.slice(2), ...imeis.slice(2, 3), 'one?', 'two?', 'three?', 'four?'];
  const send = page.getByRole('button', { name: 'Upload File', exact: true });
  const verdict = page.getByText(/^12 to check · 4 to fix · 1 duplicate · Rp 9\.600 · /);
  await doTask(
    page,
    () => page.getByRole('main').getByRole('link', { name: 'Upload Data' }).click(),
    () => page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', cells)),
    async () => {
      await expect(verdict).toBeInViewport({ ratio: 1 });
      await expect(page.getByLabel('Correct cell A15')).toBeInViewport({ ratio: 1 });
      await expect(send).toBeInViewport({ ratio: 1 });
      await expect(send).toHaveAccessibleDescription('12 devices for Rp 9.600');
      expect(await page.evaluate('scrollY')).toBe(0);
      await send.click();
    },
  );
  await expect(page.getByText(/^Successfully imported 16 records\. Ticket: \d+$/)).toBeVisible();
});

for (const role of ['user', 'superadmin'] as const) {
  test(`a report, the devices of 90 days and a deletion take a ${role} two, two and three actions on each width`, async ({
    page,
    user,
    superadmin,
    signIn,
  }) => {
    const serials = knownSerials(60);
    const main = page.getByRole('main');
    const excel = main.getByRole('button', { name: 'Excel (.xlsx)' });
    await signIn(page, role === 'user' ? user : superadmin);
    // Tickets of other stories would push this one out of a superadmin's last tickets.
    await page.route('**/api/tickets/all-progress*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('company_code', String(user.companyCode));
      return route.continue({ url: url.href });
    });
    await page.goto('/dashboard');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const ticket = await uploadAndFinish(user, serials);
      await waitUntilRegistered(user, serials[0] ?? '');
      await page.reload();
      const openTicket = () =>
        main.getByRole('region', { name: 'Last tickets' }).locator(`a[href$="/${ticket}"]`).click();

      const report = page.waitForEvent('download');
      await doTask(page, openTicket, () => excel.click());
      expect((await report).suggestedFilename()).toMatch(new RegExp(`^imei_${ticket}_.*\\.xlsx$`));
      await takePictures(page);

      const devices = page.waitForEvent('download');
      await doTask(
        page,
        () => main.getByRole('link', { name: /within 90 days$/ }).click(),
        () => excel.click(),
      );
      expect((await devices).suggestedFilename()).toMatch(/\.xlsx$/);
      expect(page.url()).toContain('ends_within=90');

      await doTask(
        page,
        openTicket,
        () => main.getByRole('button', { name: 'Delete All' }).click(),
        () => page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click(),
      );
      await expect(page.getByText(`All data of serials.xlsx #${ticket} was deleted.`)).toBeVisible();
      await expect(excel).toBeDisabled();
      await goWithin(page, '/dashboard');
      await takePictures(page);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });
}

test('each task of a superadmin takes at most three actions from Home', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const number = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, superadmin);
  await page.goto('/dashboard');
  const palette = page.getByRole('dialog', { name: 'Search or jump to' });

  // See the cost of a ticket.
  await doTask(
    page,
    () => page.keyboard.press('Control+k'),
    async () => {
      await palette.getByRole('combobox').fill(`${user.companyCode}`);
      // The company comes before its tickets.
      await expect(palette.getByRole('option')).toHaveText([
        new RegExp(`^${user.companyCode} \\(`),
        new RegExp(`^serials.xlsxTicket ${number}`),
      ]);
    },
    () => page.keyboard.press('Enter'),
  );
  await expect(page).toHaveURL(new RegExp(`/dashboard/clients/${user.companyCode}$`));
  const tickets = page.getByRole('region', { name: 'Tickets' });
  await expect(tickets.getByText(/· Rp [1-9]/)).toBeVisible();

  // Add a client with a user.
  const email = `first-${randomBytes(4).toString('hex')}@example.com`;
  await doTask(
    page,
    () => page.getByRole('main').getByRole('link', { name: 'Register User' }).click(),
    () => page.getByRole('button', { name: 'Add a new client with this user' }).click(),
    async () => {
      await page.getByLabel('Company Name').fill('PT Bintang Jaya');
      await page.getByLabel('Full Name').fill('Nadia Putri');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill('a first password');
      await page.getByRole('button', { name: 'Register User' }).click();
    },
  );
  await expect(page.getByRole('status').filter({ hasText: 'User Nadia Putri registered' })).toBeVisible();
  await signInByApi({ email, password: 'a first password' });
});
