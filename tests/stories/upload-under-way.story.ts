import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeUser } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { followMenu, sheetFile } from '#tests/support/stories/upload.ts';

const seconds = 1000;

test('a running upload shows its bytes and can be cancelled; the browser asks before it closes a window with one', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  const upload = await holdRequests(page, 'POST', '**/api/data/upload');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  await page.goto('/dashboard/upload');
  const choose = () =>
    page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', makeImeis(2)));
  await choose();
  await page.reload();
  expect(asked).toEqual([]);
  await choose();
  const send = page.getByRole('button', { name: 'Upload File' });
  await send.click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  const progress = page.getByRole('progressbar', { name: 'Upload progress' });
  await expect(progress).toBeVisible();
  const cancel = page.getByRole('button', { name: 'Cancel upload' });
  // It comes to stand where the second click of a double click on "Upload File" falls.
  await cancel.hover();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  await expect(cancel).toBeVisible();
  await cancel.click();
  await expect(send).toBeEnabled();
  await expect(page.getByRole('alert')).toHaveCount(0);

  await send.click();
  await expect(progress).toBeVisible();
  await followMenu(page, 'Home');
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await page.reload();
  expect(asked).toEqual(['beforeunload']);
  upload.letGo();
});

test('an upload continues while its user visits other screens, and can be reopened', async ({
  page,
  user,
  signIn,
}) => {
  await keepToasts(page);
  await signIn(page, user);
  const upload = await holdRequests(page, 'POST', '**/api/data/upload');
  await page.goto('/dashboard/upload');
  await page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', [...makeImeis(2), '123']));
  await page.getByRole('button', { name: 'Upload File' }).click();
  const progress = page.getByRole('progressbar', { name: 'Upload progress' });
  await expect(progress).toBeVisible();

  await followMenu(page, 'Home');
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  const sign = page.getByRole('link', { name: 'Uploading devices.xlsx' });
  await expect(sign).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Language').selectOption('Bahasa Indonesia');
  await page.getByRole('link', { name: 'Mengunggah devices.xlsx' }).click();
  await expect(page.getByRole('progressbar', { name: 'Progres unggahan' })).toBeVisible();
  await expect(page.getByText(/^\d+,\d\d KB$/)).toBeVisible();
  await page.getByLabel('Bahasa', { exact: true }).selectOption('English');
  await expect(progress).toBeVisible();
  await expect(page.getByText('devices.xlsx')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Cancel upload' })).toBeVisible();

  await followMenu(page, 'Home');
  await expect(sign).toBeVisible();
  upload.letGo();
  const words = page.getByText(/^Successfully imported 3 records\. Ticket: \d+$/);
  await expect(words).toBeVisible();
  const ticket = (await words.textContent())?.split('Ticket: ')[1];
  await expect(sign).toBeHidden();
  await page.getByRole('link', { name: `Open ticket ${ticket}`, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/data\\?ticket=${ticket}$`));
  const summary = page.getByRole('region', { name: 'Import' });
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText('devices.xlsx');
  await expect(summary).toContainText('2 valid · 1 invalid · 0 duplicates');
  const report = page.waitForEvent('download');
  await summary.getByRole('button', { name: 'Download invalid and duplicate cells' }).click();
  expect((await report).suggestedFilename()).toBe(`import_${ticket}.xlsx`);

  await page.clock.install();
  await followMenu(page, 'Upload Data');
  const result = page.getByRole('main');
  await expect(result.getByText(`Successfully imported 3 records. Ticket: ${ticket}`)).toBeVisible();
  await expect(
    result.getByText('1 cell is not a valid serial number and will not be looked up.'),
  ).toBeVisible();
  await page.clock.runFor(3 * seconds);
  await expect(page).toHaveURL(/\/dashboard\/upload$/);
  await page.getByLabel('Language').selectOption('Bahasa Indonesia');
  await expect(result.getByText(`Berhasil mengimpor 3 data. Tiket: ${ticket}`)).toBeVisible();
  await page.getByLabel('Bahasa', { exact: true }).selectOption('English');
  await page.getByRole('button', { name: 'Upload another file' }).click();
  await expect(result.getByText(/^Successfully imported/)).toBeHidden();
  await expect(result.getByText('devices.xlsx')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
});

test.describe('an upload whose user signs out', () => {
  test.use({ allowedComplaints: [/ERR_(FAILED|ABORTED)/] });

  test('an upload whose user signs out ends, and the next user sees nothing of it', async ({
    page,
    user,
    signIn,
  }) => {
    const next = await makeUser();
    await signIn(page, user);
    const upload = await holdRequests(page, 'POST', '**/api/data/upload');
    await page.goto('/dashboard/upload');
    await page.locator('input[type=file]').setInputFiles(sheetFile('secret.xlsx', makeImeis(2)));
    await page.getByRole('button', { name: 'Upload File' }).click();
    await expect(page.getByRole('progressbar', { name: 'Upload progress' })).toBeVisible();
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/data/upload'));
    await page.getByRole('button', { name: 'Logout' }).click();
    await ended;
    upload.letGo();

    await page.getByLabel('Email').fill(next.email);
    await page.getByLabel('Password', { exact: true }).fill(next.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
    await expect(page.getByText('secret.xlsx')).toHaveCount(0);
    await followMenu(page, 'Upload Data');
    await expect(page.getByRole('button', { name: 'Upload File' })).toBeEnabled();
    await expect(page.getByText('secret.xlsx')).toHaveCount(0);
  });
});
