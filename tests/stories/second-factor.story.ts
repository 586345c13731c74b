import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';

const stepMs = 30_000;

test('a user sets up a second factor, signs in with a code, and removes it', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/second-factor');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Set up' }).click();
  const secret = (await main.getByText(/^([A-Z2-7]{4} ?){8}$/).textContent())?.replaceAll(' ', '') ?? '';
  const app = new TOTP({ secret: Secret.fromBase32(secret) });
  await expectAccessible(page, allWidths);
  const setUpAt = Date.now();
  await main.getByLabel('Code', { exact: true }).fill(app.generate({ timestamp: setUpAt }));
  await main.getByRole('button', { name: 'Confirm' }).click();
  await expect(main.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page, allWidths);
  const saved = page.waitForEvent('download');
  await main.getByRole('button', { name: 'Download codes' }).click();
  const codes = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
  expect(codes).toEqual(await main.getByRole('listitem').allTextContents());
  await main.getByRole('button', { name: 'I have stored the codes' }).press('Enter');
  await expect(main).toBeFocused();
  await expect(main.getByText('Unused recovery codes: 10.')).toBeVisible();

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  // The code of the setup is used up; the one of the next 30 seconds counts already.
  await page.getByLabel('Code').fill(app.generate({ timestamp: setUpAt + stepMs }));
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);

  await page.getByRole('button', { name: user.email }).click();
  await page.getByRole('link', { name: 'Second factor' }).click();
  await main.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the second factor' });
  await dialog.getByLabel('Current Password').fill(user.password);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(main.getByRole('button', { name: 'Set up' })).toBeVisible();
});
