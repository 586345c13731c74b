import type { Page } from '@playwright/test';
import { previewSheet, uploadSheet } from '#features/imports/imports.contract.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { chooseFile, openUpload, previewOf, sheetPreview } from '#tests/support/browser/upload-screen.ts';

const leaveAndReturn = async (page: Page) => {
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Change Password' })).toBeVisible();
  await page.getByRole('link', { name: 'Upload Data' }).first().click();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
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
  const columns = [
    { column: 'A', head: '', serials: 2, imeis: 0 },
    { column: 'C', head: '', serials: 120, imeis: 120 },
  ];
  api.answer(previewSheet, { ...sheetPreview, columns, suggested_column: 'C', invalid: [] });
  const held = api.hold(previewSheet);
  api.failWordless(uploadSheet);
  await openUpload(api, open);
  await chooseFile(page);
  await expect.poll(() => api.bodiesOf(previewSheet).length).toBe(1);
  held.letGo();
  api.answer(previewSheet, { ...sheetPreview, columns, column: 'C' });
  await page.getByLabel('Correct cell C2').fill('356303489012342');
  await expect(previewOf(page)).toContainText('Corrected: 356303489012342');
  api.failWordless(previewSheet);
  await leaveAndReturn(page);
  await expect(previewOf(page).getByRole('button', { name: 'Retry' })).toBeVisible();
  const { body } = await upload(page, api);
  expect(body).toContain('{"C2":"356303489012342"}');
  expect(body).toMatch(/name="column"\s+C\s/);
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
