import { readSignInOptions } from '#features/accounts/single-sign-on.contract.ts';
import { createCompany } from '#features/clients/clients.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expectWhole, runOn } from '#tests/support/browser/geometry.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { answerTickets, order } from '#tests/support/browser/made-up-tickets.ts';
import { pauseClock, stepUntil } from '#tests/support/browser/page-clock.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

test('each role sees why it has no access to the other’s screens', async ({ page, open }) => {
  const denied: Record<string, string> = {
    '/dashboard/tickets': 'Only super administrators can manage tickets.',
    '/dashboard/register': 'Only super administrators can register new users.',
    '/dashboard/clients': 'Only super administrators can access this page.',
    '/dashboard/proxies': 'Only super administrators can access this page.',
    '/dashboard/upload-proxies': 'Only super administrators can access this page.',
    '/dashboard/sources': 'Only super administrators can access this page.',
    '/dashboard/users': 'Only administrators can access this page.',
    '/dashboard/audit': 'Only administrators can access this page.',
  };
  for (const [path, reason] of Object.entries(denied)) {
    await open(path, 'user');
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText(reason, { exact: true })).toBeVisible();
  }
  for (const path of ['/dashboard/upload', '/dashboard/data']) {
    await open(path, 'superadmin');
    await expect(page.getByText('This feature is only available for standard users.')).toBeVisible();
  }
});

test('the loss of the network and its return are announced, signed in or out', async ({
  page,
  api,
  open,
}) => {
  const notice = page.getByText('You are offline. What you see may be out of date.');
  await open('/dashboard/change-password', 'user');
  await expect(page.getByLabel('Current Password')).toBeVisible();
  await settled(page);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
  api.answer(readSignInOptions, { single_sign_on: false });
  await open('/login', 'nobody');
  await expect(page.getByLabel('Password')).toBeVisible();
  await settled(page);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
});

test('within 10 seconds without an answer every screen says that it may be out of date, also scrolled down', async ({
  page,
  api,
  open,
}) => {
  const tickets = Array.from({ length: 12 }, (_, index) => ({ ...order, _id: `${index}` }));
  answerTickets(api, tickets);
  await page.clock.install();
  await open('/dashboard/tickets', 'superadmin');
  await expect(page.getByRole('article')).toHaveCount(12);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await pauseClock(page);
  const notice = page
    .getByRole('main')
    .getByText('The server does not answer. What you see may be out of date.');
  const polls = () => api.bodiesOf(getActivity).length;
  const now = () => page.evaluate<number>('Date.now()');
  /** Waits for the answer of the next poll. */
  const poll = async () => {
    const before = polls();
    await stepUntil(page, 250, () => polls() > before);
  };
  const answer = () => api.answer(getActivity, quiet);

  await poll();
  const answered = await now();
  api.failWordless(getActivity);
  await stepUntil(page, 250, () => notice.isVisible());
  expect((await now()) - answered).toBeLessThanOrEqual(10_000);
  await expect(notice).toBeInViewport({ ratio: 1 });
  answer();
  await stepUntil(page, 250, () => notice.isHidden());

  // A server that accepts calls and does not answer.
  await poll();
  const hung = api.hold(getActivity);
  await page.clock.runFor(10_000);
  await expect(notice).toBeVisible();
  hung.letGo();
  await stepUntil(page, 250, () => notice.isHidden());

  // One failed poll is repeated before the screen may be out of date.
  api.failWordless(getActivity);
  await poll();
  answer();
  await poll();
  await page.clock.runFor(3000);
  await expect(notice).toHaveCount(0);
  api.failWordless(getActivity);
  await stepUntil(page, 250, () => notice.isVisible());
  await page.clock.resume();
  await expectAccessible(page, allWidths);
});

test('a slow answer is no reason to say that the screen may be out of date', async ({ page, api, open }) => {
  api.answer(getActivity, { ...quiet, running: 2, remaining: 5, ticket_number: '7', percent: 50 });
  answerTickets(api, [order]);
  await page.clock.install();
  await open('/dashboard/tickets', 'superadmin');
  await expect(page.getByRole('article')).toHaveCount(1);
  await pauseClock(page);
  const polls = () => api.bodiesOf(getActivity).length;
  /** Begins a poll that is answered 3 seconds later. */
  const pollSlowly = async (begin: () => Promise<void>) => {
    const before = polls();
    const slow = api.hold(getActivity);
    await begin();
    await expect.poll(polls).toBe(before + 1);
    await page.clock.runFor(3000);
    await expect(page.getByText('The server does not answer.')).toHaveCount(0);
    slow.letGo();
    await settled(page);
    await page.clock.runFor(250);
  };
  await page.clock.runFor(250);
  // While a ticket runs, polls are 5 seconds apart.
  await pollSlowly(() => page.clock.runFor(5000));
  await pollSlowly(() => page.getByRole('link', { name: 'Change Password' }).click());
  await page.clock.resume();
});

test('a long toast is whole beside running work, whose number stays with a long file name', async ({
  page,
  api,
  open,
}) => {
  const file_name = `${'Laporan_perangkat_gudang_'.repeat(4)}.xlsx`;
  const only = { file_name, kind: 'upload', total: 5, date: '2026-10-01T00:00:00.000Z' } as const;
  api.answer(getActivity, { ...quiet, running: 1, remaining: 5, ticket_number: '3', only, percent: 50 });
  const company_name = 'PT Kantor Anugerah Nusantara Bersama Sejahtera Abadi Jaya Makmur Sentosa Raya Tbk';
  answerClients(api);
  api.answer(createCompany, { client: { ...client, company_name, company_code: 'KAN001' } });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open('/dashboard/clients', 'superadmin');
  const running = page.getByRole('banner').getByRole('link', { name: /^Processing Laporan/ });
  await expectWhole(running.getByText('#3', { exact: true }));
  await takePictures(page, [390, 1280]);
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill(company_name);
  await page.getByRole('button', { name: 'Create Client' }).click();
  const toast = page.getByText(`${company_name} was added with the company code KAN001.`);
  await expect(toast).toBeVisible();
  // It stays under the pointer.
  await toast.hover();
  const bar = page.getByRole('region', { name: 'Notifications (F8)' });
  const below = 'return element.scrollHeight - element.clientHeight;';
  for (const width of [1920, 1440, 1366, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await runOn<number>(bar, below)).toBe(0);
  }
  await expect(toast).toBeVisible();
  // Only its dot is left.
  const text = running.getByText('Processing Laporan');
  const { x = 0 } = (await text.boundingBox()) ?? {};
  const activity = await running.locator('..').boundingBox();
  expect(x).toBeGreaterThanOrEqual((activity?.x ?? 0) + (activity?.width ?? 0));
  await takePictures(page, [390, 1280]);
});

test('a waiting ticket with a long file name shows its number and reason', async ({ page, api, open }) => {
  const file_name = `${'Laporan_perangkat_gudang_'.repeat(8)}.xlsx`;
  const only = { file_name, kind: 'upload', total: 5, date: '2026-10-01T00:00:00.000Z' } as const;
  const waiting = {
    waiting_reason: 'paused',
    waiting_source: 'Shop check',
    waiting_cause: 'paused',
  } as const;
  const ticket = { running: 1, remaining: 5, ticket_number: '3', only, percent: 50 };
  api.answer(getActivity, { ...quiet, ...ticket, ...waiting });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open('/dashboard/change-password', 'user');
  const reason = 'Waiting for Shop check: paused by a superadmin';
  const pill = page
    .getByRole('banner')
    .getByRole('link', { name: `${file_name} #3: ${reason}`, exact: true });
  await expect(pill).toHaveAttribute('title', `${file_name} #3: ${reason}`);
  await expectWhole(pill.getByText('#3:', { exact: true }));
  const text = pill.getByText(reason);
  await expectWhole(text);
  expect(await runOn<number>(text, 'return element.scrollWidth - element.clientWidth;')).toBe(0);
  await expectAccessible(page, allWidths);
  await takePictures(page, [390, 1280]);
});
