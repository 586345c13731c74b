import { getOriginal } from '#features/results/results.contract.ts';
import { getActivity, getTicket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import {
  answerFound,
  answerRows,
  answerTicket,
  makeRows,
  ticket,
} from '#tests/support/browser/made-up-rows.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { openUpload } from '#tests/support/browser/upload-screen.ts';

test.beforeEach(({ api }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  api.failWordless(getTicket);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
});

test('the page of a ticket that could not be read says so on each of its tabs', async ({
  page,
  api,
  open,
}) => {
  await open('/dashboard/tickets/7', 'user');
  const main = page.getByRole('main');
  await expect(main.getByText('Ticket could not be loaded.')).toBeVisible();
  await expectAccessible(page);
  await main.getByRole('tab', { name: 'Price' }).click();
  await expect(main.getByText('Ticket could not be loaded.')).toHaveCount(0);
  await expect(main.getByRole('alert')).toHaveText('Failed to fetch data');
  api.answer(getTicket, { ticket });
  await main.getByRole('button', { name: 'Retry' }).click();
  await expect(main).toContainText('Rp 2.400');
});

for (const [path, missing] of [
  ['data?ticket=7', 'Ticket could not be loaded.'],
  ['tracker?ticket=7', 'Ticket could not be loaded.'],
  ['tracker?ticket=7&view=standalone', 'Expected Count could not be loaded.'],
] as const) {
  test(`a ticket that could not be read is missed once at ${path}`, async ({ page, api, open }) => {
    await open(`/dashboard/${path}`, 'user');
    const main = page.getByRole('main');
    await expect(main.getByRole('alert')).toHaveText(`${missing}Retry`);
    api.answer(getTicket, { ticket });
    await main.getByRole('button', { name: 'Retry' }).click();
    await expect(main.getByRole('alert')).toHaveCount(0);
  });
}

test('the downloads say that the state of the uploaded file could not be read', async ({
  page,
  api,
  open,
}) => {
  api.answer(getTicket, { ticket });
  api.failWordless(getOriginal);
  await open('/dashboard/data?ticket=7', 'user');
  await page.getByRole('button', { name: 'Download' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download' });
  await expect(dialog).toContainText('My sheet with results could not be loaded.');
  api.answer(getOriginal, { state: 'kept' });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog.getByRole('button', { name: 'My sheet with results' })).toBeEnabled();
});

test('the price of an order that could not be read is not still loading', async ({ page, api, open }) => {
  await openUpload(api, open);
  answerFound(api, { kind: 'order', status: 'Pending' });
  await open('/dashboard/upload', 'user');
  const field = page.getByLabel('Upload into');
  await expect(page.getByText('Price could not be loaded.')).toBeVisible();
  await expect(field).not.toHaveAccessibleDescription('Loading…');
  api.answer(getTicket, { ticket });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field).toHaveAccessibleDescription('Price per data: Rp 800 · Discount (0%)');
});
