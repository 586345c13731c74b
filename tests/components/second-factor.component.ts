import type { Page } from '@playwright/test';
import { signIn } from '#features/accounts/accounts.contract.ts';
import {
  answerSecondFactor,
  confirmSecondFactor,
  deleteSecondFactor,
  readSecondFactor,
  startSecondFactor,
} from '#features/accounts/second-factor.contract.ts';
import { listTokens } from '#features/accounts/tokens.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/second-factor';
const none = { active: false, required: false, recovery_codes: 0 };
const secret = { secret: 'ABCDEFGHABCDEFGH', uri: 'otpauth://totp/Coverdesk:a?secret=ABCDEFGHABCDEFGH' };

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nadia@example.com');
  await page.getByLabel('Password').fill('a good password');
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('signing in asks for the code of the app, and a wrong one is said above the field', async ({
  page,
  api,
  open,
}) => {
  api.answer(signIn, { second_factor: true, challenge: 'a-challenge' });
  api.refuse(answerSecondFactor, 401, 'This code is wrong', { code: 'code_wrong' });
  const held = api.hold(answerSecondFactor);
  await open('/login', 'nobody');
  await enterPassword(page);
  const code = page.getByLabel('Code');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await code.fill('12345');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(code.and(page.locator(':invalid'))).toBeVisible();
  await code.fill('123 456');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  held.letGo();
  await expect(page.getByRole('alert')).toHaveText('This code is wrong');
  expect(api.bodiesOf(answerSecondFactor)).toEqual([{ challenge: 'a-challenge', code: '123 456' }]);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
});

test('a recovery code can be entered instead, and an ended sign-in leads back to the password', async ({
  page,
  api,
  open,
}) => {
  api.answer(signIn, { second_factor: true, challenge: 'a-challenge' });
  api.refuse(answerSecondFactor, 401, 'This sign-in has ended', { code: 'challenge_ended' });
  await open('/login', 'nobody');
  await enterPassword(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expect(page.getByLabel('Recovery code')).toBeFocused();
  await page.getByLabel('Recovery code').fill('ABCD-EFGH');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert')).toHaveText('This sign-in has ended');
  await expect(page.getByLabel('Password')).toHaveValue('');
  expect(api.bodiesOf(answerSecondFactor)).toEqual([{ challenge: 'a-challenge', code: 'ABCD-EFGH' }]);
});

test('failures of setting up and a wrong code are shown, and nothing that was typed is lost', async ({
  page,
  api,
  open,
}) => {
  api.answer(readSecondFactor, none);
  api.failWordless(startSecondFactor);
  await open(path, 'user');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Set up' }).click();
  await expect(main.getByRole('alert')).toHaveText(/^Failed to prepare the second factor/);
  api.answer(startSecondFactor, secret);
  await main.getByRole('button', { name: 'Set up' }).click();
  await expect(main.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
  await expect(main.getByText('ABCD EFGH ABCD EFGH', { exact: true })).toBeVisible();
  api.refuse(confirmSecondFactor, 400, 'This code is wrong');
  await main.getByLabel('Code', { exact: true }).fill('123456');
  await main.getByRole('button', { name: 'Confirm' }).click();
  await expect(main.getByRole('alert')).toHaveText('This code is wrong');
  await expect(main.getByLabel('Code', { exact: true })).toHaveValue('123456');
});

test('a second factor whose answer is lost ends the session, and the sign-in says what may be done', async ({
  page,
  api,
  open,
}) => {
  const alert = page.getByRole('alert');
  api.answer(readSecondFactor, none);
  api.answer(startSecondFactor, secret);
  api.loseAnswer(confirmSecondFactor);
  await open(path, 'user');
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Set up' }).click();
  await main.getByLabel('Code', { exact: true }).fill('123456');
  api.refuse(getActivity, 401, 'Your session has ended. Please sign in again.');
  await main.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(alert).toHaveText(
    /^The second factor may be active already\. Its recovery codes are not shown/,
  );

  api.answer(getActivity, quiet);
  api.answer(readSecondFactor, { active: true, required: false, recovery_codes: 10 });
  api.loseAnswer(deleteSecondFactor);
  await open(path, 'user');
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the second factor' });
  await dialog.getByLabel('Current Password').fill('a good password');
  api.refuse(getActivity, 401, 'Your session has ended. Please sign in again.');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(alert).toHaveText('The second factor may be removed already. Please sign in again.');
});

test('a wrong password keeps the second factor', async ({ page, api, open }) => {
  api.answer(readSecondFactor, { active: true, required: true, recovery_codes: 3 });
  api.refuse(deleteSecondFactor, 400, 'Current password is incorrect');
  await open(path, 'user');
  await expect(page.getByText('Unused recovery codes: 3.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the second factor' });
  await expect(dialog.getByText(/Your role must have a second factor/)).toBeVisible();
  await dialog.getByLabel('Current Password').fill('not it');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Current password is incorrect');
});

test('a role that must have a second factor is held at its screen', async ({ page, api, open }) => {
  api.answer(readSecondFactor, { ...none, required: true });
  api.refuse(listTokens, 403, 'Set it up first', { code: 'second_factor_required' });
  await open('/dashboard/tokens', 'user');
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(page.getByText(/^Your role must have a second factor/)).toBeVisible();
  await expect(page.getByText('The menu opens once your second factor is set up.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Devices' })).toHaveAttribute('aria-disabled', 'true');
  // A phone keeps the button of the menu, which has Logout.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('navigation', { name: 'Quick menu' }).getByRole('link')).toHaveCount(0);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Logout' })).toBeVisible();
});
