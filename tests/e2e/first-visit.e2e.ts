import { makeImeis } from '#tests/support/devices.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { holdRequests } from './support/hold.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`on a ${scheme} system`, () => {
    test.use({ colorScheme: scheme });

    test('sign-in begins in English and in the theme of the system, with both switches', async ({ page }) => {
      await page.goto('/login');
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', scheme);
      await expect(page.getByLabel('Theme')).toHaveValue('auto');
      await expect(page.getByLabel('Language')).toHaveValue('en');
      const options = page.getByLabel('Language').getByRole('option');
      await expect(options).toHaveText(['English', 'Bahasa Indonesia']);
      await expect(page.getByLabel('Theme').getByRole('option')).toHaveText(['Light', 'Dark', 'System']);
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    });
  });
}

for (const role of ['user', 'superadmin'] as const) {
  test(`a ${role} finds the kind of account on Home, Change Password and Logout in the sidebar`, async ({
    page,
    user,
    superadmin,
    signIn,
  }) => {
    const account = role === 'user' ? user : superadmin;
    await signIn(page, account);
    await page.goto('/dashboard');
    const kind = role === 'user' ? 'UserStandard User' : 'Super AdminAdministrator';
    await expect(page.locator('.stat-card')).toHaveText([
      `Account Type${kind}`,
      'Last LoginJust now',
      'StatusActive',
    ]);
    const sidebar = page.getByRole('complementary', { name: 'Sidebar' });
    await expect(sidebar.getByText(account.email)).toBeVisible();
    await sidebar.getByRole('link', { name: 'Change Password' }).click();
    await expect(page).toHaveURL(/\/dashboard\/change-password$/);
    await expect(sidebar.locator('[aria-current="page"]')).toHaveText(['Change Password']);
    await sidebar.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });
}

test('a file is browsed for: the chooser offers .xlsx and .xls', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  await expect(page.locator('input[type=file]')).toHaveAttribute('accept', '.xlsx,.xls');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Browse' }).click();
  const buffer = makeWorkbook(makeImeis(1));
  await (await chooser).setFiles({ name: 'chosen.xlsx', mimeType: 'application/octet-stream', buffer });
  await expect(page.getByText('chosen.xlsx', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
});

test('uploaded data asks for a ticket by "Select a ticket" while there is none', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/data?view=uploaded');
  await expect(page.getByRole('tab')).toHaveText(['Serial Data', 'Uploaded Data']);
  const selector = page.getByRole('combobox', { name: 'Ticket' });
  await expect(selector).toHaveAttribute('placeholder', 'Select a ticket');
  await selector.fill('Select a ticket');
  const hidden = await selector.evaluate((field) => field.scrollWidth - field.clientWidth);
  expect(hidden, 'pixels of the words that are cut').toBe(0);
  await expect(page.getByText('Please select a ticket to view data', { exact: true })).toBeVisible();
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
