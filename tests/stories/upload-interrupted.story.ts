import { utimes, writeFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { call, signInByApi, tokenOf } from '#tests/support/stories/api.ts';
import { readStage } from '#tests/support/stories/stage.ts';
import { followMenu, sheetFile } from '#tests/support/stories/upload.ts';

test.describe('a session that another tab has renewed', () => {
  test.use({ allowedComplaints: [/status of 401/] });

  test('an upload is repeated with the newer token that another tab got', async ({ page, user, signIn }) => {
    await signIn(page, user);
    await page.goto('/dashboard/upload');
    await page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', makeImeis(2)));
    let fresh = '';
    // Within one second a user gets the same token again.
    await expect.poll(async () => (fresh = await signInByApi(user))).not.toBe(await tokenOf(user));
    // Stored in this tab, the token is not announced to it: as if its event came late.
    await page.evaluate((token) => localStorage.setItem('token', token), fresh);
    await page.route('**/api/data/upload', (route) => route.fulfill({ status: 401, body: '{}' }), {
      times: 1,
    });
    const repeated = page.waitForRequest(
      (request) => request.headers().authorization === `Bearer ${fresh}` && request.method() === 'POST',
    );
    await page.getByRole('button', { name: 'Upload File' }).click();
    await repeated;
    await expect(page.getByText(/^Successfully imported 2 records/)).toBeVisible();
  });
});

test.describe('a connection that breaks', () => {
  test.use({ allowedComplaints: [/ERR_FAILED/] });

  test('a connection that breaks after the server took the file creates no second ticket', async ({
    page,
    user,
    signIn,
  }, info) => {
    const file = info.outputPath('devices.xlsx');
    const content = makeWorkbook(makeImeis(2));
    await writeFile(file, content);
    await signIn(page, user);
    const token = await tokenOf(user);
    // The file arrives, its answer does not.
    await page.route(
      '**/api/data/upload',
      async (route) => {
        const form = new FormData();
        form.append('excel', new Blob([new Uint8Array(content)]), 'devices.xlsx');
        const key = route.request().headers()['idempotency-key'] ?? '';
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key };
        await fetch(`${readStage().url}/api/data/upload`, { method: 'POST', headers, body: form });
        await route.abort();
      },
      { times: 1 },
    );
    await page.goto('/dashboard/upload');
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload File' }).click();
    await followMenu(page, 'Home');
    await page.getByRole('link', { name: 'The upload of devices.xlsx failed' }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert.getByRole('paragraph').first()).toHaveText('Failed to upload file');

    await page.getByRole('button', { name: 'Remove file' }).click();
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload File' }).click();
    await expect(page.getByText(/^Successfully imported 2 records\. Ticket: \d+$/)).toBeVisible();
    const { data } = await call<{ data: unknown[] }>('GET', '/tickets/ticket-numbers', undefined, token);
    expect(data).toHaveLength(1);
  });
});

test.describe('a file that is changed after it was chosen', () => {
  test.use({ allowedComplaints: [/ERR_UPLOAD_FILE_CHANGED/] });

  test('a file that was changed after it was chosen has to be chosen again', async ({
    page,
    user,
    signIn,
  }, info) => {
    const file = info.outputPath('devices.xlsx');
    await writeFile(file, makeWorkbook([...makeImeis(2), '123']));
    // The browser compares the seconds of its last change.
    await utimes(file, 1_700_000_000, 1_700_000_000);
    await signIn(page, user);
    await page.goto('/dashboard/upload');
    const field = page.locator('input[type=file]');
    await field.setInputFiles(file);
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('1 to fix');
    await writeFile(file, makeWorkbook(makeImeis(3)));
    // The preview is read again.
    await page.getByLabel('Language').selectOption('Bahasa Indonesia');
    await expect(page.getByRole('region', { name: 'Pratinjau' })).toContainText(
      'File diubah atau dipindahkan setelah dipilih. Pilih lagi file ini.',
    );
    await page.getByLabel('Bahasa', { exact: true }).selectOption('English');
    await page.getByRole('button', { name: 'Upload File' }).click();
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toHaveText('The file was changed or moved after it was chosen. Choose it again.');
    await page.getByLabel('Language').selectOption('Bahasa Indonesia');
    await expect(alert).toHaveText('File diubah atau dipindahkan setelah dipilih. Pilih lagi file ini.');
    await page.getByLabel('Bahasa', { exact: true }).selectOption('English');
    await expectAccessible(page);
    await field.setInputFiles(file);
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('3 to check');
    await page.getByRole('button', { name: 'Upload File' }).click();
    await expect(page.getByText(/^Successfully imported 3 records/)).toBeVisible();
  });
});
