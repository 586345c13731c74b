import type { Locator, Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import {
  createTicket,
  deleteTicket,
  getActivity,
  type ListedTicket,
  listProgress,
  listTickets,
  retryTicket,
  updateTicket,
} from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

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

test('Create Ticket reads counts with the digit groups of both languages, and Cancel empties and closes the form', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, []);
  const { history: _, ...ticket } = order;
  api.answer(createTicket, { ticket });
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

  await fillOrder(page, '1.000');
  answerTickets(api, [order]);
  await submitOrder(page);
  await expect(cardOf(page, '7').getByText('1,000', { exact: true })).toBeVisible();
  await expect(count).toHaveValue('');
  await expect(page.getByText(/^Enter a /)).toHaveCount(0);
  expect(api.bodiesOf(createTicket)).toEqual([{ data_count: 1000, company_code: 'ACM001' }]);
});

test('Edit Ticket requires amounts with the digit groups of either language, and says that it is busy', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, [order]);
  const { history: _, ...ticket } = order;
  api.answer(updateTicket, { ticket });
  const saving = api.hold(updateTicket);
  await open(path, 'superadmin');
  await cardOf(page, '7').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  const rate = dialog.getByLabel('Current Dollar Price');
  const [count, discount] = [dialog.getByLabel('Data Count'), dialog.getByLabel('Discount')];
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
  for (const field of [count, discount, rate]) await field.fill('');
  await update.click();
  await expect(dialog.locator('input:invalid')).toHaveCount(3);
  await count.fill('0');
  await discount.fill('100');
  await rate.fill('0');
  await expect(dialog.locator('input:invalid')).toHaveCount(2);
  expect(api.bodiesOf(updateTicket)).toEqual([]);

  await rate.fill('16.500');
  await count.fill('2 500');
  await update.click();
  await expect(dialog.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  answerTickets(api, [{ ...order, discount: 100 }]);
  saving.letGo();
  await expect(dialog).toHaveCount(0);
  await expect(cardOf(page, '7').getByText('Discount (100%)')).toBeVisible();
  expect(api.bodiesOf(updateTicket)).toEqual([
    { data_count: 2500, discount: 100, current_dollar_price: 16500, version: 1 },
  ]);
});

test('each ticket status has its colour, icon and word, and the bar moves only while Processing', async ({
  page,
  api,
  open,
}) => {
  const looks = [
    ['Pending', 'rgb(253, 241, 199)', 'Waiting to start.'],
    ['Processing', 'rgb(225, 237, 253)', null],
    ['Completed', 'rgb(219, 243, 227)', '2 items failed.'],
    ['Cancelled', 'rgb(253, 230, 228)', 'Processing was cancelled.'],
  ] as const;
  const counts = { total: 3, done: 1, failed: 2, remaining: 0, percent: 60, imported: true };
  api.answer(listProgress, { data: [] });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  answerTickets(
    api,
    looks.map(([status], index) => ({
      ...order,
      ...counts,
      status,
      _id: `${index}`,
      ticket_number: `${index}`,
    })),
  );
  await open(path, 'superadmin');
  for (const [index, [status, colour, message]] of looks.entries()) {
    const card = cardOf(page, `${index}`);
    const badge = card.locator('.status-badge');
    await expect(badge).toHaveText(status);
    await expect(badge).toHaveCSS('background-color', colour);
    await expect(badge.locator('svg')).toHaveCount(1);
    if (message) await expect(card.getByText(message, { exact: true })).toBeVisible();
    const bar = card.getByRole('progressbar');
    await expect(bar).toHaveAttribute('aria-valuenow', status === 'Completed' ? '100' : '60');
    const fill = bar.locator('> *').first();
    await expect(fill).toHaveCSS('animation-name', status === 'Processing' ? /^(?!none)/ : 'none');
  }
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('of two retries each keeps its own button busy until its own end', async ({ page, api, open }) => {
  const { history: _, ...ticket } = order;
  const failed = {
    ...order,
    status: 'Completed' as const,
    total: 2,
    done: 1,
    failed: 1,
    imported: true,
    retryable: true,
  };
  answerTickets(api, [failed, { ...failed, _id: '6', ticket_number: '6' }]);
  api.answer(retryTicket, { ticket });
  await open(path, 'superadmin');
  const [first, second] = ['7', '6'].map((number) =>
    cardOf(page, number).getByRole('button', { name: /^Retry/ }),
  ) as [Locator, Locator];
  const begin = async (button: Locator, count: number) => {
    const held = api.hold(retryTicket);
    await button.click();
    await expect(button).toHaveText('Retrying...');
    await expect.poll(() => api.bodiesOf(retryTicket)).toHaveLength(count);
    return held;
  };
  const ofFirst = await begin(first, 1);
  const ofSecond = await begin(second, 2);
  await expect(first).toHaveText('Retrying...');
  ofFirst.letGo();
  await expect(first).toHaveText('Retry');
  await expect(second).toHaveText('Retrying...');
  ofSecond.letGo();
  await expect(second).toHaveText('Retry');
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
