import { getOwnCompany } from '#features/clients/clients.contract.ts';
import { readDeviceFigures } from '#features/devices/devices.contract.ts';
import { getHomeSummary } from '#features/home/home.contract.ts';
import { listInvoices } from '#features/invoices/invoices.contract.ts';
import { getStatus } from '#features/operations/operations.contract.ts';
import { listProxySets } from '#features/proxies/proxies.contract.ts';
import { listSources } from '#features/sources/sources.contract.ts';
import { getActivity, type ListedProgress, listProgress } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { source, status } from '#tests/support/browser/made-up-operations.ts';
import { noFigures } from '#tests/support/browser/no-figures.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const widths = [360, 390, 820, 1280, 1920];

const ticket: ListedProgress = {
  ticket_number: '12',
  company_code: 'ACM001',
  date: '2026-11-23T08:29:00.000Z',
  file_name: 'devices.xlsx',
  kind: 'upload',
  uploaded_by: null,
  status: 'Completed',
  percent: 100,
  done: 5,
  failed: 4,
  total: 9,
  remaining: 0,
  rate_per_minute: null,
  eta_seconds: null,
  waiting_reason: null,
  waiting_source: null,
  waiting_cause: null,
  waiting_since: null,
  data_deleted: false,
  unavailable: 0,
};

const summary = { serials_per_day: null, revenue: null, revenue_month: null, previous_sign_in: null };

function answerHome(api: FakeApi, tickets: ListedProgress[]): void {
  const client = {
    _id: '1',
    company_name: 'Acme',
    company_code: 'ACM001',
    status: '1' as const,
    bill_known: false,
  };
  api.answer(getOwnCompany, { client });
  api.answer(listProgress, { data: tickets });
  api.answer(getHomeSummary, summary);
  api.answer(readDeviceFigures, noFigures);
}

test('Home leads with figures, then what runs and what needs a decision; a panel without a line is left out', async ({
  page,
  api,
  open,
}) => {
  // "Not found" is final: only rows whose source was unavailable need a decision.
  const uploaded_by = { _id: '3', name: 'Rina Wulandari', email: 'rina@example.test' };
  const running: ListedProgress = {
    ...ticket,
    uploaded_by,
    ticket_number: '1234567',
    status: 'Processing',
    percent: 50,
    failed: 0,
    total: 1_250_000,
    done: 625_000,
    remaining: 625_000,
  };
  answerHome(api, [running, { ...ticket, uploaded_by, ticket_number: '13', unavailable: 3 }, ticket]);
  api.answer(readDeviceFigures, {
    ...noFigures,
    all: 1_234_567,
    activated: 1_234_000,
    unactivated: 567,
    covered: 1_200_000,
    ending_30: 12_345,
    changed_7: 98_765,
    changed_30: 100_000,
    ending_months: [{ from: '2026-11-29', to: '2026-11-30', devices: 4321 }],
  });
  const held = api.hold(readDeviceFigures);
  await open('/dashboard', 'company-admin');
  const main = page.getByRole('main');
  await expect(main.getByRole('region', { name: 'Quick links' }).getByRole('link')).toHaveCount(3);
  await expect(main.getByRole('region', { name: 'Running tickets' })).toContainText('#1234567Rina Wulandari');
  await expectAccessible(page);
  held.letGo();
  const figures = main.getByRole('list', { name: 'Key figures' });
  await expect(figures.getByRole('listitem')).toContainText([
    'Covered devices1,200,000of 1,234,567 known98,765 devices changed in 7 days',
    'Ending within 30 days12,345Coverage of 4,321 devices ends this month',
    'Unactivated devices567Not in use yet',
  ]);
  const attention = main.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
  await expect(attention).toHaveText(['devices.xlsx #13Rina Wulandari3 rows without an answer']);
  await expect(attention.getByRole('link', { name: /^3 rows/ })).toHaveAttribute(
    'href',
    '/dashboard/data?ticket=13&state=failed&reason=Source%20unavailable',
  );
  await expectAccessible(page, widths);
  const places = [
    figures,
    main.getByRole('heading', { name: 'Running tickets' }),
    main.getByRole('heading', { name: 'Devices by activation' }),
    main.getByText('Account Type', { exact: true }),
    main.getByRole('heading', { name: 'Quick links' }),
  ].map(async (part) => (await part.boundingBox())?.y ?? 0);
  const tops = await Promise.all(places);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  await expect(main.getByText('Company administrator', { exact: true })).toBeVisible();
  await expect(page.getByRole('complementary')).toContainText('Company administrator');

  answerHome(api, [ticket]);
  await open('/dashboard', 'user');
  await expect(main.getByRole('region', { name: 'Last tickets' })).toContainText('#12');
  await expect(main.getByRole('region', { name: /^(Running tickets|Needs attention)$/ })).toHaveCount(0);
  await expect(main.getByRole('figure')).toHaveCount(0);
});

test('more than five tickets that need a decision are shown by a button', async ({ page, api, open }) => {
  const numbers = ['27', '26', '25', '24', '23', '22', '21'];
  const failed = numbers.map((ticket_number) => ({ ...ticket, ticket_number, unavailable: 3 }));
  answerHome(api, [...failed, ticket]);
  await open('/dashboard', 'user');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const links = attention.getByRole('link', { name: '3 rows without an answer' });
  await expect(links).toHaveCount(5);
  await attention.getByRole('button', { name: '2 more' }).click();
  await expect(links).toHaveCount(7);
  for (const [index, number] of numbers.entries()) {
    const address = `/dashboard/data?ticket=${number}&state=failed&reason=Source%20unavailable`;
    await expect(links.nth(index)).toHaveAttribute('href', address);
  }
  await expect(attention.getByRole('button')).toHaveCount(0);
});

test('the status of a ticket with long names stays beside them', async ({ page, api, open }) => {
  const uploaded_by = {
    name: 'Muhammad Abdurrahman Nurhidayatullah Kusumawardhana',
    email: 'm@example.test',
    _id: '9',
  };
  const file_name = 'warehouse-jakarta-timur-phones-batch-of-october-2026.xlsx';
  answerHome(api, [{ ...ticket, file_name, uploaded_by }]);
  await open('/dashboard', 'user');
  const item = page.getByRole('region', { name: 'Last tickets' }).getByRole('listitem');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    const name = await item.getByRole('link').boundingBox();
    const badge = await item.locator('[data-badge]').boundingBox();
    const words = await item.locator('> :first-child').boundingBox();
    expect(badge?.y, `${width} px`).toBeLessThan((words?.y ?? 0) + (words?.height ?? 0));
    const cut = 'return element.scrollWidth - element.clientWidth;';
    expect(await runOn<number>(item.locator('[data-badge] > span'), cut), `${width} px`).toBe(0);
    expect(badge?.x, `${width} px`).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
  }
  await takePictures(page, widths);
});

test('a figure of a superadmin that cannot be read says so, with Retry', async ({ page, api, open }) => {
  answerHome(api, [ticket]);
  for (const endpoint of [getHomeSummary, listInvoices, listProxySets, listSources, getStatus])
    api.failWordless(endpoint);
  // The answer of the running tickets would repeat the failed reads before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard', 'superadmin');
  const figures = page.getByRole('main').getByRole('list', { name: 'Key figures' });
  await expect(figures.getByRole('alert')).toContainText([
    /^Revenue .* could not be loaded\./,
    'Unpaid invoices could not be loaded.',
  ]);
  await expectAccessible(page, widths);
  api.answer(getHomeSummary, summary);
  await figures.getByRole('alert').first().getByRole('button', { name: 'Retry' }).click();
  await expect(figures.getByRole('alert')).toContainText(['Unpaid invoices could not be loaded.']);
});

test('a source that begins to wait is told on Home within ten seconds', async ({ page, api, open }) => {
  answerHome(api, [ticket]);
  api.answer(listInvoices, {
    ...pageOf([]),
    open: { count: 0, total: 0, overdue_count: 0, overdue_total: 0 },
  });
  api.answer(listProxySets, { data: [], summary: { total: 0, active: 0, inactive: 0, total_proxies: 0 } });
  api.answer(listSources, { data: [source], processes: [] });
  api.answer(getStatus, status);
  await open('/dashboard', 'superadmin');
  const attention = page.getByRole('main').getByRole('region', { name: 'Needs attention' });
  await expect(page.getByRole('list', { name: 'Key figures' })).toBeVisible();
  await expect(attention).toHaveCount(0);
  api.answer(listSources, { data: [{ ...source, state: 'waiting', reason: 'down' }], processes: [] });
  api.answer(getStatus, { ...status, backup_overdue: true });
  await expect(attention).toContainText('Shop check', { timeout: 12_000 });
  await expect(attention).toContainText('backup', { timeout: 12_000 });
});

test('the first visit is one panel that leads to the upload', async ({ page, api, open }) => {
  answerHome(api, []);
  await open('/dashboard', 'user');
  const main = page.getByRole('main');
  const first = main.getByRole('region', { name: 'Upload your first sheet' });
  const begin = first.getByRole('link', { name: 'Upload Data' });
  await expect(begin).toHaveAttribute('href', '/dashboard/upload');
  // The colour of links on a button's background would be invisible.
  await expect(begin).toHaveCSS('color', 'rgb(255, 255, 255)');
  await expect(main.getByRole('region')).toHaveCount(2);
  await expect(main.getByRole('list', { name: 'Key figures' })).toHaveCount(0);
  await expect(main.getByText('Standard User', { exact: true })).toBeVisible();
  await expectAccessible(page, widths);
});
