import type { Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { listResults, type ResultRow } from '#features/results/results.contract.ts';
import {
  createTicket,
  deleteTicket,
  getActivity,
  getTicket,
  type ListedTicket,
  listTicketNumbers,
  listTickets,
  updateTicket,
} from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/tickets';

/** An order of ACM001 that nothing was uploaded into. */
const order: ListedTicket = {
  _id: '7',
  ticket_number: '7',
  company_code: 'ACM001',
  date: '2026-01-05T03:00:00.000Z',
  status: 'Pending',
  data_count: 1000,
  total: 0,
  done: 0,
  failed: 0,
  remaining: 1000,
  percent: 0,
  known_count: 0,
  billable: 0,
  price: 50,
  current_dollar_price: 16000,
  discount: 0,
  price_per_data: 800,
  subtotal: 800_000,
  discount_amount: 0,
  total_amount: 800_000,
  file_name: null,
  imported: false,
  serial_deleted: false,
  coverage_deleted: false,
  version: 1,
  retryable: false,
  history: [],
};

function answerTickets(api: FakeApi, tickets: ListedTicket[]): void {
  const count = (status: string) => tickets.filter((ticket) => ticket.status === status).length;
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(listTickets, {
    data: tickets,
    pagination: {
      page: 1,
      limit: 12,
      totalPages: 1,
      totalItems: tickets.length,
      hasNextPage: false,
      hasPrevPage: false,
    },
    summary: {
      total: tickets.length,
      pending: count('Pending'),
      processing: count('Processing'),
      completed: count('Completed'),
      cancelled: count('Cancelled'),
    },
  });
}

async function fillOrder(page: Page, count: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await page.getByRole('option', { name: 'ACM001 (Acme)' }).click();
  await page.getByLabel('Data Count').pressSequentially(count);
}

const submitOrder = (page: Page) => page.getByRole('button', { name: 'Create Ticket' }).click();
const cardOf = (page: Page, number: string) =>
  page.getByRole('article', { name: `Ticket ${number}`, exact: true });

test('Create Ticket takes whole counts of at least 1, and Cancel empties and closes the form', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, []);
  await open(path, 'superadmin');
  await submitOrder(page);
  const count = page.getByLabel('Data Count');
  await count.fill('12');
  await count.fill('');
  await expect(count).toHaveValue('0');
  await submitOrder(page);
  await expect(page.locator('input:invalid')).toHaveAccessibleName('Data Count');
  await count.pressSequentially('7');
  await expect(count).toHaveValue('7');
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(count).toHaveCount(0);
  await submitOrder(page);
  await expect(count).toHaveValue('');
  expect(api.bodiesOf(createTicket)).toEqual([]);
});

test('Create Ticket reads counts with the digit groups of both languages', async ({ page, api, open }) => {
  answerTickets(api, []);
  const { history: _, ...ticket } = order;
  api.answer(createTicket, { ticket });
  await open(path, 'superadmin');
  await submitOrder(page);
  await fillOrder(page, '1.000');
  answerTickets(api, [order]);
  await submitOrder(page);
  await expect(cardOf(page, '7').getByText('1,000', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Data Count')).toHaveValue('');
  await expect(page.getByText(/^Enter a /)).toHaveCount(0);
  expect(api.bodiesOf(createTicket)).toEqual([{ data_count: 1000, company_code: 'ACM001' }]);
});

test('Edit Ticket reads amounts with the digit groups of both languages and refuses any other form', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, [order]);
  const { history: _, ...ticket } = order;
  api.answer(updateTicket, { ticket });
  await open(path, 'superadmin');
  await cardOf(page, '7').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const rate = dialog.getByLabel('Current Dollar Price');
  const update = dialog.getByRole('button', { name: 'Update Ticket' });
  for (const typed of ['16.00', '1,00,0', '16.000,00', 'Rp 16.000']) {
    await rate.fill(typed);
    await rate.blur();
    await expect(dialog.getByText('Enter a whole number, such as 16000 or 16,000.')).toBeVisible();
    await update.click();
    await expect(dialog.locator('input:invalid')).toHaveAccessibleName('Current Dollar Price');
  }
  await rate.fill('1.000.000.001');
  await rate.blur();
  await expect(dialog.getByText('Enter a number of at most 1,000,000,000.')).toBeVisible();
  await expectAccessible(page);
  expect(api.bodiesOf(updateTicket)).toEqual([]);

  await rate.fill('16.500');
  await dialog.getByLabel('Data Count').fill('2 500');
  await update.click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(updateTicket)).toEqual([
    { data_count: 2500, discount: 0, current_dollar_price: 16500, version: 1 },
  ]);
});

test('the menu of the ticket list says why Retry and Delete cannot be used', async ({ page, api, open }) => {
  const ended: ListedTicket = {
    ...order,
    status: 'Completed',
    data_count: 2,
    total: 2,
    done: 1,
    failed: 1,
    remaining: 0,
    percent: 100,
    file_name: 'sheet.xlsx',
    imported: true,
  };
  answerTickets(api, [
    { ...ended, retryable: true },
    { ...ended, _id: '6', ticket_number: '6' },
  ]);
  await open(`${path}?view=list`, 'superadmin');
  const final = 'RetryThese failures are final; a retry would look up no row';
  for (const [number, retry] of [
    ['7', 'Retry'],
    ['6', final],
  ] as const) {
    await page.getByRole('button', { name: `Actions for ticket ${number}` }).click();
    const remove = 'DeleteCompleted tickets cannot be deleted';
    await expect(page.getByRole('menuitem')).toHaveText(['Edit', retry, 'Compare', remove]);
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeFocused();
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
  }
});

test('failed actions on tickets are shown where they happened', async ({ page, api, open }) => {
  answerTickets(api, [order]);
  for (const call of [createTicket, updateTicket, deleteTicket]) api.failWordless(call);
  await open(path, 'superadmin');
  const card = cardOf(page, '7');
  await card.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Update Ticket' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to update ticket' })).toBeVisible();
  await page.keyboard.press('Escape');
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete Ticket' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Failed to delete ticket. Nothing was deleted; please try again.',
  );
  await page.keyboard.press('Escape');

  await submitOrder(page);
  await fillOrder(page, '3');
  await submitOrder(page);
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to create ticket' })).toBeVisible();

  api.failWordless(listTickets);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open(path, 'superadmin');
  await expect(page.getByText('Failed to fetch data', { exact: true })).toBeVisible();
  answerTickets(api, [order]);
  // Held back, so that no poll ends the failure before Retry is pressed.
  const held = api.hold(listTickets);
  await page.getByRole('button', { name: 'Retry' }).click();
  held.letGo();
  await expect(card).toBeVisible();
});

test('company codes that cannot be loaded leave the lists empty, with a message', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, []);
  api.failWordless(listCompanyCodes);
  await open(path, 'superadmin');
  await expect(page.getByText('Failed to load company codes. Reload the page to choose one.')).toHaveCount(1);
  await submitOrder(page);
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await expect(page.getByText('No matches').first()).toBeVisible();
});

test('a company beyond the first hundred can be chosen and stays chosen', async ({ page, api, open }) => {
  answerTickets(api, []);
  const codes = Array.from({ length: 150 }, (_, index) => `C${index + 1}`);
  api.answer(listCompanyCodes, {
    data: codes.map((code) => ({ company_code: code, company_name: 'Acme' })),
  });
  const codesRead = api.hold(listCompanyCodes);
  await open(`${path}?code=C130`, 'superadmin');
  const field = page.getByRole('combobox', { name: 'Filter by code' });
  const active = async () => {
    const id = await field.getAttribute('aria-activedescendant');
    return page.locator(`[id="${id}"]`).textContent();
  };
  // Opened before the companies are there.
  await field.click();
  await expect.poll(active).toBe('All Code');
  codesRead.letGo();
  await expect.poll(active).toBe('C130 (Acme)');
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toHaveText('C130 (Acme)');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('C130 (Acme)');
  await expect(page).toHaveURL(/code=C130$/);

  await field.click();
  await page.keyboard.type('c14');
  await expect.poll(active).toBe('C14 (Acme)');
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).toBe('C140 (Acme)');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/code=C140$/);
  await field.click();
  await page.keyboard.type('C1');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('C140 (Acme)');
});

test('an option that is highlighted in an open list stays so when a newer ticket comes', async ({
  page,
  api,
  open,
}) => {
  const numbered = (number: string) => ({ ...order, _id: number, ticket_number: number, finished: 0 });
  const answerNumbers = (...numbers: string[]) =>
    api.answer(listTicketNumbers, { data: numbers.map(numbered) });
  // Neither running nor with a file: nothing else is read about it.
  const { history: _, ...ticket } = { ...order, status: 'Cancelled' as const };
  api.answer(getTicket, { ticket });
  const pagination = {
    page: 1,
    limit: 10,
    totalPages: 0,
    totalItems: 0,
    hasNextPage: false,
    hasPrevPage: false,
  };
  api.answer(listResults, { data: [], pagination, ticket });
  answerNumbers('7', '6', '5');
  await open('/dashboard/data?ticket=7', 'user');
  const field = page.getByRole('combobox', { name: 'Ticket' });
  await field.click();
  await page.keyboard.press('ArrowDown');
  answerNumbers('8', '7', '6', '5');
  api.answer(getActivity, { ...quiet, revision: '1' });
  // A page that is looked at again asks at once what has changed.
  await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(4);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/ticket=6$/);
});

test('the numbers of rows have digit groups, as the pages have', async ({ page, api, open }) => {
  const { history: _, ...ticket } = { ...order, status: 'Cancelled' as const, total: 1_000_000 };
  api.answer(getTicket, { ticket });
  api.answer(listTicketNumbers, { data: [] });
  const nothing = { type: null, activation_status: null, purchase_date: null, warranty_title: null };
  const row: ResultRow = {
    ...nothing,
    _id: '1',
    position: 1_000_000,
    serial_number: '353901100000001',
    state: 'pending',
    sheet_row: 2,
    coverage_start_date: null,
    coverage_end_date: null,
    coverage_expires: null,
    timestamp: null,
    reason: null,
    details: null,
    original: null,
    source: null,
    attempts: 0,
    egress: null,
    cached: null,
  };
  const pagination = {
    page: 1,
    limit: 10,
    totalPages: 1,
    totalItems: 1,
    hasNextPage: false,
    hasPrevPage: false,
  };
  api.answer(listResults, { data: [row], pagination, ticket });
  await open('/dashboard/data?ticket=7', 'user');
  const number = page.getByRole('button', { name: 'Open row 1,000,000' });
  await expect(number).toHaveText('1,000,000');
  // The number and the box that selects its row do not touch.
  const [box, text] = [page.getByRole('checkbox').nth(1), number];
  const gap = async () => {
    const [left, right] = [await box.boundingBox(), await text.boundingBox()];
    return (right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0);
  };
  await expect.poll(gap).toBeGreaterThan(4);
  await number.click();
  await expect(page.getByRole('heading', { name: 'Row 1,000,000' })).toBeVisible();
});
