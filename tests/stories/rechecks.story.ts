import { deviceOf } from '#features/sources/server/sandbox/devices.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { uploadAndFinish, waitUntilRegistered } from '#tests/support/stories/upload.ts';

test('a user plans checks of the known devices, runs one now, and checks a single device again', async ({
  page,
  user,
  signIn,
}) => {
  // Its answer may still change, so a run checks it.
  const serial = knownSerials(50).find((known) => deviceOf(known)?.activated === false) ?? '';
  await uploadAndFinish(user, [serial]);
  await waitUntilRegistered(user, serial);
  await signIn(page, user);
  await page.goto('/dashboard');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('link', { name: 'Check again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Check again' })).toBeVisible();
  await expect(page.getByText('No report yet')).toBeVisible();
  await page.getByLabel('Check automatically').press('Space');
  await page.getByLabel('How often').selectOption('Quarterly');
  await page.getByLabel('At most').fill('5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/^Next run: /)).toBeVisible();

  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run now' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Make ticket' }).press('Enter');
  await expect(dialog).toBeHidden();
  const ticket = page.getByRole('main').getByRole('link', { name: /^Recheck of / });
  await expect(ticket).toBeVisible();
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('The answers are the same as before.')).toBeVisible();
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await ticket.click();
  await expect(page).toHaveURL(/\/tickets\/\d+$/);

  await menu.getByRole('link', { name: 'Devices' }).click();
  const rows = page.getByRole('table', { name: 'Devices' }).getByRole('row');
  await rows.filter({ hasText: serial }).getByRole('cell').nth(3).click();
  const panel = page.getByRole('dialog').or(page.getByRole('complementary'));
  const tickets = panel.getByRole('list', { name: 'Tickets' }).getByRole('link');
  await expect(tickets).toHaveCount(2);
  await panel.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('link', { name: /^Open ticket \d+$/ }).last()).toBeVisible();
  await expect(tickets).toHaveCount(3, { timeout: 60_000 });
  await expectAccessible(page);
  await takePictures(page, allWidths);
});
