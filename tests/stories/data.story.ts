import { readFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const deleteText = 'Are you sure you want to delete all data for this ticket? This action cannot be undone.';
const failing = { status: 500, json: { message: 'The disk is full', error: 'The disk is full', code: 'x' } };

test('Data Management shows the rows of the newest ticket, page by page', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(65));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const table = page.getByRole('table', { name: 'Serial Data' });
  await expect(table.getByRole('columnheader')).toHaveText([
    'No',
    'Serial Number',
    'Type',
    'Status',
    'Purchase Date',
    'Warranty',
    'Coverage Start',
    'Coverage End',
    'Expires In',
    'Fetched At',
  ]);
  const banner = page.getByRole('region', { name: 'Current ticket' });
  await expect(banner).toContainText(`Ticket Number${ticket}`);
  await expect(banner).toContainText('StatusCompleted');
  await expect(banner).toContainText('Total Records65');
  await expect(page.getByText('Sandbox: the data is simulated')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(11);
  await expect(table.getByText(makeImeis(1)[0] ?? '', { exact: true })).toBeVisible();

  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(page.getByText('Showing 1 to 10 of 65 entries')).toBeVisible();
  await expect(pages.getByRole('button')).toHaveText(['', '1', '2', '3', '4', '5', '7', '']);
  await pages.getByRole('button', { name: '7' }).click();
  await expect(page.getByText('Showing 61 to 65 of 65 entries')).toBeVisible();
  await expect(pages.getByRole('button')).toHaveText(['', '1', '3', '4', '5', '6', '7', '']);
  await expect(pages.getByRole('button', { name: 'Next page' })).toBeDisabled();
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('61');
  await expect(page).toHaveURL(/page=7/);
  await page.goBack();
  await expect(page.getByText('Showing 1 to 10 of 65 entries')).toBeVisible();

  const size = page.getByLabel('Rows per page');
  await expect(size.getByRole('option')).toHaveText(['10', '50', '100', '500', '1000']);
  await pages.getByRole('button', { name: '3' }).click();
  await size.selectOption('50');
  await expect(page.getByText('Showing 1 to 50 of 65 entries')).toBeVisible();
  await size.selectOption('100');
  await expect(table.getByRole('row')).toHaveCount(66);
  await expect(page.getByText(/^Showing/)).toHaveCount(0);
  await expect(pages).toHaveCount(0);
  await expectAccessible(page);
});

test('the slash key focuses the search, which filters the rows', async ({ page, user, signIn }) => {
  const [wanted = ''] = makeImeis(30).slice(-1);
  await uploadAndFinish(user, [...makeImeis(30), 'abc 123']);
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await expect(page.getByText('Showing 1 to 10 of 31 entries')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type(wanted.slice(-7));
  const found = page.getByRole('table').getByRole('row');
  await expect(found).toHaveCount(2);
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();
  await expect(found.nth(1).getByRole('cell').first()).toHaveText('30');
  const field = page.getByRole('searchbox');
  await field.fill('nothing like it');
  await expect(page.getByText('No row matches the search.')).toBeVisible();

  // What is typed stays while the address follows.
  await field.fill('');
  await field.pressSequentially('abc ');
  await expect(page).toHaveURL(/q=abc$/);
  await field.pressSequentially('123');
  await expect(field).toHaveValue('abc 123');
  await expect(page).toHaveURL(/q=abc\+123$/);
  await expect(found).toHaveCount(2);
  await expect(found.nth(1).getByRole('cell').first()).toHaveText('31');
  await page.goto(`/dashboard/data?q=${'x'.repeat(1100)}`);
  await expect(page.getByText('No row matches the search.')).toBeVisible();
  await page.getByRole('link', { name: 'Data Management' }).click();
  await expect(field).toHaveValue('');
});

test('rows are downloaded in both formats and three scopes, with a spinner on the option', async ({
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
  await expectAccessible(page);

  const download = await holdRequests(page, 'GET', '**/api/imei/download?*');
  const excel = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'All Data' }).click();
  await expect(dialog.getByRole('button', { name: 'All Data' })).toHaveAttribute('aria-busy', 'true');
  await expect(dialog.getByRole('button', { name: 'Active Only', exact: true })).toBeDisabled();
  download.letGo();
  expect((await excel).suggestedFilename()).toMatch(
    new RegExp(`^imei_${ticket}_\\d{4}-\\d\\d-\\d\\d\\.xlsx$`),
  );
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Download Data' }).click();
  const annotated = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'My sheet with results' }).click();
  expect((await annotated).suggestedFilename()).toBe(`annotated_${ticket}.xlsx`);
  await expect(dialog).toBeHidden();

  await page.getByRole('button', { name: 'Download Data' }).click();
  await dialog.getByRole('radio', { name: 'JSON (.json)' }).check();
  const json = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Active Only', exact: true }).click();
  const file = await json;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^imei_${ticket}_active_\\d{4}-\\d\\d-\\d\\d\\.json$`));
  const rows: { activation_status: string }[] = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(rows.every((row) => row.activation_status === 'activated')).toBe(true);
});

test('Delete All asks first, shows the count and deletes all rows', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(3));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const opener = page.getByRole('button', { name: 'Delete All' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: `Delete all data of ticket ${ticket}` });
  await expect(dialog.getByText(deleteText, { exact: true })).toBeVisible();
  await expect(dialog).toContainText('Deleted3 results');
  await expect(dialog).toContainText('Kept3 uploaded rows; the ticket with its counts and price');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await opener.click();
  await dialog.getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No serial data available')).toBeVisible();
  await expect(dialog).toBeHidden();
  const banner = page.getByRole('region', { name: 'Current ticket' });
  await expect(banner).toContainText('Total Records3');
  await expect(banner).toContainText(
    `The results of ticket ${ticket} were deleted. 3 uploaded rows are kept.`,
  );
});

test('Data Management without tickets says how to begin', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await expect(page.getByText('No serial data available')).toBeVisible();
  await page.getByRole('tab', { name: 'Uploaded Data' }).click();
  await expect(page.getByText('Please select a ticket to view data')).toBeVisible();
  await expectAccessible(page);
});

test.describe('a read that fails', () => {
  test.use({ allowedComplaints: [/status of 500|ERR_FAILED/] });

  test('a failed read shows its reason in place of the table, with Retry', async ({ page, user, signIn }) => {
    await uploadAndFinish(user, makeImeis(1));
    await signIn(page, user);
    // Its answer would repeat the read before Retry is pressed.
    await holdRequests(page, 'GET', '**/api/tickets/activity*');
    await page.route('**/api/imei?*', (route) => route.fulfill(failing));
    await page.goto('/dashboard/data');
    await expect(page.getByText('The disk is full')).toBeVisible();
    await page.unroute('**/api/imei?*');
    await page.route('**/api/imei?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByText('Failed to fetch data')).toBeVisible();
    await page.unroute('**/api/imei?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('table')).toBeVisible();
    await page.route(/counts=1/, (route) => route.fulfill(failing));
    await page.reload();
    await expect(page.getByText('The counts could not be loaded. The rows are complete.')).toBeVisible();
    await expect(page.getByRole('table')).toBeVisible();
  });
});

test('the older of two tickets can be chosen after the newest is deleted', async ({ page, user, signIn }) => {
  const older = await uploadAndFinish(user, makeImeis(2));
  const newest = await uploadAndFinish(user, makeImeis(3));
  await signIn(page, user);
  await page.goto('/dashboard/data?view=uploaded');
  await page.getByRole('button', { name: 'Delete All' }).click();
  const question = page.getByRole('dialog', { name: `Delete all data of ticket ${newest}` });
  await expect(question).toContainText('Deleted3 uploaded rows');
  await expect(question).toContainText('Kept3 results; the ticket with its counts and price');
  await question.getByRole('button', { name: 'Cancel' }).click();

  await page.goto('/dashboard/data');
  await page.getByRole('button', { name: 'Delete All' }).click();
  await question.getByRole('button', { name: 'Delete All' }).click();
  await expect(page.getByText('No serial data available')).toBeVisible();
  await expect(page.getByText('A newer ticket has arrived')).toHaveCount(0);
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await selector.fill(older);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Serial Data' }).getByRole('row')).toHaveCount(3);
});

test('Data Management shows the newest ticket, and has a selector once there are several', async ({
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
  const newer = await uploadAndFinish(user, makeImeis(3));
  await page.reload();
  await expect(rows).toHaveCount(3);
  await expect(selector).toHaveValue(newer);
  await selector.click();
  await page.getByRole('listbox').getByRole('option', { name: older, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`ticket=${older}$`));
  await expect(rows).toHaveCount(2);

  // Closed, the selector tells its ticket apart, too.
  await expect(selector).toHaveValue(older);
  await expect(selector).toHaveAccessibleDescription(/^serials\.xlsx · .+ · 2 rows · Completed$/);
  const told = page
    .getByRole('region', { name: 'Current ticket' })
    .getByText(/^serials\.xlsx · .+ · 2 rows · Completed$/);
  for (const width of [390, 820, 1280, 1920]) {
    await page.setViewportSize({ width, height: 1600 });
    await expect(told).toBeInViewport({ ratio: 1 });
  }
});

test('downloads of inactive devices, a spinner on that option alone', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(12));
  await signIn(page, user);
  const held = await holdRequests(page, 'GET', '**/api/imei/download?*');
  await page.goto('/dashboard/data');
  await page.getByRole('button', { name: 'Download Data' }).click();
  const file = page.waitForEvent('download');
  const option = page.getByRole('button', { name: 'Inactive Only' });
  await option.click();
  await expect(page.locator('.mantine-Loader-root')).toHaveCount(1);
  await expect(option.locator('.mantine-Loader-root')).toBeVisible();
  held.letGo();
  expect((await file).suggestedFilename()).toMatch(
    new RegExp(`^imei_${ticket}_inactive_\\d{4}-\\d\\d-\\d\\d\\.xlsx$`),
  );
});

test.describe('failures without any words of the server', () => {
  test.use({ allowedComplaints: [/status of (500|404|400)/] });

  test('a failed download and a failed deletion are shown on Data Management', async ({
    page,
    user,
    signIn,
  }) => {
    const ticket = await uploadAndFinish(user, makeImeis(2));
    await signIn(page, user);
    await failWordless(page, '**/api/imei/download?*');
    await failWordless(page, /\/api\/imei\/\d+$/);
    await page.goto('/dashboard/data');
    await page.getByRole('button', { name: 'Download Data' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'All Data' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to download data. No file was saved; please try again.',
    );
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete All' }).click();
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'Failed to delete data. Nothing was deleted; please try again.',
    );

    await page.goto(`/dashboard/tracker?ticket=${ticket}`);
    await page.getByRole('button', { name: 'Excel (.xlsx)' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'Failed to download data. No file was saved; please try again.',
    );
  });
});

test('an open row keeps its ticket when a newer one arrives, which is announced with a link', async ({
  page,
  user,
  signIn,
}) => {
  const serials = makeImeis(15);
  const first = await uploadAndFinish(user, serials);
  await signIn(page, user);
  await page.goto('/dashboard/data');
  // Found by its serial: until the rows are read, empty ones stand in their place.
  const row = page.getByRole('row').filter({ hasText: serials[2] ?? '' });
  await row.getByRole('cell').nth(4).click();
  await expect(page).toHaveURL(/row=3/);
  const newer = await uploadAndFinish(user, makeImeis(4, '86312388'));
  const announced = page.getByText(`A newer ticket has arrived: ${newer}.`);
  await expect(announced).toBeVisible();
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText(first);
  await expect(page).toHaveURL(new RegExp(`ticket=${first}&row=3$`));
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: `Open ticket ${newer}` }).click();
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText(newer);
  await expect(announced).toHaveCount(0);
});

test('a switch of the language keeps the ticket shown when a newer one has arrived', async ({
  page,
  user,
  signIn,
}) => {
  const first = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText(first);
  const newer = await uploadAndFinish(user, makeImeis(1, '86312388'));
  await expect(page.getByText(`A newer ticket has arrived: ${newer}.`)).toBeVisible();
  const read = page.waitForResponse(/\/api\/imei\?/);
  await page.getByLabel('Language').selectOption('id');
  await read;
  await expect(page.getByRole('columnheader', { name: 'Nomor Seri' })).toBeVisible();
  await expect(page.getByText(`Ada tiket yang lebih baru: ${newer}.`)).toBeVisible();
});
