import type { Page } from '@playwright/test';
import { settled } from '#tests/support/browser/settled.ts';
import { countShifts, still } from '#tests/support/browser/shifts.ts';
import { expect } from '#tests/support/browser/test.ts';
import { callApi, makeCompany, makeStandardUser, uploadWorkbook } from '#tests/support/product/client.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { test } from '#tests/support/stories/own-sources.ts';
import { waitFor } from '#tests/support/wait.ts';

test.describe.configure({ mode: 'default' });
test.afterEach(async ({ own }) => own.setPaused(false));

/**
 * Opens a screen in a tab of its own, until it follows changes: the first poll has nothing to compare with. The tabs share
 * the session: the last account is everybody's.
 */
async function open(page: Page, token: string, path: string): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.addInitScript((value) => localStorage.setItem('token', value), token);
  const polled = tab.waitForResponse('**/api/tickets/activity');
  await tab.goto(path);
  await polled;
  return tab;
}

test('an upload, its end, its price and a deletion elsewhere reach the open screens of tickets', async ({
  page,
  own,
}) => {
  await own.setPaused(true);
  const company = await makeCompany(own, 'Bravo');
  const user = await makeStandardUser(own, 'Bravo', company);
  await page.goto('/dashboard');
  const running = page.getByRole('region', { name: 'Running tickets' });
  await expect(page.getByText('Running now')).toBeVisible();
  const tickets = await open(page, own.token, `/dashboard/tickets?status=Completed&code=${company}`);
  await expect(tickets.getByText('No tickets')).toBeVisible();

  const sheet = makeWorkbook(makeImeis(12, '86312399'));
  const { ticket } = await uploadWorkbook(user, new Uint8Array(sheet));
  await page.bringToFront();
  await expect(running).toContainText(`#${ticket.ticket_number}`);
  const price = await open(page, own.token, `/dashboard/tickets/${ticket.ticket_number}?view=price`);
  const cancel = price.getByRole('main').getByRole('button', { name: 'Stop, keep results' });
  await expect(cancel).toBeVisible();
  const total = price
    .getByRole('main')
    .locator('div:has(> dt)')
    .filter({ hasText: /^Total/ });
  await expect(total).toContainText(/Rp 0$/);
  await own.setPaused(false);
  await expect(cancel).toHaveCount(0);
  await expect(total).toContainText(/Rp [1-9]/);
  await page.bringToFront();
  await expect(running.filter({ hasText: `#${ticket.ticket_number}` })).toHaveCount(0);
  await tickets.bringToFront();
  await expect(tickets.getByRole('main')).toContainText(ticket.ticket_number);

  // Home of a superadmin would ask with the session of the user.
  await page.close();
  const data = await open(page, user.token, '/dashboard/data');
  await expect(data.getByRole('button', { name: 'Delete All' })).toBeEnabled();
  await callApi(user, 'DELETE', `/imei/${ticket.ticket_number}`);
  await expect(data.getByRole('button', { name: 'Delete All' })).toBeDisabled();
});

test('every open screen of a ticket that is deleted elsewhere says so, and leads on', async ({
  page,
  own,
}) => {
  await own.setPaused(true);
  const user = await makeStandardUser(own, 'Echo');
  const sheet = makeWorkbook(makeImeis(12, '86312398'));
  const { ticket } = await uploadWorkbook(user, new Uint8Array(sheet));
  const number = ticket.ticket_number;
  const { ticket: newer } = await uploadWorkbook(user, new Uint8Array(sheet));
  const screens: Page[] = [];
  for (const [address, content] of [
    [`data?ticket=${number}`, '86312398'],
    [`data?view=uploaded&ticket=${number}`, '86312398'],
    [`tracker?ticket=${number}`, 'Progress'],
    [`tracker?view=standalone&ticket=${number}`, 'Progress'],
    [`tickets/${number}`, 'Progress'],
    [`tickets/${number}/compare?with=${newer.ticket_number}`, 'In both'],
    [`tickets/${newer.ticket_number}/compare`, 'In both'],
  ]) {
    const screen = await open(page, user.token, `/dashboard/${address}`);
    await expect(screen.getByRole('main')).toContainText(content ?? '');
    screens.push(screen);
  }
  await callApi(own, 'DELETE', `/tickets/${ticket._id}`);
  for (const screen of screens) {
    const main = screen.getByRole('main');
    await screen.bringToFront();
    await expect(main.getByText(`Ticket ${number} was deleted.`)).toBeVisible();
    await expect(main.getByRole('link', { name: 'Open the newest ticket' })).toBeVisible();
    await expect(main.getByRole('alert')).toHaveCount(0);
    await expect(main.getByRole('button', { name: /Delete All|Stop, keep results/ })).toHaveCount(0);
    await expect(screen).not.toHaveTitle(new RegExp(`#${number}`));
    await expect(main).not.toContainText(/complete|Waiting|Failed/);
    await screen.close();
  }

  const opened = await open(page, own.token, `/dashboard/tickets/${newer.ticket_number}`);
  const main = opened.getByRole('main');
  await expect(main).toContainText('Progress');
  await callApi(own, 'DELETE', `/tickets/${newer._id}`);
  await expect(main.getByText(`Ticket ${newer.ticket_number} was deleted.`)).toBeVisible();
  await main.getByRole('link', { name: 'Open the newest ticket' }).click();
  await expect(main.getByRole('heading', { level: 1, name: 'Tracker', exact: true })).toBeVisible();
});

test('open Devices, Clients and the notice of an Inactive company follow changes made elsewhere', async ({
  page,
  own,
}) => {
  const company = await makeCompany(own, 'Charlie');
  const user = await makeStandardUser(own, 'Charlie', company);
  const devices = await open(page, user.token, '/dashboard/devices');
  await expect(devices.getByText('No devices yet')).toBeVisible();
  const known = makeImeis(20, '86312366').filter((imei) => Number(imei.at(-1)) % 2 === 0);
  const sheet = makeWorkbook(known.slice(0, 2));
  await uploadWorkbook(user, new Uint8Array(sheet));
  const listed = devices.getByRole('main').getByRole('table').locator('tbody tr');
  await expect(listed).toHaveCount(2);
  const { data } = await callApi<{ data: { _id: string }[] }>(user, 'GET', '/devices');
  await callApi(user, 'DELETE', `/devices/${data[0]?._id}`);
  await expect(listed).toHaveCount(1);

  const { data: clients } = await callApi<{ data: { _id: string; company_code: string }[] }>(
    own,
    'GET',
    '/clients?limit=1000',
  );
  const id = clients.find(({ company_code }) => company_code === company)?._id;
  const home = await open(page, user.token, '/dashboard');
  await expect(home.getByRole('list', { name: 'Key figures' })).toBeVisible();
  await callApi(own, 'PUT', `/clients/status/${id}`, { status: '0' });
  await expect(home.getByText('Your company is Inactive')).toBeVisible();
  const list = await open(page, own.token, '/dashboard/clients');
  const row = list.getByRole('row').filter({ hasText: company });
  await expect(row).toContainText('Inactive');
  await callApi(own, 'PUT', `/clients/status/${id}`, { status: '1' });
  await expect(row).not.toContainText('Inactive');
});

test('open lists of users, invitations, tokens, webhooks and proxies follow changes made elsewhere', async ({
  page,
  own,
}) => {
  const company = await makeCompany(own, 'Delta');
  const user = await makeStandardUser(own, 'Delta', company);
  const openMain = async (path: string) => (await open(page, own.token, path)).getByRole('main');
  const tokens = await openMain('/dashboard/tokens');
  await expect(tokens.getByText('No API tokens')).toBeVisible();
  const webhooks = await openMain('/dashboard/webhooks');
  await expect(webhooks.getByText('No webhooks')).toBeVisible();
  const proxies = await openMain('/dashboard/proxies');
  await expect(proxies.getByText('No proxy sets found')).toBeVisible();
  const users = await openMain(`/dashboard/users?company_code=${company}`);
  await expect(users.getByRole('table', { name: 'All users' })).toContainText(user.account.email);

  await callApi(own, 'POST', '/tokens', { name: 'Nightly report', scope: 'read', expires_at: null });
  const url = 'https://crm.example/events';
  await callApi(own, 'POST', '/webhooks', { url, events: ['ticket.completed'], active: true });
  const form = new FormData();
  form.append('file', new Blob(['203.0.113.7:8080'], { type: 'text/plain' }), 'proxies.txt');
  const headers = { authorization: `Bearer ${own.token}` };
  await fetch(`${own.url}/api/proxies/upload`, { method: 'POST', headers, body: form });
  const person = { first_name: 'Dewi', last_name: 'Anggraini', role: 'user', company_code: company };
  await callApi(own, 'POST', '/invitations', { email: 'dewi@delta.example', ...person });
  await expect(users.getByRole('table', { name: 'Open invitations' })).toContainText('dewi@delta.example');
  const { account } = await makeStandardUser(own, 'Delta Dua', company);
  await expect(users.getByRole('table', { name: 'All users' })).toContainText(account.email);
  await expect(proxies.getByRole('article')).toHaveCount(1);
  await expect(webhooks.getByRole('table')).toContainText('crm.example');
  await expect(tokens.getByRole('table')).toContainText('Nightly report');
});

test('lists, forms and the status do not shift while they load', async ({ page, own }) => {
  const company = await makeCompany(own, 'Foxtrot');
  const user = await makeStandardUser(own, 'Foxtrot', company);
  const sheet = makeWorkbook(makeImeis(40, '86312397'));
  const { ticket } = await uploadWorkbook(user, new Uint8Array(sheet));
  const url = 'https://erp.example/events';
  await callApi(own, 'POST', '/webhooks', { url, events: ['ticket.completed'], active: true });
  await waitFor('the end of the ticket', async () => {
    const address = `/tickets/progress?ticket_number=${ticket.ticket_number}`;
    const { status } = await callApi<{ status: string }>(user, 'GET', address);
    return status === 'Completed';
  });
  await page.addInitScript(countShifts);
  const reads = /\/api\/(?!tickets\/activity)/;
  const visit = async (path: string) => {
    const held = Promise.withResolvers<void>();
    await page.route(reads, async (route) => {
      await held.promise;
      await route.fallback();
    });
    const asked = page.waitForRequest(reads);
    await page.goto(path);
    await asked;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // The browser paints the screen before its answers may come.
    await page.evaluate('new Promise((next) => requestAnimationFrame(() => setTimeout(next, 50)))');
    held.resolve();
    await settled(page);
    const width = page.viewportSize()?.width;
    expect.soft(await page.evaluate<number>('shift'), `${path} at ${width} px`).toBeLessThan(still);
    await page.unroute(reads);
  };
  const screens = {
    superadmin: [
      ...['tickets', 'clients', `clients/${company}`, 'invoices', 'statements', 'audit'],
      ...['rechecks', 'watch', 'sources', 'proxies', 'webhooks', 'status'],
    ],
    user: ['uploads', 'rechecks', 'watch'],
  };
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const screen of screens.superadmin) await visit(`/dashboard/${screen}`);
  }
  await page.addInitScript((token) => localStorage.setItem('token', token), user.token);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    for (const screen of screens.user) await visit(`/dashboard/${screen}`);
  }
});
