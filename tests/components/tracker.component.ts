import type { Locator, Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import {
  findTickets,
  getActivity,
  getProgress,
  listProgress,
  type Ticket,
} from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { figuresOf } from '#tests/support/browser/figures.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import {
  answerFound,
  answerRows,
  answerTicket,
  makeRows,
  progress,
} from '#tests/support/browser/made-up-rows.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/tracker';

const listTicketAs = (api: FakeApi, status: Ticket['status']) => answerFound(api, { status, total: 0 });

/** Answers what the tracker reads of a Pending ticket. */
function answerPending(api: FakeApi): void {
  answerTicket(api);
  answerRows(api, makeRows(3));
  listTicketAs(api, 'Pending');
  api.answer(getProgress, { ...progress, status: 'Pending', done: 0, total: 0, percent: 0 });
}

const selectorOf = (page: Page) => page.getByRole('combobox', { name: 'Ticket' });

test('a ticket with failures tells their count in the specified words and by reason, not elsewhere', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3), { total: 1000, reasons: { 'Not found': 810 } });
  api.answer(getProgress, { ...progress, done: 190, failed: 810, total: 1000 });
  await open(`${path}?ticket=7`, 'user');
  const main = page.getByRole('main');
  await expect(main.getByText('810 items failed.')).toBeVisible();
  await expect(main.getByText('810 failed: Not found 810')).toBeVisible();
  await expect(figuresOf(page).first()).toHaveText('Completed190');
  await expect(selectorOf(page)).not.toHaveAccessibleDescription(/rows|Completed/);
});

test('failed rows whose results were deleted are not offered', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, [], { ticket: { coverage_deleted: true } });
  api.answer(getProgress, { ...progress, done: 190, failed: 810, total: 1000 });
  await open(`${path}?ticket=7`, 'user');
  await expect(page.getByText('810 items failed.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Failed rows' })).toHaveCount(0);
});

test('rows of deleted results say that they were deleted, whatever the filter', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  const gone = { imported: true, coverage_deleted: true, done: 190, failed: 810 };
  answerRows(api, [], { ticket: { ...gone, total: 1000 } });
  for (const filter of ['', '&state=failed', '&q=1']) {
    await open(`${path}?ticket=7${filter}`, 'user');
    const rows = page.getByRole('region', { name: 'Serial Data' });
    const deleted = 'The results of Order of 1,000 #7 were deleted. 1,000 uploaded rows are kept.';
    await expect(rows.getByText(deleted)).toBeVisible();
    await expect(page.getByText('No row matches these filters.')).toHaveCount(0);
  }
});

test('all tickets link to failures of which the rows are kept', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const kept = { ...progress, failed: 12, data_deleted: false, unavailable: 0 };
  api.answer(listProgress, {
    data: [kept, { ...kept, ticket_number: '6', failed: 810, data_deleted: true }],
  });
  await open(path, 'user');
  const table = page.getByRole('table', { name: 'All tickets' });
  await expect(table.getByRole('link', { name: '12', exact: true })).toBeVisible();
  await expect(table.getByRole('cell', { name: '810', exact: true })).toBeVisible();
  await expect(table.getByRole('link', { name: '810', exact: true })).toHaveCount(0);
});

test('the tracker before the first upload says that there is nothing to follow', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, []);
  api.answer(listProgress, { data: [] });
  answerFound(api);
  await open(path, 'user');
  await expect(page.getByText('No ticket has data yet')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Company Code' })).toHaveCount(0);
});

test('failed loads show which of them failed, in fixed words', async ({ page, api, open }) => {
  const failures: ((endpoint: Parameters<FakeApi['failWordless']>[0]) => void)[] = [
    (endpoint) => api.failWordless(endpoint),
    (endpoint) => api.refuse(endpoint, 503, 'The disk is full'),
  ];
  answerTicket(api);
  answerRows(api, makeRows(3));
  const alerts = page.getByRole('main').getByRole('alert');
  for (const fail of failures) {
    for (const read of [findTickets, listProgress, getProgress]) fail(read);
    await open(path, 'user');
    const lists = ['Failed to load tickets', 'Failed to load all progressed tickets list'];
    await expect(alerts).toHaveText(lists);
    await open(`${path}?ticket=7&view=standalone`, 'user');
    await expect(alerts).toHaveText(['Failed to load progress data']);
    await open(`${path}?ticket=7`, 'user');
    await expect(alerts).toHaveText(['Failed to load tickets', 'Failed to load progress data']);
  }
  // Its answer would repeat the reads before Retry is pressed.
  api.hold(getActivity);
  await open(`${path}?ticket=7`, 'user');
  await expect(alerts).toHaveCount(2);
  answerTicket(api);
  await page.getByRole('button', { name: 'Retry' }).last().click();
  await expect(page.getByRole('heading', { name: /#7$/ })).toBeVisible();
});

test('the selector shows a new status of its ticket without a reload; a cancelled one tells its unfinished rows', async ({
  page,
  api,
  open,
}) => {
  answerPending(api);
  await open(`${path}?ticket=7`, 'user');
  await selectorOf(page).click();
  const option = page.getByRole('listbox').getByRole('option', { name: /#7$/ });
  await expect(option).toContainText(/Pending$/);
  listTicketAs(api, 'Cancelled');
  const counts = { done: 10, failed: 127, remaining: 63, total: 200, percent: 68 };
  api.answer(getProgress, { ...progress, status: 'Cancelled', ...counts });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(option).toContainText(/Cancelled$/);
  await page.keyboard.press('Escape');

  // A line of failures is of one read.
  answerRows(api, makeRows(3), { total: 200, reasons: { 'Not found': 128 } });
  await page.getByRole('link', { name: 'Open standalone' }).click();
  const figure = page.getByRole('main').getByText('Remaining', { exact: true }).locator('xpath=..');
  await expect(figure).toContainText('63');
  await expect(page.getByRole('region', { name: 'Failed rows' })).toContainText('128 failed: Not found 128');
});

test('what changed before the first poll that succeeds is shown', async ({ page, api, open }) => {
  answerPending(api);
  api.failWordless(getActivity);
  await open(`${path}?ticket=7`, 'user');
  const badge = page.getByRole('main').getByText('Pending', { exact: true });
  await expect(badge).toBeVisible();
  await expect.poll(() => api.failures.size).toBe(1);
  answerTicket(api);
  listTicketAs(api, 'Cancelled');
  api.answer(getActivity, quiet);
  await lookAgain(page);
  await expect(badge).toHaveCount(0);
});

test('the standalone tracker shows completed, total and remaining, then failed and completion', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const running = { status: 'Processing' as const, done: 2, failed: 1, total: 4, remaining: 1, percent: 75 };
  api.answer(getProgress, { ...progress, ...running });
  await open(`${path}?ticket=7&view=standalone`, 'user');
  const figures = figuresOf(page);
  await expect(figures).toHaveText(['Completed2', 'Total4', 'Remaining1']);
  const panel = page.getByRole('region', { name: 'Current ticket' });
  await expect(panel.getByText('Processing', { exact: true })).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Progress' });
  await expect(bar).toHaveAttribute('aria-valuenow', '75');
  await expect(page.getByText('75%', { exact: true })).toBeVisible();
  api.answer(getProgress, { ...progress, done: 3, failed: 1, total: 4 });
  await expect(figures).toHaveText(['Completed3', 'Total4', 'Failed1', 'Completion %100%']);
  await expect(page.getByText('1 items failed.', { exact: true })).toBeVisible();
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
});

test('the rates of the last polls are shown as bars, and as a table with the newest first', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const answerRate = (rate: number) =>
    api.answer(getProgress, { ...progress, status: 'Processing', rate_per_minute: rate });
  answerRate(50.4);
  await open(`${path}?ticket=7`, 'user');
  await expect(page.getByText('50 per minute')).toBeVisible();
  for (const rate of [1200, 1]) {
    answerRate(rate);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(page.getByText(`${rate.toLocaleString('en')} per minute`)).toBeVisible();
  }
  await expect(page.getByRole('img', { name: '1 row per minute' })).toBeVisible();
  await page.getByText('Show as table').click();
  const readings = page.locator('details').getByRole('row');
  await expect(readings).toHaveText([/^TimeRows per minute$/, /:\d\d1$/, /:\d\d1,200$/, /:\d\d50$/]);
});

test('the toolbars of the tracker take at most two lines at 820 px, in both languages', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  await open(`${path}?ticket=7`, 'superadmin');
  for (const [language, refresh, title] of [
    ['en', 'Refresh', 'Serial Data'],
    ['id', 'Segarkan', 'Data Nomor Seri'],
  ] as const) {
    await page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
    await page.setViewportSize({ width: 820, height: 1180 });
    const heightOf = (line: Locator) => async () => (await line.boundingBox())?.height;
    const heading = page.getByRole('heading', { name: title, exact: true });
    await expect(heading).toBeVisible();
    const refreshLine = page.getByRole('button', { name: refresh, exact: true }).locator('..');
    await expect.poll(heightOf(refreshLine), `what is tracked, ${language}`).toBeLessThan(92);
    await expect.poll(heightOf(heading.locator('../..')), `the rows’ toolbar, ${language}`).toBeLessThan(108);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
});

test('on phones each of all tickets is a card, with its failures in sight', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const file = 'Inventaris perangkat Kantor Wilayah Jawa Tengah.xlsx';
  const data = Array.from({ length: 20 }, (_, at) => ({
    ...progress,
    ...{ ticket_number: String(20 - at), file_name: file, failed: 12 + at, unavailable: 0 },
    data_deleted: false,
  }));
  api.answer(listProgress, { data });
  await page.setViewportSize({ width: 360, height: 844 });
  await open(path, 'user');
  const table = page.getByRole('table', { name: 'All tickets' });
  const beside = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(table.locator('..'), beside)).toBe(0);
  await expect(table.getByRole('columnheader')).toHaveCount(0);
  await expect(table.getByRole('link', { name: '12', exact: true })).toBeVisible();
  // The rows below stay near.
  expect((await table.locator('..').boundingBox())?.height).toBeLessThanOrEqual(340);
  const isWithin = "return getComputedStyle(element).overflowY === 'auto';";
  expect(await runOn<boolean>(table.locator('..'), isWithin)).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  // Its list goes when a ticket is selected.
  api.answer(getProgress, progress);
  await table.getByRole('button', { name: file }).first().press('Enter');
  await expect(table).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});

test('an option that is highlighted in an open list stays so when a newer ticket comes', async ({
  page,
  api,
  open,
}) => {
  const answerNumbers = (...numbers: string[]) =>
    answerFound(api, ...numbers.map((number) => ({ _id: number, ticket_number: number })));
  answerTicket(api);
  answerRows(api, makeRows(3));
  answerNumbers('7', '6', '5');
  await open('/dashboard/data?ticket=7', 'user');
  const field = selectorOf(page);
  await field.click();
  await page.keyboard.press('ArrowDown');
  answerNumbers('8', '7', '6', '5');
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(4);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/ticket=6$/);
});

test('a selector of tickets that could not be read says so, and its Retry reads it again', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  // Its answer would repeat the read before Retry is pressed.
  api.answer(getActivity, quiet);
  api.hold(getActivity);
  for (const [screen, name] of [
    ['/dashboard/data?ticket=7', 'Ticket'],
    ['/dashboard/tickets/7/compare', 'Compare with'],
  ] as const) {
    api.refuse(findTickets, 503, 'The disk is full');
    await open(screen, 'user');
    const field = page.getByRole('combobox', { name });
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toContainText('The disk is full');
    await field.click();
    await expect(page.getByText('No matches')).toHaveCount(0);
    await page.keyboard.press('Escape');
    answerFound(api, {}, { _id: '6', ticket_number: '6', file_name: 'fleet.xlsx' });
    // Held back, so that no other read ends the failure before Retry is pressed.
    const held = api.hold(findTickets);
    await page.getByRole('main').getByRole('button', { name: 'Retry' }).click();
    held.letGo();
    await expect(alert).toHaveCount(0);
    await field.click();
    await expect(page.getByRole('option', { name: '6' })).toContainText('fleet.xlsx');
  }
});

test('a selector of tickets searches on the server, and offers the ticket of a typed number that has no room', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  await open('/dashboard/tracker?ticket=7', 'user');
  const field = selectorOf(page);
  const asked = page.waitForRequest(/tickets\/find.*q=fleet/);
  answerFound(api, { _id: '9', ticket_number: '9', file_name: 'fleet.xlsx' });
  await field.fill('fleet');
  await asked;
  await expect(page.getByRole('option', { name: '9' })).toContainText('fleet.xlsx');
  const numbered = page.waitForRequest(/tickets\/find.*ticket_number=5/);
  await field.fill('#5');
  await numbered;
});

test('a running ticket is told with its company and who uploaded it', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const uploaded_by = { _id: '3', name: 'Rina Wulandari Kusumawardhani', email: 'rina@example.test' };
  const running = { ...progress, uploaded_by, status: 'Processing' as const, done: 2, remaining: 1 };
  api.answer(getProgress, running);
  api.answer(listProgress, { data: [{ ...running, data_deleted: false, unavailable: 0 }] });
  await open(path, 'user');
  const strip = page.getByRole('region', { name: 'Running now' }).getByRole('article');
  await expect(strip).toContainText('ACM001 Rina Wulandari Kusumawardhani');
  await expectAccessible(page, allWidths);
});
