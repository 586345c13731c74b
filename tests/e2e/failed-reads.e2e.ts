import type { Locator, Page } from '@playwright/test';
import { makeImeis } from '#tests/support/devices.ts';
import { failWordless, holdRequests, patchAnswers } from './support/hold.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

test.use({ allowedComplaints: [/status of 500/] });

/** Lets the reads of `url` fail until one of them is told in `main`; what was `shown` stays, and Retry ends it. */
async function failLater(
  page: Page,
  url: string,
  shown: Locator,
  words: string,
  begin: () => Promise<unknown>,
) {
  await expect(shown).toBeVisible();
  await failWordless(page, url);
  const told = page.getByRole('main').getByRole('alert').filter({ hasText: words });
  const isTold = async () => {
    await begin();
    return told.count();
  };
  await expect.poll(isTold, { intervals: [200], timeout: 30_000 }).toBe(1);
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

test('a poll that fails: it is told, and what is shown stays, of results, tracker, uploaded rows', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  // A finished ticket stands still; only its status is set here, so that every screen polls.
  await patchAnswers<{ ticket: object }>(page, /\/api\/imei\?/, (answer) =>
    Object.assign(answer.ticket, { status: 'Processing' }),
  );
  await signIn(page, user);
  await page.clock.install();
  const poll = () => page.clock.runFor(5000);
  const rows = page.getByRole('table', { name: 'Serial Data' });
  await page.goto('/dashboard/data');
  await failLater(page, '**/api/imei?*', rows, 'Failed to fetch data', poll);
  await page.goto('/dashboard/tracker');
  const all = page.getByRole('table', { name: 'All tickets' });
  await failLater(
    page,
    '**/api/tickets/all-progress',
    all,
    'Failed to load all progressed tickets list',
    poll,
  );
  await failLater(page, '**/api/imei?*', rows, 'Failed to fetch data', poll);
  await page.goto(`/dashboard/tracker?ticket=${ticket}&view=standalone`);
  const facts = page.getByRole('region', { name: 'Current ticket' });
  await failLater(page, '**/api/tickets/progress?*', facts, 'Failed to load progress data', poll);

  await page.goto('/dashboard/data?view=uploaded');
  const uploaded = page.getByRole('main').getByRole('table');
  // Nothing polls here: the server's words are read again in another language.
  const switchLanguage = () => page.getByLabel(/^(Language|Bahasa)$/).selectOption('id');
  await failLater(page, `**/api/data/${ticket}?*`, uploaded, 'Gagal mengambil data', switchLanguage);
});

test('a poll that fails: it is told, and what is shown stays, of tickets, proxies, sources, clients', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(1));
  await patchAnswers<{ data: object[] }>(page, /\/api\/tickets\?/, ({ data: [first] }) =>
    Object.assign(first ?? {}, { status: 'Processing' }),
  );
  await signIn(page, superadmin);
  await page.clock.install();
  const failed = 'Failed to fetch data';
  const wait = (ms: number) => () => page.clock.runFor(ms);
  await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
  await failLater(page, '**/api/tickets?*', page.getByRole('article'), failed, wait(5000));
  await page.goto('/dashboard/sources');
  const source = page.getByRole('main').getByRole('region').first();
  await failLater(page, '**/api/sources', source, failed, wait(5000));
  await page.goto('/dashboard/proxies');
  const sets = page.getByRole('tabpanel').locator('.proxies-grid, .message-state').first();
  await failLater(page, '**/api/proxies/sets', sets, failed, wait(60_000));
  await page.goto('/dashboard/clients');
  const switchLanguage = () => page.getByLabel(/^(Language|Bahasa)$/).selectOption('id');
  const clients = page.getByRole('main').getByRole('table');
  await failLater(page, '**/api/clients?*', clients, 'Gagal mengambil data', switchLanguage);
});

test('a poll that fails: what is shown is not drawn anew, so that an open dialog and a search stay', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await patchAnswers<object>(page, '**/api/tickets/progress?*', (answer) =>
    Object.assign(answer, { status: 'Processing' }),
  );
  await signIn(page, user);
  await page.clock.install();
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await page.getByRole('button', { name: 'Delete All' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await failWordless(page, '**/api/tickets/progress?*');
  const told = page.locator('main').getByText('Failed to load progress data');
  const poll = async () => {
    await page.clock.runFor(5000);
    return told.count();
  };
  await expect.poll(poll, { intervals: [200], timeout: 30_000 }).toBe(1);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const search = page.getByRole('searchbox');
  await search.fill('35');
  await page.unroute('**/api/tickets/progress?*');
  const healed = async () => {
    await page.clock.runFor(5000);
    return told.count();
  };
  await expect.poll(healed, { intervals: [200], timeout: 30_000 }).toBe(0);
  await expect(search).toBeFocused();
});
