import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { findOption } from '#tests/support/browser/combobox.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import {
  listCalls,
  pauseClock,
  secondsBetween,
  stepUntil,
  watchCalls,
} from '#tests/support/browser/page-clock.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { holdRequests, patchAnswers } from '#tests/support/stories/hold.ts';
import { readNewestDay } from '#tests/support/stories/tickets.ts';
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
  await expect(page.getByRole('heading', { name: `serials.xlsx #${ticket}` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await pauseClock(page);
  const paths = ['/tickets/all-progress', '/imei'];
  const [lists, rows] = await watchCalls(page, 17 * seconds, paths);
  // The jump of the clock may still cause a read at the beginning.
  expect(secondsBetween(lists).slice(-2)).toEqual([5, 5]);
  expect(secondsBetween(rows).slice(-2)).toEqual([5, 5]);

  await page.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
  expect(await watchCalls(page, 6 * seconds, paths)).toEqual([[], []]);
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

test('the tracker of a selected ticket has progress, figures, pages of rows, download and deletion', async ({
  page,
  user,
  signIn,
}) => {
  const older = await uploadAndFinish(user, [...makeImeis(59), 'nonsense!']);
  const newer = await uploadAndFinish(user, makeImeis(1));
  await signIn(page, user);
  const listed = page.waitForRequest('**/api/tickets/find*');
  await page.goto('/dashboard/tracker');
  expect(new URL((await listed).url()).searchParams.get('coverage_deleted')).toBe('false');
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await selector.click();
  const optionOf = (ticket: string) =>
    page.getByRole('listbox').getByRole('option', { name: `serials.xlsx #${ticket}`, exact: true });
  await expect(optionOf(older)).toContainText('60 rows');
  await expect(optionOf(newer)).toContainText(/\b1 row\b/);
  await expectAccessible(page);
  // A number that is typed is chosen as soon as it is that of a ticket.
  await selector.fill(older);
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(page.getByRole('heading', { name: `serials.xlsx #${older}` })).toBeVisible();
  // Typed and left before the list is there, it is chosen when that comes.
  const numbers = await holdRequests(page, 'GET', '**/api/tickets/find*');
  await page.goto('/dashboard/tracker');
  await selector.fill(older);
  await page.keyboard.press('Tab');
  await expect(selector).toHaveValue(older);
  const rows = listCalls(page, '/imei');
  numbers.letGo();
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(page.getByRole('heading', { name: `serials.xlsx #${older}` })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '100');
  await expect(page.getByText(/^\d+ items failed\.$/)).toBeVisible();
  await expect(card(page, 'Total Rows')).toContainText('60');
  await expect(card(page, 'Completion %')).toContainText('100%');
  await expect(page).toHaveTitle(`100% · serials.xlsx #${older} · Coverdesk`);

  await expect(page.getByText('Showing 1 to 10 of 60 entries')).toBeVisible();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await pages.getByRole('button', { name: '5', exact: true }).click();
  await expect(page.getByText('Showing 41 to 50 of 60 entries')).toBeVisible();
  expect(rows.at(-1)).toContain('page=5');
  await page.getByLabel('Rows per page').selectOption('50');
  await expect(page.getByText('Showing 1 to 50 of 60 entries')).toBeVisible();
  expect(rows.at(-1)).toMatch(/page=1&limit=50/);

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
    await goWithin(page, `/dashboard/${screen}?ticket=${ticket}`);
    await page.getByRole('main').getByRole('button', { name, exact: true }).click();
    await expect(sign).toBeVisible();
    const ended = page.waitForEvent('requestfailed', (request) => files.test(request.url()));
    await act();
    await ended;
  };
  await page.goto('/dashboard');
  await callOff(async () => {
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel download' }).press('Enter');
  });
  await expect(page.getByRole('button', { name: 'Excel (.xlsx)', exact: true })).toBeFocused();
  await expect(sign).toBeHidden();
  await expect(page.getByRole('alert')).toHaveCount(0);

  const menu = page.getByRole('navigation', { name: 'Menu' });
  // All rows, the failed ones, and the list of cells that are not valid.
  for (const [screen, name] of [
    ['tracker', 'Excel (.xlsx)'],
    ['tracker', 'Download'],
    ['data', 'Download invalid and duplicate cells'],
  ]) {
    await callOff(() => menu.getByRole('link', { name: 'Home' }).click(), name, screen);
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText(
      'The download was cancelled, since its page was left. Go back there to start it again.',
    );
    await expect(sign).toBeHidden();
    // By keyboard: it may still be moving.
    await alert.getByRole('button', { name: 'Close' }).press('Enter');
    await expect(alert).toHaveCount(0);
  }

  // Two downloads of rows end together with their page.
  await goWithin(page, `/dashboard/data?ticket=${ticket}`);
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  const download = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download' });
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

test('a finished ticket is not asked about again, but by the standalone tracker, which polls every 3 seconds', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.clock.install();
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  await settled(page);
  await pauseClock(page);
  expect(await watchCalls(page, 6 * seconds, ['/tickets/progress', '/imei'])).toEqual([[], []]);
  await page.clock.resume();

  await page.getByRole('link', { name: 'Open standalone' }).click();
  await expect(page).toHaveURL(/view=standalone/);
  const panel = page.getByRole('region', { name: 'Current ticket' });
  const day = await readNewestDay(user, 'en-GB', 'short');
  for (const fact of [
    `Ticket Number${ticket}`,
    `Company Code${user.companyCode}`,
    `Date${day}`,
    'Expected Count2',
  ]) {
    await expect(panel).toContainText(fact);
  }
  await pauseClock(page, 600 * seconds);
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
  await expect(page.getByRole('heading', { name: `serials.xlsx #${ticket}` })).toBeVisible();
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
