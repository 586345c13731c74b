import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { readRingTop } from '#tests/support/browser/geometry.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { uploadAndFinish, waitUntilRegistered } from '#tests/support/stories/upload.ts';

test.use({ allowedComplaints: [/status of 500/] });

test('Ctrl-K jumps to a screen, a ticket or a device by keyboard alone; a failure is shown', async ({
  page,
  user,
  signIn,
}) => {
  const serials = knownSerials(12);
  const [serial = '', beside = ''] = serials.toReversed();
  const ticket = await uploadAndFinish(user, serials);
  await waitUntilRegistered(user, serial);
  await signIn(page, user);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
  const field = dialog.getByRole('combobox', { name: 'Search or jump to' });
  await expect(field).toBeFocused();
  await expectAccessible(page);
  // Nothing of the focus ring lies under the dialog's head.
  const head = await dialog.getByRole('heading', { name: 'Search or jump to' }).locator('..').boundingBox();
  const ringTop = await readRingTop(field);
  expect(ringTop).toBeGreaterThanOrEqual((head?.y ?? 0) + (head?.height ?? 0));
  await page.keyboard.type('change');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  await expect(dialog.getByRole('option', { name: `Ticket ${ticket}` })).toBeVisible();
  await page.keyboard.type(`ticket ${ticket}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/dashboard/tickets/${ticket}$`));
  await expect(dialog).toBeHidden();

  await page.keyboard.press('Control+k');
  const device = dialog.getByRole('option', { name: serial });
  // Its answer would repeat the search before Retry is pressed.
  const polls = await holdRequests(page, 'GET', '**/api/tickets/activity*');
  await failWordless(page, '**/api/search?*');
  await field.fill(serial.slice(-6));
  const failure = dialog.getByRole('alert');
  await expect(failure).toContainText('The search failed. Devices may be missing from this list.');
  await page.unroute('**/api/search?*');
  await failure.getByRole('button', { name: 'Retry' }).click();
  polls.letGo();
  await expect(device).toContainText(String(user.companyCode));
  await expect(failure).toBeHidden();
  await expectAccessible(page);

  // Pasted from a sheet, where each stands in a line.
  for (const between of [' ', '\n']) {
    await field.fill('');
    await field.fill(`${serial}${between}${beside}`);
    await expect(device).toBeVisible();
    await expect(dialog.getByRole('option', { name: beside })).toBeVisible();
  }

  // As a barcode scanner does it: the number and Enter, before anything could be found.
  const held = await holdRequests(page, 'GET', '**/api/search?*');
  await field.fill(serial);
  await field.press('Enter');
  await expect(dialog.getByText('Searching…')).toBeVisible();
  held.letGo();
  await expect(page).toHaveURL(new RegExp(`/dashboard/devices\\?q=${serial}&device=\\d+$`));
  const panel = page.getByRole('dialog').or(page.getByRole('complementary'));
  await expect(panel.getByText(serial).first()).toBeVisible();
  await expect(panel.getByRole('list', { name: 'Tickets' })).toContainText(`#${ticket}`);
});
