import type { Locator, Page, Route } from '@playwright/test';
import { stepUntil } from '#tests/support/browser/page-clock.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless, holdRequests, patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test.use({ allowedComplaints: [/status of (500|429)|ERR_FAILED/] });

/** Opens a screen and waits until each of `urls` was read: what is drawn before may be the shape of what is coming. */
async function openRead(page: Page, path: string, ...urls: string[]) {
  const reads = urls.map((url) => page.waitForResponse(url));
  await page.goto(path);
  await Promise.all(reads);
}

/**
 * Lets the reads of `url` fail until one of them is told in `main`; what was `shown` stays, and Retry ends it.
 * @param read what has the screen read again, also more than once until that `isTold`
 */
async function failLater(
  page: Page,
  url: string,
  shown: Locator,
  words: string,
  read: (isTold: () => Promise<boolean>) => Promise<unknown>,
) {
  await expect(shown).toBeVisible();
  await failWordless(page, url);
  const told = page.getByRole('main').getByRole('alert').filter({ hasText: words });
  await read(async () => (await told.count()) === 1);
  await expect(told).toHaveCount(1);
  await expect(shown).toBeVisible();
  // Held back, so that no poll ends the failure before Retry is pressed.
  const held = await holdRequests(page, 'GET', url);
  const asked = page.waitForRequest(url);
  await told.getByRole('button').click();
  await asked;
  held.letGo();
  await expect(told).toHaveCount(0);
  await expect(shown).toBeVisible();
  await page.unroute(url);
}

/** Has every poll say that a ticket changed, so that every screen reads again. */
function changeOften(page: Page) {
  let revision = 0;
  return patchAnswers<object>(page, '**/api/tickets/activity*', (answer) =>
    Object.assign(answer, { revision: String(revision++) }),
  );
}

/** The next polls, by the page's clock. */
const poll = (page: Page) => (isTold: () => Promise<boolean>) => stepUntil(page, 5000, isTold);

test('a failed poll of results, tracker or uploaded rows shows a message and keeps the content', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await changeOften(page);
  await signIn(page, user);
  await page.clock.install();
  const results = '**/api/imei?*';
  const rows = page.getByRole('table', { name: 'Serial Data' });
  await openRead(page, '/dashboard/data', results);
  await failLater(page, results, rows, 'Failed to fetch data', poll(page));
  const allProgress = '**/api/tickets/all-progress';
  await openRead(page, '/dashboard/tracker', allProgress, results);
  const all = page.getByRole('table', { name: 'All tickets' });
  await failLater(page, allProgress, all, 'Failed to load all progressed tickets list', poll(page));
  await failLater(page, results, rows, 'Failed to fetch data', poll(page));
  const progress = '**/api/tickets/progress?*';
  await openRead(page, `/dashboard/tracker?ticket=${ticket}&view=standalone`, progress);
  const facts = page.getByRole('region', { name: 'Current ticket' });
  await failLater(page, progress, facts, 'Failed to load progress data', poll(page));

  const uploadedRows = `**/api/data/${ticket}?*`;
  await openRead(page, '/dashboard/data?view=uploaded', uploadedRows);
  const uploaded = page.getByRole('main').getByRole('table');
  // Nothing polls here: the server's words are read again in another language.
  const switchLanguage = () => page.getByLabel(/^(Language|Bahasa)$/).selectOption('id');
  await failLater(page, uploadedRows, uploaded, 'Gagal mengambil data', switchLanguage);
});

test('with the server gone every screen says once that it may be outdated; a failed poll shows a message and keeps the content', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(2));
  const running = { status: 'Processing', rate_per_minute: 60, eta_seconds: 3600, percent: 40 };
  const run = ({ data }: { data: object[] }) => data.map((one) => Object.assign(one, running));
  await patchAnswers(page, '**/api/tickets/all-progress*', run);
  await patchAnswers(page, '**/api/tickets?*', run);
  await signIn(page, superadmin);
  await page.clock.install();
  const gone = (route: Route) => route.abort();
  const words = 'The server does not answer. What you see may be out of date.';
  const notice = page.getByRole('main').getByText(words);
  const left = page.getByRole('main').getByText(/^.*about .* left$/);
  const bar = page.getByRole('main').getByRole('progressbar').first().locator('> *');
  for (const [path, read] of [
    ['/dashboard', '**/api/tickets/all-progress*'],
    [`/dashboard/tickets?code=${user.companyCode}`, '**/api/tickets?*'],
  ] as const) {
    await openRead(page, path, read, '**/api/tickets/activity');
    await expect(bar).not.toHaveCSS('animation-name', 'none');
    if (path !== '/dashboard') await expect(left).toBeVisible();
    await page.route('**/api/**', gone);
    await stepUntil(page, 5000, async () => (await notice.count()) === 1);
    await expect(bar).toHaveCSS('animation-name', 'none');
    await expect(left).toHaveCount(0);
    // Reads of the screen's own that fail add nothing to it.
    await page.clock.runFor(61_000);
    await expect(page.getByRole('main').getByRole('alert')).toHaveText([words]);
    await page.unroute('**/api/**', gone);
    await stepUntil(page, 5000, async () => (await notice.count()) === 0);
  }

  // Only one read fails.
  await changeOften(page);
  const failed = 'Failed to fetch data';
  await openRead(page, `/dashboard/tickets?code=${user.companyCode}`, '**/api/tickets?*');
  await failLater(page, '**/api/tickets?*', page.getByRole('article'), failed, poll(page));
  await openRead(page, '/dashboard/sources', '**/api/sources');
  const source = page.getByRole('main').getByRole('region').first();
  await failLater(page, '**/api/sources', source, failed, poll(page));
  await openRead(page, '/dashboard/proxies', '**/api/proxies/sets');
  const tab = page.getByRole('tabpanel');
  const sets = tab.getByRole('article').or(tab.getByText('No proxy sets found')).first();
  await failLater(page, '**/api/proxies/sets', sets, failed, poll(page));
  await openRead(page, '/dashboard/clients', '**/api/clients?*');
  const switchLanguage = () => page.getByLabel(/^(Language|Bahasa)$/).selectOption('id');
  const clients = page.getByRole('main').getByRole('table');
  await failLater(page, '**/api/clients?*', clients, 'Gagal mengambil data', switchLanguage);
});

test('a failed poll keeps an open dialog and a search, and a failed read is repeated when the server is back', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await patchAnswers<object>(page, '**/api/tickets/progress?*', (answer) =>
    Object.assign(answer, { status: 'Processing', rate_per_minute: 60, eta_seconds: 3600 }),
  );
  await signIn(page, user);
  await page.clock.install();
  await openRead(page, `/dashboard/tracker?ticket=${ticket}`, '**/api/tickets/progress?*');
  const pace = page.getByText('done at about');
  const bar = page.getByRole('progressbar', { name: 'Progress' }).locator('> *');
  await expect(pace).toBeVisible();
  await expect(bar).not.toHaveCSS('animation-name', 'none');
  await page.getByRole('button', { name: 'Delete All' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await failWordless(page, '**/api/tickets/progress?*');
  const told = page.locator('main').getByText('Failed to load progress data');
  await stepUntil(page, 5000, async () => (await told.count()) === 1);
  await expect(dialog).toBeVisible();
  // After a failed read, pace and movement are unknown.
  await expect(pace).toHaveCount(0);
  await expect(bar).toHaveCSS('animation-name', 'none');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const search = page.getByRole('searchbox');
  await search.fill('35');
  await page.unroute('**/api/tickets/progress?*');
  await stepUntil(page, 5000, async () => (await told.count()) === 0);
  await expect(search).toBeFocused();

  // A first read that failed is repeated when the network or the server is back.
  const failed = page.getByRole('main').getByText('Failed to fetch data');
  for (const fail of [
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 429, body: '' }),
  ]) {
    await page.route('**/api/imei?*', fail);
    await page.goto('/dashboard/data');
    await expect(failed).toBeVisible();
    await page.unroute('**/api/imei?*');
    await stepUntil(page, 7000, async () => (await failed.count()) === 0);
    await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
  }
});
