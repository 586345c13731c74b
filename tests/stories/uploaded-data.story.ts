import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const deleteText = 'Are you sure you want to delete all data for this ticket? This action cannot be undone.';

test('uploaded data shows the first ticket, and another by the selector', async ({ page, user, signIn }) => {
  const older = await uploadAndFinish(user, makeImeis(12));
  const newer = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.goto('/dashboard/data?view=uploaded');
  const table = page.getByRole('table', { name: 'Uploaded Data' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'No.',
    'Ticket Number',
    'Serials',
    'Upload Date',
  ]);
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText(newer);

  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await expect(selector).toHaveAttribute('placeholder', 'Select a ticket');
  await expect(selector).toHaveAttribute('aria-expanded', 'false');
  await selector.click();
  await expect(selector).toHaveAttribute('aria-expanded', 'true');
  await page
    .getByRole('listbox')
    .getByRole('option', { name: `serials.xlsx #${older}`, exact: true })
    .click();
  await expect(page.getByText('Showing 1 to 10 of 12 entries')).toBeVisible();
  const sizes = page.getByLabel('Rows per page').getByRole('option');
  await expect(sizes).toHaveText(['10', '20', '50', '100']);

  const reading = await holdRequests(page, 'GET', '**/api/data/*?page=2*');
  const asked = page.waitForRequest('**/api/data/*?page=2*');
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: '2' }).click();
  await asked;
  const numbers = table.getByRole('cell').and(table.locator('td:first-child'));
  await expect(numbers).toHaveText(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  reading.letGo();
  await expect(numbers).toHaveText(['11', '12']);

  await page.getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByRole('dialog').getByText(deleteText, { exact: true })).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No data found for this ticket')).toBeVisible();
});

test('uploaded data shows a ticket that still has uploaded rows', async ({ page, user, signIn }) => {
  const older = await uploadAndFinish(user, makeImeis(2));
  const newer = await uploadAndFinish(user, makeImeis(2));
  await call('DELETE', `/data/${newer}`, undefined, await tokenOf(user));
  await signIn(page, user);
  await page.goto('/dashboard/data?view=uploaded');
  const table = page.getByRole('table', { name: 'Uploaded Data' });
  await expect(table.getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText(older);
  await page.getByRole('tab', { name: 'Serial Data' }).click();
  await expect(page.getByRole('table', { name: 'Serial Data' })).toBeVisible();
});
