import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test('Data Management shows the rows of the newest ticket, page by page, and the slash key focuses the search', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(64), 'abc 123']);
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

  const [wanted = ''] = makeImeis(30).slice(-1);
  await page.keyboard.press('/');
  await page.keyboard.type(wanted.slice(-7));
  const found = table.getByRole('row');
  await expect(found).toHaveCount(2);
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();
  await expect(found.nth(1).getByRole('cell').first()).toHaveText('30');
  const field = page.getByRole('searchbox');
  await field.fill('nothing like it');
  await expect(page.getByText('No row matches the search.')).toBeVisible();

  // Typed text stays while the address follows.
  await field.fill('');
  await field.pressSequentially('abc ');
  await expect(page).toHaveURL(/q=abc$/);
  await field.pressSequentially('123');
  await expect(field).toHaveValue('abc 123');
  await expect(page).toHaveURL(/q=abc\+123$/);
  await expect(found).toHaveCount(2);
  await expect(found.nth(1).getByRole('cell').first()).toHaveText('65');
  await goWithin(page, `/dashboard/data?q=${'x'.repeat(1100)}`);
  await expect(page.getByText('No row matches the search.')).toBeVisible();
  await page.getByRole('link', { name: 'Data Management' }).click();
  await expect(field).toHaveValue('');
});

test('Data Management without tickets says how to begin', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await expect(page.getByText('No serial data available')).toBeVisible();
  await expect(page.getByRole('tab')).toHaveText(['Serial Data', 'Uploaded Data']);
  await page.getByRole('tab', { name: 'Uploaded Data' }).click();
  await expect(page.getByText('Please select a ticket to view data', { exact: true })).toBeVisible();
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await expect(selector).toHaveAttribute('placeholder', 'Select a ticket');
  await selector.fill('Select a ticket');
  const hidden = () => selector.evaluate((field) => field.scrollWidth - field.clientWidth);
  await expect.poll(hidden, 'pixels of the words that are cut').toBe(0);
  await expectAccessible(page);
});

test.describe('an address of a column that was removed', () => {
  test.use({ allowedComplaints: [/status of 400/] });

  test('shows the rows without it, and does not call the ticket missing', async ({ page, user, signIn }) => {
    const ticket = await uploadAndFinish(user, makeImeis(2));
    await signIn(page, user);
    await page.goto(`/dashboard/data?ticket=${ticket}&sort=field.site`);
    await expect(page.getByRole('table', { name: 'Serial Data' }).getByRole('row')).toHaveCount(1 + 2);
    await expect(page.getByText(`There is no ticket ${ticket}`, { exact: false })).toHaveCount(0);
    await page.goto('/dashboard/data?ticket=99999999999999999999');
    await expect(page.getByText('There is no ticket 99999999999999999999', { exact: false })).toBeVisible();
  });
});
