import type { Page } from '@playwright/test';
import {
  importSerials,
  previewSerials,
  previewSheet,
  uploadSheet,
} from '#features/imports/imports.contract.ts';
import { listResults } from '#features/results/results.contract.ts';
import { getActivity, getTicket, type TicketMatch } from '#features/tickets/tickets.contract.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerFound, imported, ticket } from '#tests/support/browser/made-up-rows.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import {
  chooseFile,
  openUpload,
  previewOf,
  sheetPreview,
  verdictOf,
} from '#tests/support/browser/upload-screen.ts';

/** Column C looks more like IMEIs than A. */
const columnsAAndC = [
  { column: 'A', head: '', serials: 2, imeis: 0 },
  { column: 'C', head: '', serials: 120, imeis: 120 },
];

const listPreview = { ...sheetPreview, sheet: '', sheets: [], column: '', columns: [], invalid: [] };

const leaveAndReturn = async (page: Page) => {
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
};

const paste = async (page: Page, list: string) => {
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill(list);
};

/** Uploads what is chosen, and returns the body and the idempotency key of the call. */
async function upload(page: Page, api: FakeApi): Promise<{ body: string; key: string | undefined }> {
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/data/upload'));
  const button = page.getByRole('button', { name: 'Upload File' });
  await button.click();
  const key = (await sent).headers()['idempotency-key'];
  await expect(button).toBeEnabled();
  return { body: String(api.bodiesOf(uploadSheet).at(-1)), key };
}

test('corrections are sent without a preview, too: after it failed when the user came back, and while it is off', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.failWordless(uploadSheet);
  await openUpload(api, open);
  await chooseFile(page);
  await page.getByLabel('Correct cell A2').fill('356303489012342');
  const first = await upload(page, api);
  api.failWordless(previewSheet);
  await leaveAndReturn(page);
  await expect(previewOf(page).getByRole('button', { name: 'Retry' })).toBeVisible();
  const second = await upload(page, api);
  expect(second.body).toContain('{"A2":"356303489012342"}');
  // The first upload may have become a ticket, so it is repeated.
  expect(second.key).toBe(first.key);
  const isPreviewOn = page.getByRole('switch', { name: 'Preview before upload' });
  await isPreviewOn.press('Space');
  await expect(previewOf(page)).toHaveCount(0);
  expect((await upload(page, api)).body).toContain('{"A2":"356303489012342"}');
  // Later tests of this worker need it.
  await isPreviewOn.press('Space');
});

test('corrections of a column that is read in place of A stay with this column without a preview', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, { ...sheetPreview, columns: columnsAAndC, suggested_column: 'C', invalid: [] });
  const held = api.hold(previewSheet);
  api.failWordless(uploadSheet);
  await openUpload(api, open);
  await chooseFile(page);
  await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(1);
  held.letGo();
  api.answer(previewSheet, { ...sheetPreview, columns: columnsAAndC, column: 'C' });
  await page.getByLabel('Correct cell C2').fill('356303489012342');
  await expect(previewOf(page)).toContainText('Corrected: 356303489012342');
  api.failWordless(previewSheet);
  await leaveAndReturn(page);
  await expect(previewOf(page).getByRole('button', { name: 'Retry' })).toBeVisible();
  const { body } = await upload(page, api);
  expect(body).toContain('{"C2":"356303489012342"}');
  expect(body).toMatch(/name="column"\s+C\s/);
});

test('a column whose cells are corrected stays, although a better one is still being read', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, { ...sheetPreview, columns: columnsAAndC, suggested_column: 'C' });
  const first = api.hold(previewSheet);
  api.failWordless(uploadSheet);
  await page.clock.install();
  await openUpload(api, open);
  await chooseFile(page);
  await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(1);
  first.letGo();
  api.answer(previewSheet, { ...sheetPreview, columns: columnsAAndC, column: 'C' });
  api.hold(previewSheet);
  await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(2);
  await page.clock.fastForward(10_000);
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/data/preview'));
  await page.getByLabel('Correct cell A2').fill('356303489012342');
  await ended;
  const { body } = await upload(page, api);
  expect(body).toContain('{"A2":"356303489012342"}');
  expect(body).not.toMatch(/name="column"/);
});

test('a cell cannot be corrected while another column is read', async ({ page, api, open }) => {
  const columns = ['A', 'B'].map((column) => ({ column, head: '', serials: 2, imeis: 2 }));
  api.answer(previewSheet, { ...sheetPreview, columns });
  await openUpload(api, open);
  await chooseFile(page);
  const cell = page.getByLabel('Correct cell A2');
  await expect(cell).toBeEditable();
  api.answer(previewSheet, { ...sheetPreview, columns, column: 'B' });
  const held = api.hold(previewSheet);
  await previewOf(page).getByLabel('Column', { exact: true }).selectOption('B');
  await expect(cell).not.toBeEditable();
  held.letGo();
  await expect(page.getByLabel('Correct cell B2')).toBeEditable();
});

test('corrections of a file do not count in the preview of a pasted list', async ({ page, api, open }) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(previewSerials, listPreview);
  await openUpload(api, open);
  await chooseFile(page);
  await page.getByLabel('Correct cell A2').fill('356303489012342');
  await expect(verdictOf(page)).toContainText('12,001 to check');
  await paste(page, '356303489012342');
  await expect(verdictOf(page)).toContainText('12,000 to check');
});

const orderOf = (number: string): TicketMatch => ({
  ...ticket,
  _id: number,
  ticket_number: number,
  status: 'Pending',
  data_count: 50,
});

/** Lets the page find these orders instead of the ones before. */
async function changeOrders(page: Page, api: FakeApi, ...orders: TicketMatch[]): Promise<void> {
  answerFound(api, ...orders);
  api.answer(getActivity, { ...quiet, revision: `${orders.length} orders` });
  await lookAgain(page);
}

test('a file for a new ticket is not uploaded into an order that is created afterwards', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(getTicket, { ticket: { ...orderOf('41'), price_per_data: 1 } });
  api.failWordless(uploadSheet);
  await openUpload(api, open);
  await chooseFile(page);
  const button = page.getByRole('button', { name: 'Upload File' });
  await expect(button).toHaveAccessibleDescription('12,000 devices for Rp 9.600.000');
  await changeOrders(page, api, orderOf('41'));
  await expect(page.getByLabel('Upload into').getByRole('option')).toHaveCount(2);
  await expect(page.getByLabel('Upload into')).toHaveValue('');
  await expect(button).toHaveAccessibleDescription('12,000 devices for Rp 9.600.000');
  expect((await upload(page, api)).body).not.toContain('ticket_number');
});

test('a pasted list stays with its order when a newer one is created', async ({ page, api, open }) => {
  api.answer(previewSerials, listPreview);
  api.answer(getTicket, { ticket: orderOf('41') });
  await openUpload(api, open);
  await changeOrders(page, api, orderOf('41'));
  const order = page.getByLabel('Upload into');
  await expect(order).toHaveValue('41');
  await paste(page, '356303489012342');
  await changeOrders(page, api, orderOf('42'), orderOf('41'));
  await expect(order.getByRole('option')).toHaveCount(3);
  await expect(order).toHaveValue('41');
});

test('after a file or list was removed, the newest order is the default again', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(previewSerials, listPreview);
  api.answer(getTicket, { ticket: orderOf('41') });
  await openUpload(api, open);
  const order = page.getByLabel('Upload into');
  await chooseFile(page);
  await expect(verdictOf(page)).toContainText('12,000 to check');
  await page.getByRole('button', { name: 'Remove file' }).click();
  await changeOrders(page, api, orderOf('41'));
  await expect(order).toHaveValue('41');
  await paste(page, '356303489012342');
  await page.getByLabel('Serial numbers', { exact: true }).fill('');
  await changeOrders(page, api, orderOf('42'), orderOf('41'));
  await expect(order).toHaveValue('42');
  // A choice of the user stays.
  await order.selectOption('New ticket');
  await page.getByRole('tab', { name: 'File' }).click();
  await chooseFile(page);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(order).toHaveValue('');
});

test('a file that may have filled its order is repeated into it, also if it was removed and chosen again', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(getTicket, { ticket: orderOf('41') });
  api.failWordless(uploadSheet);
  await openUpload(api, open);
  await changeOrders(page, api, orderOf('41'));
  const order = page.getByLabel('Upload into');
  await expect(order).toHaveValue('41');
  await chooseFile(page);
  await upload(page, api);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await changeOrders(page, api, orderOf('43'), orderOf('42'));
  await expect(order.getByRole('option')).toHaveCount(4);
  await chooseFile(page);
  expect((await upload(page, api)).body).toMatch(/name="ticket_number"\s+41\s/);
});

test('a list that was pasted stays when a file is uploaded, and a file when a list is', async ({
  page,
  api,
  open,
}) => {
  api.answer(previewSheet, sheetPreview);
  api.answer(previewSerials, listPreview);
  api.answer(uploadSheet, imported);
  api.answer(importSerials, imported);
  await openUpload(api, open);
  // The content of the screen that follows does not matter here.
  for (const call of [getTicket, listResults]) api.failWordless(call);
  await paste(page, '356303489012342');
  await page.getByRole('tab', { name: 'File' }).click();
  await chooseFile(page);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data/);
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(page.getByText('Drag and drop your Excel file here')).toBeVisible();
  await page.getByRole('tab', { name: 'Paste' }).click();
  const list = page.getByLabel('Serial numbers', { exact: true });
  await expect(list).toHaveValue('356303489012342');
  await page.reload();
  await expect(list).toHaveValue('356303489012342');

  await page.getByRole('tab', { name: 'File' }).click();
  await chooseFile(page);
  await page.getByLabel('Correct cell A2').fill('356303489012342');
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByRole('button', { name: 'Upload Serial Numbers' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data/);
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(list).toHaveValue('');
  await page.getByRole('tab', { name: 'File' }).click();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(previewOf(page)).toContainText('Corrected: 356303489012342');
});
