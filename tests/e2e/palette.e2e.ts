import { makeImeis } from '#tests/support/devices.ts';
import { expectAccessible } from './support/accessible.ts';
import { readRingTop } from './support/painted.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

test('Ctrl-K jumps to a screen or a ticket, by keyboard alone', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(1));
  await signIn(page, user);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  await expect(dialog.getByRole('combobox', { name: 'Go to' })).toBeFocused();
  await expectAccessible(page);
  // Nothing of the focus ring lies under the dialog's head.
  const head = await dialog.getByRole('heading', { name: 'Go to' }).locator('..').boundingBox();
  const ringTop = await readRingTop(dialog.getByRole('combobox'));
  expect(ringTop).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
  await page.keyboard.type('change');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('option', { name: `Ticket ${ticket}` })).toBeVisible();
  await page.keyboard.type(`ticket ${ticket}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/dashboard/tracker\\?ticket=${ticket}$`));
});

test('a superadmin also jumps to a company’s tickets', async ({ page, user, superadmin, signIn }) => {
  await signIn(page, superadmin);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Go to' }).click();
  await page.getByRole('combobox', { name: 'Go to' }).fill(user.companyCode ?? '');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/dashboard/tickets\\?code=${user.companyCode}$`));
});

test.describe('without a network', () => {
  // What a screen asks for meanwhile, the browser complains about by itself.
  test.use({ allowedComplaints: [/ERR_INTERNET_DISCONNECTED/] });

  test('a lost network is told, and its return', async ({ page, context, user, signIn }) => {
    await signIn(page, user);
    await page.goto('/dashboard/change-password');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText('You are offline.')).toBeHidden();
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
    await context.setOffline(true);
    await expect(page.getByText('You are offline. What you see may be out of date.')).toBeVisible();
  });
});
