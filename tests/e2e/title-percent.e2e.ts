import { makeImeis } from '../support/devices.ts';
import { expect, test } from './support/test.ts';
import { uploadSerials } from './support/upload.ts';

test('while a ticket is processed every screen’s title tells how far, and no longer', async ({
  page,
  user,
  signIn,
}) => {
  await uploadSerials(user, makeImeis(9000));
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  await expect(page).toHaveTitle(/^\d{1,2}% · Upload Data · Coverdesk$/);
  await expect(page.getByText(/^Ticket \d+ is completed\.$/)).toBeVisible({ timeout: 50_000 });
  await expect(page).toHaveTitle('Upload Data · Coverdesk');
});
