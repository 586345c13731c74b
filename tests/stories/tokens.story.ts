import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';

test('a user creates an API token, a program reads with it but changes nothing, and it is revoked', async ({
  page,
  user,
  signIn,
  request,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/tokens');
  await expect(page.getByText('No API tokens')).toBeVisible();
  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: 'Create an API token' });
  await form.getByLabel('Name').fill('Nightly import');
  await form.getByRole('button', { name: 'Create token' }).click();
  const shown = page.getByRole('dialog', { name: 'Your new API token' });
  const secret = (await shown.getByText(/^cvd_/).textContent()) ?? '';
  await expectAccessible(page, allWidths);
  await shown.getByRole('button', { name: 'Done' }).click();
  const headers = { authorization: `Bearer ${secret}` };
  expect((await request.get('/api/tickets/activity', { headers })).status()).toBe(200);
  const data = { serials: ['353901102345677'] };
  expect((await request.post('/api/data/serials', { headers, data })).status()).toBe(403);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download the command line' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('coverdesk.mjs');
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: 'Nightly import' });
  await expect(row).toContainText('Read only');
  await expect(row).not.toContainText('Not yet');
  await expectAccessible(page, allWidths);
  await row.getByRole('button', { name: 'Revoke Nightly import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('No API tokens')).toBeVisible();
  expect((await request.get('/api/tickets/activity', { headers })).status()).toBe(401);
});
