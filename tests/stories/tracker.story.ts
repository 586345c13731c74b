import type { Locator, Page, Route } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { findOption } from '#tests/support/browser/combobox.ts';
import { secondsBetween, stepUntil, watchCalls } from '#tests/support/browser/page-clock.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests, patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const seconds = 1000;

const card = (page: Page, label: string) =>
  page.getByRole('main').getByText(label, { exact: true }).locator('xpath=..');

test('the tracker without a ticket reloads everything every 5 seconds, unless auto-refresh is off', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(3));
  const now: { status?: string; rate_per_minute?: number } = {};
  await patchAnswers<{ data: object[] }>(page, '**/api/tickets/all-progress', ({ data }) =>
    data.map((progress) => Object.assign(progress, now)),
  );
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard/tracker');
  await expect(page.getByRole('heading', { name: `Ticket ${ticket}` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  const paths = ['/tickets/all-progress', '/imei'];
  const [lists, rows] = await watchCalls(page, 17 * seconds, paths);
  expect(secondsBetween(lists).slice(0, 2)).toEqual([5, 5]);
  expect(secondsBetween(rows).slice(0, 2)).toEqual([5, 5]);

  await page.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
  expect(await watchCalls(page, 12 * seconds, paths)).toEqual([[], []]);
  const strip = page.getByRole('region', { name: 'Running now' }).getByRole('article');
  const stripSays = async (words: RegExp) => {
    await page.getByRole('button', { name: 'Refresh' }).click();
    await stepUntil(page, 10, async () => words.test((await strip.allInnerTexts()).join()));
  };
  Object.assign(now, { status: 'Processing', rate_per_minute: 60 });
  await stripSays(/60 per minute/);
  // No row is finished from here on: a pace that was is none.
  await page.clock.runFor(16 * seconds);
  await expect(strip).not.toContainText('per minute');
  await expect(strip).toContainText('Processing');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  now.status = 'Completed';
  await stripSays(/Completed/);
  await expect(strip).toHaveCSS('animation-duration', /^(0s|1e-05s)$/);
  await page.clock.runFor(7 * seconds);
  await expect(strip).toHaveCount(0);
});

test('the tracker of a selected ticket has progress, figures, rows, download and deletion', async ({
  page,
  user,
  signIn,
}) => {
  const older = await uploadAndFinish(user, [...makeImeis(4), 'nonsense!']);
  await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.goto('/dashboard/tracker');
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await selector.click();
  const option = page.getByRole('listbox').getByRole('option', { name: older, exact: true });
  await expect(option).toContainText('5 rows');
  await expectAccessible(page);
  await option.click();
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(page.getByRole('heading', { name: `Ticket ${older}` })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '100');
  await expect(page.getByText(/^\d+ items failed\.$/)).toBeVisible();
  await expect(card(page, 'Total Rows')).toContainText('5');
  await expect(card(page, 'Completion %')).toContainText('100%');
  await expect(page).toHaveTitle(`100% · Ticket ${older} · Coverdesk`);
  await expectAccessible(page);

  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON (.json)' }).click();
  expect((await file).suggestedFilename()).toMatch(new RegExp(`^imei_${older}_`));
  // Delete All is of the ticket, whatever a search finds of it.
  const search = page.getByRole('searchbox', { name: 'Search serial number' });
  await search.fill('unfindable');
  await expect(page.getByText('No row matches the search.')).toBeVisible();
  const deleteAll = page.getByRole('button', { name: 'Delete All' });
  await expect(deleteAll).toBeEnabled();
  await search.fill('');
  await deleteAll.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No serial data available')).toBeVisible();
  await expect(deleteAll).toBeDisabled();
});

test('an export can be cancelled, and ends when its page is left or the session ends', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(2), 'no serial at all!']);
  await signIn(page, user);
  const files = /\/api\/(imei\/download|data\/\d+\/report)/;
  const exported = await holdRequests(page, 'GET', files);
  const sign = page.getByRole('banner').getByText('Downloading', { exact: true });
  const callOff = async (act: () => Promise<void>, name = 'Excel (.xlsx)', screen = 'tracker') => {
    await page.goto(`/dashboard/${screen}?ticket=${ticket}`);
    await page.getByRole('main').getByRole('button', { name, exact: true }).click();
    await expect(sign).toBeVisible();
    const ended = page.waitForEvent('requestfailed', (request) => files.test(request.url()));
    await act();
    await ended;
  };
  await callOff(async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel download' }).click();
  });
  await expect(sign).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);

  const menu = page.getByRole('navigation', { name: 'Menu' });
  // All rows, the failed ones, and the list of cells that are not valid.
  for (const [screen, name] of [
    ['tracker', 'Excel (.xlsx)'],
    ['tracker', 'Download'],
    ['data', 'Download list'],
  ]) {
    await callOff(() => menu.getByRole('link', { name: 'Home' }).click(), name, screen);
    await expect(page.getByRole('alert')).toHaveText(
      'The download was cancelled, since its page was left. Go back there to start it again.',
    );
    await expect(sign).toBeHidden();
  }

  // Two downloads of rows end together with their page.
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  const download = page.getByRole('button', { name: 'Download 1 row' });
  const ended: string[] = [];
  page.on('requestfailed', (request) => ended.push(new URL(request.url()).pathname));
  await download.click();
  await download.click();
  await expect(sign).toHaveCount(2);
  await menu.getByRole('link', { name: 'Home' }).click();
  await expect(sign).toHaveCount(0);
  await expect.poll(() => ended.filter((path) => path.endsWith('/imei/download'))).toHaveLength(2);

  await callOff(() => page.getByRole('button', { name: 'Logout' }).click());
  exported.letGo();
});

test('the selector shows a new status of its ticket without a reload', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(1));
  const order = { data_count: 3, company_code: user.companyCode };
  const token = await tokenOf(superadmin);
  const { ticket: made } = await call<{ ticket: { _id: string; ticket_number: string } }>(
    'POST',
    '/tickets',
    order,
    token,
  );
  await signIn(page, user);
  await page.goto(`/dashboard/tracker?ticket=${made.ticket_number}`);
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await expect(selector).toHaveAccessibleDescription(/Pending$/);
  await call('POST', `/tickets/${made._id}/cancel`, {}, token);
  await expect(selector).toHaveAccessibleDescription(/Cancelled$/, { timeout: 15_000 });

  // Rows that a cancelled ticket leaves unfinished are told, and a line of failures is of one read.
  await patchAnswers<object>(page, '**/api/tickets/progress?*', (answer) =>
    Object.assign(answer, { status: 'Cancelled', done: 10, failed: 127, remaining: 63, total: 200 }),
  );
  await patchAnswers<{ counts?: object }>(page, '**/api/imei?*counts=1*', ({ counts }) =>
    Object.assign(counts ?? {}, { failed: 128, reasons: { 'Not found': 128 } }),
  );
  await page.goto(`/dashboard/tracker?ticket=${ticket}&view=standalone`);
  await expect(card(page, 'Remaining')).toContainText('63');
  await expect(page.getByRole('region', { name: 'Failed rows' })).toContainText('128 failed: Not found 128');
});

test('typing a ticket number selects it', async ({ page, user, signIn }) => {
  const older = await uploadAndFinish(user, makeImeis(1));
  await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  const listed = page.waitForRequest('**/api/tickets/ticket-numbers*');
  await page.goto('/dashboard/tracker');
  expect(new URL((await listed).url()).searchParams.get('coverage_deleted')).toBe('false');
  await page.getByRole('combobox', { name: 'Ticket' }).fill(older);
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(page.getByRole('heading', { name: `Ticket ${older}` })).toBeVisible();
  // Typed and left before the list is there, it is chosen when that comes.
  const numbers = await holdRequests(page, 'GET', '**/api/tickets/ticket-numbers*');
  await page.goto('/dashboard/tracker');
  await page.getByRole('combobox', { name: 'Ticket' }).fill(older);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('combobox', { name: 'Ticket' })).toHaveValue(older);
  numbers.letGo();
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
});

test('a finished ticket is not asked about again; its rows load once', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.clock.install();
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await settled(page);
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  expect(await watchCalls(page, 12 * seconds, ['/tickets/progress', '/imei'])).toEqual([[], []]);
});

test('the standalone tracker polls one ticket every 3 seconds', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await page.clock.install();
  await page.getByRole('link', { name: 'Open standalone' }).click();
  await expect(page).toHaveURL(/view=standalone/);
  const panel = page.getByRole('region', { name: 'Current ticket' });
  const today = new Date().toLocaleDateString('en-GB', { timeZone: 'Asia/Jakarta' });
  for (const fact of [
    `Ticket Number${ticket}`,
    `Company Code${user.companyCode}`,
    `Date${today}`,
    'Expected Count2',
  ]) {
    await expect(panel).toContainText(fact);
  }
  await expectAccessible(page);
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  const [polls] = await watchCalls(page, 11 * seconds, ['/tickets/progress']);
  expect(secondsBetween(polls).slice(0, 2)).toEqual([3, 3]);
});

test('a superadmin narrows by company', async ({ page, user, superadmin, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(1));
  await signIn(page, superadmin);
  await page.goto('/dashboard/tracker');
  const company = page.getByRole('combobox', { name: 'Company Code' });
  await company.click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText('All Code');
  await company.fill(String(user.companyCode).toLowerCase());
  await expect(company).toHaveValue(String(user.companyCode));
  await expect(findOption(page, String(user.companyCode))).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('heading', { name: `Ticket ${ticket}` })).toBeVisible();
  const ofCompany = page.getByRole('table', { name: 'All tickets' }).getByRole('row');
  await expect(ofCompany).toHaveCount(2);
  // Typed and left before the list is there, a code is chosen when that comes.
  const codes = await holdRequests(page, 'GET', '**/api/clients/all*');
  await page.goto('/dashboard/tracker');
  await company.fill(String(user.companyCode));
  await page.keyboard.press('Tab');
  codes.letGo();
  await expect(page).toHaveURL(new RegExp(`company=${user.companyCode}$`));
  await expect(ofCompany).toHaveCount(2);
});

test('the tracker before the first upload says that there is nothing to follow', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/tracker');
  await expect(page.getByText('No ticket has data yet')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Company Code' })).toHaveCount(0);
});

test.describe('loads that fail', () => {
  test.use({ allowedComplaints: [/ERR_FAILED|status of 500/] });

  const failures = {
    'without an answer': (route: Route) => route.abort(),
    'with words of the server': (route: Route) =>
      route.fulfill({ status: 500, json: { message: 'The disk is full', error: 'The disk is full' } }),
  };
  for (const [how, fail] of Object.entries(failures)) {
    test(`failed loads show which of them failed, in fixed words, ${how}`, async ({ page, user, signIn }) => {
      const ticket = await uploadAndFinish(user, makeImeis(1));
      await signIn(page, user);
      await page.route('**/api/tickets/**', fail);
      await page.goto('/dashboard/tracker');
      const alerts = page.getByRole('main').getByRole('alert');
      await expect(alerts).toHaveText([
        'Failed to load tickets',
        'Failed to load all progressed tickets list',
      ]);
      await page.goto(`/dashboard/tracker?ticket=${ticket}&view=standalone`);
      await expect(alerts).toHaveText(['Failed to load progress data']);
      await page.goto(`/dashboard/tracker?ticket=${ticket}`);
      await expect(alerts).toHaveText(['Failed to load tickets', 'Failed to load progress data']);
      // Its answer would repeat the reads before Retry is pressed.
      await holdRequests(page, 'GET', '**/api/tickets/activity*');
      await page.unroute('**/api/tickets/**');
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect(page.getByRole('heading', { name: `Ticket ${ticket}` })).toBeVisible();
    });
  }
});

test('the toolbars of the tracker take at most two lines at 820 px, in both languages', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, superadmin);
  await page.setViewportSize({ width: 820, height: 1180 });
  for (const [language, refresh, title] of [
    ['en', 'Refresh', 'Serial Data'],
    ['id', 'Segarkan', 'Data Nomor Seri'],
  ] as const) {
    await page.addInitScript((value) => localStorage.setItem('coverdesk.language', value), language);
    await page.goto(`/dashboard/tracker?ticket=${ticket}`);
    const heightOf = (line: Locator) => async () => (await line.boundingBox())?.height;
    const heading = page.getByRole('heading', { name: title, exact: true });
    await expect(heading).toBeVisible();
    const refreshLine = page.getByRole('button', { name: refresh, exact: true }).locator('..');
    await expect.poll(heightOf(refreshLine), `what is tracked, ${language}`).toBeLessThan(92);
    await expect.poll(heightOf(heading.locator('../..')), `the rows’ toolbar, ${language}`).toBeLessThan(108);
  }
});
