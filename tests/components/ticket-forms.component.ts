import type { Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import {
  createTicket,
  deleteTicket,
  getActivity,
  getTicket,
  listTickets,
  updateTicket,
} from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { answerTickets, order } from '#tests/support/browser/made-up-tickets.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { cardOf } from '#tests/support/stories/tickets.ts';

const path = '/dashboard/tickets';

async function fillOrder(page: Page, count: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await page.getByRole('option', { name: 'ACM001 (Acme)' }).click();
  await page.getByLabel('Data Count').pressSequentially(count);
}

const submitOrder = (page: Page) => page.getByRole('button', { name: 'Create Ticket' }).click();

test('Create Ticket reads counts with the digit groups of both languages, and Cancel empties and closes the form', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, []);
  api.answer(createTicket, { ticket: order });
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
  await page.getByRole('button', { name: 'Cancel', exact: true }).press('Enter');
  await expect(count).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
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
  api.answer(updateTicket, { ticket: order });
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

test('a deleted ticket keeps its devices unless that is ticked; an order has none', async ({
  page,
  api,
  open,
}) => {
  const cancelled = {
    ...order,
    imported: true,
    status: 'Cancelled' as const,
    total: 3,
    done: 2,
    remaining: 1,
  };
  answerTickets(api, [cancelled]);
  api.answer(getTicket, { ticket: cancelled });
  api.answer(deleteTicket, { message: 'deleted' });
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') sent.push(new URL(request.url()).search);
  });
  await open(path, 'superadmin');
  const dialog = page.getByRole('dialog');
  const forget = dialog.getByRole('checkbox', { name: 'Also forget these devices' });
  for (const ticked of [true, false]) {
    await cardOf(page, '7').getByRole('button', { name: 'Delete' }).click();
    await expect(forget).not.toBeChecked();
    await forget.setChecked(ticked);
    await expectAccessible(page, allWidths);
    await dialog.getByRole('button', { name: 'Delete Ticket' }).click();
    await expect(dialog).toHaveCount(0);
  }
  expect(sent).toEqual(['?forget_devices=true', '']);

  answerTickets(api, [order]);
  api.answer(getTicket, { ticket: order });
  await open(path, 'superadmin');
  await cardOf(page, '7').getByRole('button', { name: 'Delete' }).click();
  await expect(dialog).toContainText('The ticket has no rows and no results.');
  await expect(forget).toHaveCount(0);
});

test('failed actions on tickets are shown where they happened', async ({ page, api, open }) => {
  answerTickets(api, [order]);
  api.answer(getTicket, { ticket: order });
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

test('company codes that cannot be loaded are no empty list: each selector says so', async ({
  page,
  api,
  open,
}) => {
  answerTickets(api, []);
  api.failWordless(listCompanyCodes);
  await open(path, 'superadmin');
  await expect(page.getByText('Failed to load company codes. Please try again.').first()).toBeVisible();
  await submitOrder(page);
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0);
  await expect(page.getByText('No matches')).toHaveCount(0);
});
