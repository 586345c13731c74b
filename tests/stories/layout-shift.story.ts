import type { Locator, Page } from '@playwright/test';
import type { Progress } from '#features/tickets/tickets.contract.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { countShifts, still } from '#tests/support/browser/shifts.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests, patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish, waitUntilRegistered } from '#tests/support/stories/upload.ts';

/** Opens Home and lets the tickets answer before its other panels. @returns the sum of layout shifts */
async function openHome(page: Page): Promise<number> {
  const later = /\/api\/(home\/summary|sources|proxies)/;
  const held = await holdRequests(page, 'GET', later);
  const asked = page.waitForRequest(later);
  const tickets = page.waitForResponse(/\/api\/tickets\/all-progress/);
  await page.goto('/dashboard');
  await Promise.all([asked, tickets]);
  held.letGo();
  await expect(page.getByRole('heading', { name: 'Devices by activation' })).toBeVisible();
  await settled(page);
  await page.unroute(later);
  return page.evaluate<number>('shift');
}

test('Home does not shift while its boxes load, for users and superadmins', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const imeis = makeImeis(150);
  const ticket = await uploadAndFinish(user, [...imeis, 'nonsense!']);
  // Charts of devices that come later would be a change, and no loading.
  await waitUntilRegistered(user, imeis.at(-1) ?? '');
  for (const [account, widths] of [
    [user, [390, 1280]],
    [superadmin, [1920]],
  ] as const) {
    const tab = await page.context().newPage();
    await signIn(tab, account);
    await tab.addInitScript(countShifts);
    // Tickets that run elsewhere come and go meanwhile, and their lines with them.
    await patchAnswers<{ data: Progress[] }>(tab, /\/api\/tickets\/all-progress/, (answer) => {
      answer.data = answer.data.filter(({ ticket_number: number }) => number === ticket);
    });
    for (const width of widths) {
      await tab.setViewportSize({ width, height: 844 });
      const moved = await openHome(tab);
      expect(moved, `${account.name} at ${width} px`).toBeLessThan(still);
    }
    await tab.close();
  }
});

type Counted = { counts?: Record<string, unknown> };

test('a ticket, its results and the upload do not shift while they load, at any width and in both languages', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const first = await uploadAndFinish(user, makeImeis(60));
  const ticket = await uploadAndFinish(user, [...makeImeis(150), 'nonsense!']);
  const order = { data_count: 40, company_code: user.companyCode };
  await call('POST', '/tickets', order, await tokenOf(superadmin));
  await signIn(page, user);
  await page.addInitScript(countShifts);
  const shown = page.getByRole('main');
  const visit = async (
    path: string,
    later: RegExp,
    last: Locator,
    arrived = shown.getByRole('heading', { level: 1 }),
  ) => {
    const held = Promise.withResolvers<void>();
    // An answer may also be patched, as a route says that was made before.
    await page.route(later, async (route) => {
      await held.promise;
      await route.fallback();
    });
    const asked = page.waitForRequest(later);
    await page.goto(path);
    await asked;
    await expect(arrived).toBeVisible();
    held.resolve();
    await expect(last).toBeVisible();
    await settled(page);
    const width = page.viewportSize()?.width;
    expect(await page.evaluate<number>('shift'), `${path} at ${width} px`).toBeLessThan(still);
    await page.unroute(later);
  };
  const numbers = /\/api\/tickets\/find/;
  const row = shown.getByRole('row', { name: /\d{15}/ }).first();
  await page.setViewportSize({ width: 390, height: 844 });
  const compare = shown.getByRole('link', { name: 'Compare' });
  await visit(`/dashboard/tickets/${ticket}`, /\/api\/imei\?/, compare);
  await visit(
    `/dashboard/tickets/${ticket}?view=import`,
    /\/api\/tickets\/progress/,
    shown.getByText('150 valid'),
  );
  await visit(`/dashboard/data?ticket=${first}`, numbers, row);
  await page.setViewportSize({ width: 820, height: 844 });
  await visit(`/dashboard/tickets/${ticket}`, /\/api\/imei\?/, compare);
  await visit('/dashboard/upload', numbers, shown.getByRole('combobox'));

  // The counts of a large ticket, its reasons and its import report come after the rows.
  const counts = /\/api\/imei\?.*counts=1/;
  await patchAnswers<Counted>(page, counts, (answer) => {
    for (const name of Object.keys(answer.counts ?? {})) {
      if (name !== 'reasons') Object.assign(answer.counts ?? {}, { [name]: 40_005 });
    }
  });
  // Indonesian has the longer words, so that it stands for narrow windows.
  for (const [language, width] of [
    ['en', 1280],
    ['id', 390],
  ] as const) {
    await page.addInitScript(`localStorage.setItem('coverdesk.language', '${language}')`);
    await page.setViewportSize({ width, height: 844 });
    const all = page.getByRole('button', { name: /^(All|Semua) 40.005$/ });
    for (const path of [`/dashboard/data?ticket=${ticket}`, `/dashboard/tracker?ticket=${ticket}`]) {
      // On phones the chips are folded.
      const last = width === 390 ? row : all;
      await visit(path, /\/api\/(imei\?.*counts=1|data\/\d+\/import)/, last, row);
    }
  }
});

test('users, tokens and devices do not shift while they load', async ({ page, user, superadmin, signIn }) => {
  const token = await tokenOf(user);
  await uploadAndFinish(user, makeImeis(20));
  await call('POST', '/views', { name: 'Jakarta', query: 'q=35', shared: false }, token);
  await call('POST', '/tokens', { name: 'Nightly report', scope: 'read', expires_at: null }, token);
  const person = { first_name: 'Dewi', last_name: '', role: 'user', company_code: user.companyCode };
  const email = `invited-by-${user.email}`;
  await call('POST', '/invitations', { email, ...person }, await tokenOf(superadmin));
  await page.addInitScript(countShifts);
  const shown = page.getByRole('main');
  const visit = async (path: string, first: RegExp, later: RegExp, last: Locator) => {
    const held = await holdRequests(page, 'GET', later);
    const asked = Promise.all([page.waitForResponse(first), page.waitForRequest(later)]);
    await page.goto(path);
    await asked;
    // The browser paints the first answer before the later one may come.
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next, 50)))');
    held.letGo();
    await expect(last).toBeVisible();
    await settled(page);
    expect(await page.evaluate<number>('shift'), path).toBeLessThan(still);
  };
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, user);
  const [activity, tokens] = [/\/api\/tickets\/activity/, /\/api\/tokens\?/];
  await visit('/dashboard/tokens', activity, tokens, shown.getByText('Nightly report'));
  const view = shown.getByRole('button', { name: /^Jakarta/ });
  await visit('/dashboard/devices', /\/api\/devices\?/, /\/api\/views/, view);
  await page.evaluate((value) => localStorage.setItem('token', value), await tokenOf(superadmin));
  await visit('/dashboard/users', /\/api\/users\?/, /\/api\/invitations/, shown.getByText(email));
});
