import { readFile } from 'node:fs/promises';
import { readResultsSheet } from '#tests/support/api/exports.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const deleteText = 'Are you sure you want to delete all data for this ticket? This action cannot be undone.';
const failing = { status: 500, json: { message: 'The disk is full', error: 'The disk is full', code: 'x' } };

test('rows are downloaded in both formats and four scopes, with a spinner on that option alone', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, makeImeis(12));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await page.getByRole('button', { name: 'Download Data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Download Data' });
  await expect(dialog.getByRole('radio', { name: 'Excel (.xlsx)' })).toBeChecked();

  const download = await holdRequests(page, 'GET', '**/api/imei/download?*');
  const excel = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'All Data' }).click();
  await expect(dialog.getByRole('button', { name: 'All Data' })).toHaveAttribute('aria-busy', 'true');
  await expect(page.locator('.mantine-Loader-root')).toHaveCount(1);
  await expect(
    dialog.getByRole('button', { name: 'All Data' }).locator('.mantine-Loader-root'),
  ).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Active Only', exact: true })).toBeDisabled();
  download.letGo();
  expect((await excel).suggestedFilename()).toMatch(
    new RegExp(`^imei_${ticket}_\\d{4}-\\d\\d-\\d\\d\\.xlsx$`),
  );
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Download Data' }).click();
  const annotated = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'My sheet with results' }).click();
  expect((await annotated).suggestedFilename()).toBe('serials.xlsx');
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Download Data' }).click();
  await dialog.getByRole('radio', { name: 'JSON (.json)' }).check();
  const json = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Active Only', exact: true }).click();
  const file = await json;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^imei_${ticket}_active_\\d{4}-\\d\\d-\\d\\d\\.json$`));
  const rows: { activation_status: string }[] = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(rows.every((row) => row.activation_status === 'activated')).toBe(true);

  await page.getByRole('button', { name: 'Download Data' }).click();
  const inactive = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Inactive Only' }).click();
  expect((await inactive).suggestedFilename()).toMatch(
    new RegExp(`^imei_${ticket}_inactive_\\d{4}-\\d\\d-\\d\\d\\.xlsx$`),
  );
});

for (const role of ['user', 'superadmin'] as const) {
  test(`a workbook has columns with the origin of each result if a ${role} chooses them`, async ({
    page,
    user,
    superadmin,
    signIn,
  }) => {
    const ticket = await uploadAndFinish(user, makeImeis(2));
    await signIn(page, role === 'user' ? user : superadmin);
    await page.goto(role === 'user' ? '/dashboard/data' : `/dashboard/tickets/${ticket}?view=results`);
    await page.getByRole('button', { name: 'Download Data' }).click();
    const dialog = page.getByRole('dialog', { name: 'Download Data' });
    await takePictures(page, allWidths);
    await dialog.getByRole('radio', { name: 'JSON (.json)' }).check();
    const origins = dialog.getByRole('checkbox', { name: 'Add columns with the origin of each result' });
    await expect(origins).toBeHidden();
    await dialog.getByRole('radio', { name: 'Excel (.xlsx)' }).check();
    await origins.check();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'All Data' }).click();
    const [heads] = readResultsSheet(await readFile(await (await download).path()));
    expect(heads?.slice(-5)).toEqual(['Original', 'Source', 'Attempts', 'Network Route', 'From Cache']);
  });
}

test('Data Management has a selector once there are several tickets, and deletes all data of one after a question', async ({
  page,
  user,
  signIn,
}) => {
  const older = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const rows = page.getByRole('table', { name: 'Serial Data' }).locator('tbody tr');
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await expect(rows).toHaveCount(2);
  await expect(selector).toHaveCount(0);
  const newest = await uploadAndFinish(user, makeImeis(3));
  await page.reload();
  await expect(rows).toHaveCount(3);
  await expect(selector).toHaveValue(`serials.xlsx #${newest}`);
  await selector.click();
  await page
    .getByRole('listbox')
    .getByRole('option', { name: `serials.xlsx #${older}`, exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(rows).toHaveCount(2);
  const facts = new RegExp(`^${user.name} · [^·]+$`);
  // Closed, the selector tells its ticket apart, too.
  await expect(selector).toHaveValue(`serials.xlsx #${older}`);
  await expect(selector).toHaveAccessibleDescription(facts);
  const banner = page.getByRole('region', { name: 'Current ticket' });
  const told = banner.getByText(facts);
  for (const width of [390, 820, 1920, 1280]) {
    await page.setViewportSize({ width, height: 1600 });
    await expect(told).toBeInViewport({ ratio: 1 });
  }

  const opener = page.getByRole('button', { name: 'Delete All' });
  await goWithin(page, '/dashboard/data?view=uploaded');
  await opener.click();
  const dialog = page.getByRole('dialog', { name: `Delete all data of serials.xlsx #${newest}` });
  await expect(dialog.getByRole('radio', { name: '3 uploaded rows and 3 results' })).toBeChecked();
  await expect(dialog).toContainText('KeptThe ticket with its counts and price');
  await dialog.getByRole('radio', { name: '3 uploaded rows', exact: true }).check();
  await expect(dialog).toContainText('Kept3 results; the ticket with its counts and price');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('tab', { name: 'Serial Data' }).click();
  await expect(rows).toHaveCount(3);
  await opener.click();
  await expect(dialog.getByText(deleteText, { exact: true })).toBeVisible();
  await dialog.getByRole('radio', { name: '3 results', exact: true }).check();
  await expect(dialog).toContainText('Kept3 uploaded rows; the ticket with its counts and price');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await dialog.getByRole('radio', { name: '3 results', exact: true }).check();
  await dialog.getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No serial data available')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(banner).toContainText('Total Records3');
  await expect(banner).toContainText(
    `The results of serials.xlsx #${newest} were deleted. 3 uploaded rows are kept.`,
  );
  await expect(page.getByText('A newer ticket has arrived')).toHaveCount(0);
  await selector.fill(older);
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(2);

  // The half that is left.
  await goWithin(page, `/dashboard/data?view=uploaded&ticket=${newest}`);
  await opener.click();
  await expect(dialog).toContainText('Deleted3 uploaded rows');
  await dialog.getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No data found for this ticket')).toBeVisible();
});

test.describe('what fails', () => {
  test.use({ allowedComplaints: [/status of (500|404|400)|ERR_FAILED/] });

  test('a read, a download or a deletion that fails shows its reason where it failed', async ({
    page,
    user,
    signIn,
  }) => {
    const ticket = await uploadAndFinish(user, makeImeis(2));
    await signIn(page, user);
    // Its answer would repeat a read before Retry is pressed.
    await holdRequests(page, 'GET', '**/api/tickets/activity*');
    await page.route('**/api/imei?*', (route) => route.fulfill(failing));
    await page.goto('/dashboard/data');
    const retry = page.getByRole('button', { name: 'Retry' });
    await expect(page.getByText('The disk is full')).toBeVisible();
    await page.unroute('**/api/imei?*');
    await page.route('**/api/imei?*', (route) => route.abort());
    await retry.click();
    await expect(page.getByText('Failed to fetch data')).toBeVisible();
    await page.unroute('**/api/imei?*');
    await retry.click();
    await expect(page.getByRole('table')).toBeVisible();

    await failWordless(page, '**/api/imei/download?*');
    await failWordless(page, /\/api\/imei\/\d+$/);
    await page.getByRole('button', { name: 'Download Data' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'All Data' }).click();
    const unsaved = 'Failed to download data. No file was saved; please try again.';
    await expect(dialog.getByRole('alert')).toHaveText(unsaved);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete All' }).click();
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to delete all of the data. The list shows what is left; please try again.',
    );
    await page.unroute(/\/api\/imei\/\d+$/);
    await page.keyboard.press('Escape');

    await failWordless(page, `**/api/data/${ticket}?*`);
    await page.getByRole('tab', { name: 'Uploaded Data' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
    await page.unroute(`**/api/data/${ticket}?*`);
    await retry.click();
    await expect(page.getByRole('table', { name: 'Uploaded Data' })).toBeVisible();

    await page.route(/counts=1/, (route) => route.fulfill(failing));
    await goWithin(page, `/dashboard/tracker?ticket=${ticket}`);
    const unread = page.getByRole('main').getByRole('alert').filter({ hasText: 'Type, Warranty' });
    await expect(unread).toContainText('Counts, Type, Warranty could not be loaded.');
    await expect(page.getByRole('table')).toBeVisible();
    const types = page.getByRole('combobox', { name: 'Type' });
    await expect(types).toHaveCount(0);
    await takePictures(page, allWidths);
    await page.unroute(/counts=1/);
    await unread.getByRole('button', { name: 'Retry' }).click();
    await expect(types).toBeVisible();
    await expect(unread).toHaveCount(0);
    await page.getByRole('button', { name: 'Excel (.xlsx)' }).click();
    await expect(page.getByRole('alert').filter({ hasText: unsaved })).toBeVisible();

    // The first half is deleted, the second not.
    await failWordless(page, `**/api/data/${ticket}`);
    await page.getByRole('button', { name: 'Delete All' }).click();
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog.getByRole('alert')).toContainText('The list shows what is left');
    await expect(dialog).toContainText('Deleted2 uploaded rows');
  });
});
