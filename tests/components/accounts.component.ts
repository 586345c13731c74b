import type { Page } from '@playwright/test';
import {
  changePassword,
  forgotPassword,
  resetPassword,
  signIn,
  verifyResetToken,
} from '#features/accounts/accounts.contract.ts';
import { acceptInvitation, verifyInvitation } from '#features/accounts/invitations.contract.ts';
import { getOwnCompany } from '#features/clients/clients.contract.ts';
import { readDeviceFigures } from '#features/devices/devices.contract.ts';
import { getHomeSummary } from '#features/home/home.contract.ts';
import { getActivity, listProgress } from '#features/tickets/tickets.contract.ts';
import { readSubscription } from '#features/watch/watch.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, makeToken, quiet, test } from '#tests/support/browser/screen.ts';

const resetLink = '/reset-password/a-token';
const changePath = '/dashboard/change-password';

async function submitSignIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nadia@example.com');
  await page.getByLabel('Password').fill('a good password');
  await page.getByRole('button', { name: 'Sign In' }).click();
}

async function askForLink(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nadia@example.com');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
}

async function reset(page: Page): Promise<void> {
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('brand new words');
  await page.getByRole('button', { name: 'Reset Password' }).click();
}

const submitChange = (page: Page) =>
  page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();

async function change(page: Page): Promise<void> {
  await page.getByLabel('Current Password').fill('a good password');
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
  await submitChange(page);
}

test('sign-in requires an email and a password, says that it is busy, and shows a failure above the form', async ({
  page,
  api,
  open,
}) => {
  api.refuse(signIn, 401, 'Invalid email or password');
  const held = api.hold(signIn);
  await open('/login', 'nobody');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByLabel('Email').and(page.locator(':invalid'))).toBeVisible();
  await expect(page.getByLabel('Password').and(page.locator(':invalid'))).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email');
  expect(api.bodiesOf(signIn)).toEqual([]);
  await submitSignIn(page);
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  held.letGo();
  const alert = page.getByRole('alert');
  await expect(alert).toHaveText('Invalid email or password');
  const [banner, field] = [await alert.boundingBox(), await page.getByLabel('Email').boundingBox()];
  expect((banner?.y ?? 1e6) + (banner?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeEnabled();
});

test('asking for a reset link requires an email, shows that it is busy, and can be repeated', async ({
  page,
  api,
  open,
}) => {
  api.answer(forgotPassword, { message: 'A reset link was sent' });
  const held = api.hold(forgotPassword);
  await open('/forgot-password', 'nobody');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByLabel('Email').and(page.locator(':invalid'))).toBeVisible();
  await askForLink(page);
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  held.letGo();
  await expect(page.getByText('Check your email!', { exact: true })).toBeVisible();
  expect(api.bodiesOf(forgotPassword)).toEqual([{ email: 'nadia@example.com' }]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue('nadia@example.com');
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('the reset screen checks its link first, requires both fields and shows that it is busy', async ({
  page,
  api,
  open,
}) => {
  api.answer(verifyResetToken, { valid: true });
  api.answer(resetPassword, { message: 'Password reset successfully' });
  const verify = api.hold(verifyResetToken);
  const saving = api.hold(resetPassword);
  await open(resetLink, 'nobody');
  await expect(page.getByText('Verifying reset link...', { exact: true })).toBeVisible();
  await expect(page.getByLabel('New Password')).toHaveCount(0);
  verify.letGo();
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show' }).first().click();
  await expect(page.getByLabel('New Password')).toHaveAttribute('type', 'text');
  await reset(page);
  const busy = page.getByRole('button', { name: 'Resetting...' });
  await expect(busy).toBeDisabled();
  await expect
    .poll(() => api.bodiesOf(resetPassword))
    .toEqual([{ token: 'a-token', newPassword: 'brand new words' }]);
  saving.letGo();
  await expect(busy).toHaveCount(0);
});

test('the link of a mail that could not be checked is not called invalid, and Retry checks it again', async ({
  page,
  api,
  open,
}) => {
  const alert = page.getByRole('alert');
  const links = [
    { path: resetLink, check: verifyResetToken, retried: () => page.getByLabel('New Password') },
    { path: '/invitation/a-token', check: verifyInvitation, retried: () => page.getByText('invites you') },
    {
      path: '/unsubscribe/00000000-0000-4000-8000-000000000000',
      check: readSubscription,
      retried: () => page.getByRole('button', { name: 'Unsubscribe' }),
    },
  ];
  for (const { path, check, retried } of links) {
    api.failWordless(check);
    await open(path, 'nobody');
    await expect(alert).toContainText('This could not be loaded. Please try again.');
    await expect(page.getByRole('link', { name: 'Request a new reset link' })).toHaveCount(0);
    api.answer(verifyResetToken, { valid: true });
    const names = { email: 'siti@acme.example', company_name: 'Acme', inviter: 'Budi' };
    api.answer(verifyInvitation, { valid: true, ...names });
    api.answer(readSubscription, { address: 'ayu@example.test', company_name: 'Quokka' });
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(retried()).toBeVisible();
    await expect(alert.filter({ hasText: /./ })).toHaveCount(0);
  }
});

test('a browser that stores nothing signs in and out all the same', async ({ page, api, open }) => {
  // The content of Home does not matter here.
  for (const call of [getHomeSummary, listProgress, getOwnCompany, readDeviceFigures]) api.failWordless(call);
  api.answer(signIn, { token: makeToken('user') });
  await open('/login', 'nobody');
  await page.evaluate(`{
    const { getItem, setItem, removeItem } = Storage.prototype;
    globalThis.allowStorage = () => Object.assign(Storage.prototype, { getItem, setItem, removeItem });
    const deny = () => { throw new DOMException('denied', 'SecurityError'); };
    Object.assign(Storage.prototype, { getItem: deny, setItem: deny, removeItem: deny });
  }`);
  try {
    await submitSignIn(page);
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.evaluate("dispatchEvent(new StorageEvent('storage'))");
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page).toHaveURL(/\/login$/);
  } finally {
    await page.evaluate('allowStorage()');
  }
});

test('Change Password requires each field, shows and hides it, and can be cancelled unless a change is due', async ({
  page,
  api,
  open,
}) => {
  await open(changePath, 'user');
  await submitChange(page);
  await expect(page.locator('input:invalid')).toHaveCount(3);
  const field = page.getByLabel('Current Password');
  await field.fill('secret words');
  await expect(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show' }).first().click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(field).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: 'Show' })).toHaveCount(3);
  // The content of Home does not matter here.
  for (const call of [getHomeSummary, listProgress, getOwnCompany, readDeviceFigures]) api.failWordless(call);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the checklist of Change Password follows the typing, and mistakes are shown before anything is sent', async ({
  page,
  api,
  open,
}) => {
  await open(changePath, 'user');
  const main = page.getByRole('main');
  const current = main.getByLabel('Current Password');
  const next = main.getByLabel('New Password', { exact: true });
  const confirm = main.getByLabel('Confirm New Password');
  const rule = (text: string) => main.getByRole('listitem').filter({ hasText: text });
  await expect(rule('At least 8 characters')).toContainText('(not met yet)');
  await expect(next).toHaveAccessibleDescription(/^At least 8 characters, /);
  await current.fill('a good password');
  await next.fill('short');
  await confirm.fill('short');
  await expect(rule('Both new passwords match')).toContainText('(met)');
  await submitChange(page);
  await expect(main.getByRole('alert')).toHaveText('New password must be at least 8 characters long');

  // The server refuses it.
  await next.fill('Password123');
  await expect(rule('At least 8 characters')).toContainText('(met)');
  await expect(rule('Not one of the most common')).toContainText('(not met yet)');
  await next.fill('long enough');
  await expect(rule('Not one of the most common')).toContainText('(met)');
  await submitChange(page);
  await expect(main.getByRole('alert')).toHaveText('New passwords do not match');

  await next.fill('a good password');
  await confirm.fill('a good password');
  await expect(rule('Different from the current password')).toContainText('(not met yet)');
  await submitChange(page);
  await expect(main.getByRole('alert')).toHaveText('New password must be different from current password');
  await expect(main.getByRole('link', { name: 'Reset your password' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  expect(api.bodiesOf(changePassword)).toEqual([]);
});

test('Change Password says that it is busy, and an answer without a token leaves the session its own', async ({
  page,
  api,
  open,
}) => {
  api.answer(changePassword, { message: 'Password changed successfully' });
  const held = api.hold(changePassword);
  // The content of Home does not matter here.
  for (const call of [getHomeSummary, listProgress, getOwnCompany, readDeviceFigures]) api.failWordless(call);
  await open(changePath, 'user');
  const main = page.getByRole('main');
  const readToken = () => page.evaluate<string>(`localStorage.getItem('token')`);
  const before = await readToken();
  await change(page);
  await expect(main.getByRole('button', { name: 'Changing...' })).toBeDisabled();
  held.letGo();
  await expect(main.getByText('Password changed successfully', { exact: true })).toBeVisible();
  expect(await readToken()).toBe(before);
});

test('refusals of sign-in, links and passwords show the server’s message, else the product’s own', async ({
  page,
  api,
  open,
}) => {
  const alert = page.getByRole('alert');
  api.failWordless(signIn);
  await open('/login', 'nobody');
  await submitSignIn(page);
  await expect(alert).toHaveText('Invalid email or password');

  api.refuse(forgotPassword, 400, 'Please enter a valid email address');
  await open('/forgot-password', 'nobody');
  await askForLink(page);
  await expect(alert).toHaveText('Please enter a valid email address');
  api.failWordless(forgotPassword);
  await askForLink(page);
  await expect(alert).toHaveText('Failed to send reset email');

  api.answer(verifyResetToken, { valid: true });
  api.refuse(resetPassword, 400, 'Invalid or expired reset link');
  await open(resetLink, 'nobody');
  await reset(page);
  await expect(alert).toHaveText('Invalid or expired reset link');
  api.failWordless(resetPassword);
  await reset(page);
  await expect(alert).toHaveText('Failed to reset password');

  api.refuse(changePassword, 400, 'Current password is incorrect');
  await open(changePath, 'user');
  await change(page);
  await expect(alert).toHaveText('Current password is incorrect');
  api.failWordless(changePassword);
  await change(page);
  await expect(alert).toHaveText('Failed to change password');
});

test('the form of a new password says that API tokens stay valid, and leads to them', async ({
  page,
  open,
}) => {
  await open(changePath, 'user');
  const note = page.getByRole('main').getByText('Your API tokens stay valid');
  await expect(note.getByRole('link', { name: 'API tokens' })).toHaveAttribute('href', '/dashboard/tokens');
});

test('a new password whose answer is lost may be set, which its page still says when the link is refused', async ({
  page,
  api,
  open,
}) => {
  const alert = page.getByRole('alert');
  const hint = page.getByText('The password may be set already.');
  const forms = [
    { path: resetLink, call: resetPassword, label: 'New Password', press: 'Reset Password' },
    { path: '/invitation/a-token', call: acceptInvitation, label: 'Password', press: 'Create password' },
  ];
  api.answer(verifyResetToken, { valid: true });
  api.answer(verifyInvitation, {
    valid: true,
    email: 'siti@acme.example',
    company_name: 'Acme',
    inviter: null,
  });
  for (const { path, call, label, press } of forms) {
    api.loseAnswer(call);
    await open(path, 'nobody');
    await page.getByLabel(label, { exact: true }).fill('seven green bikes');
    await page.getByLabel('Confirm password').fill('seven green bikes');
    await page.getByRole('button', { name: press }).click();
    await expect(hint).toBeVisible();
    api.refuse(call, 400, 'The link is invalid or has expired.');
    await page.getByRole('button', { name: press }).click();
    await expect(alert).toHaveText('The link is invalid or has expired.');
    await expect(hint).toBeVisible();
    await expectAccessible(page, allWidths);
    await page.getByRole('link', { name: 'Try to sign in' }).click();
    await expect(page).toHaveURL(/\/login$/);
  }
});

test('a changed password whose answer is lost ends the session, and the sign-in says why', async ({
  page,
  api,
  open,
}) => {
  api.loseAnswer(changePassword);
  const held = api.hold(changePassword);
  await open(changePath, 'user');
  await change(page);
  api.refuse(getActivity, 401, 'Your session has ended. Please sign in again.');
  await lookAgain(page);
  const alert = page.getByRole('alert');
  const words =
    'The password may be changed already. Sign in with the new one; if it is refused, with the old one.';
  await expect(alert).toHaveText(words);
  held.letGo();
  await expect(page).toHaveURL(/\/login$/);
  await expect(alert).toHaveText(words);

  // An answer says that nothing was changed.
  api.refuse(changePassword, 400, 'Current password is incorrect');
  api.answer(getActivity, quiet);
  await open(changePath, 'user');
  await change(page);
  await expect(alert).toHaveText('Current password is incorrect');
  api.refuse(getActivity, 401, 'Your session has ended. Please sign in again.');
  await lookAgain(page);
  await expect(alert).toHaveText('Your session has ended. Please sign in again.');
});

test('a session that outlives a lost answer by minutes ends later for the reason of the server', async ({
  page,
  api,
  open,
}) => {
  api.loseAnswer(changePassword);
  await page.clock.install();
  await open(changePath, 'user');
  await change(page);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('No answer arrived.');
  await page.clock.fastForward(120_000);
  api.refuse(getActivity, 401, 'This user is no longer active.');
  await lookAgain(page);
  await expect(page).toHaveURL(/\/login$/);
  await expect(alert).toHaveText('This user is no longer active.');
});

test('a link that is invalid, perhaps because it was used, leads to the sign-in', async ({
  page,
  api,
  open,
}) => {
  api.answer(verifyInvitation, { valid: false, email: null, company_name: null, inviter: null });
  api.answer(verifyResetToken, { valid: false });
  for (const path of ['/invitation/a-token', resetLink]) {
    await open(path, 'nobody');
    await expect(page.getByText('The password may be set already.')).toBeVisible();
    await expectAccessible(page, allWidths);
    await page.getByRole('link', { name: 'Try to sign in' }).click();
    await expect(page).toHaveURL(/\/login$/);
  }
});

test('a sign-in without an answer shows the specified words alone', async ({ page, api, open }) => {
  api.loseAnswer(signIn);
  await open('/login', 'nobody');
  await submitSignIn(page);
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password');
});

test('messages on screen follow a change of the language', async ({ page, api, open }) => {
  const alert = page.getByRole('alert').filter({ hasText: /./ });
  const switchTo = (language: string) => page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
  api.failWordless(signIn);
  await open('/login', 'nobody');
  await submitSignIn(page);
  await expect(alert).toHaveText('Invalid email or password');
  await switchTo('id');
  await expect(alert).toHaveText('Email atau kata sandi salah');
  await switchTo('en');

  await open('/login?sso=cancelled', 'nobody');
  await expect(alert).toHaveText('The single sign-on was cancelled.');
  await switchTo('id');
  await expect(alert).toHaveText('Single sign-on dibatalkan.');
  await switchTo('en');

  api.answer(verifyResetToken, { valid: true });
  await open(resetLink, 'nobody');
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('brand new swords');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(alert).toHaveText('Passwords do not match');
  await switchTo('id');
  await expect(alert).toHaveText('Kata sandi tidak cocok');
  await switchTo('en');

  api.failWordless(verifyInvitation);
  await open('/invitation/a-token', 'nobody');
  await expect(alert).toContainText('This could not be loaded.');
  await switchTo('id');
  await expect(alert).toContainText('Bagian ini tidak dapat dimuat.');
  const names = { email: null, company_name: null, inviter: null };
  api.answer(verifyInvitation, { valid: false, ...names });
  await page.getByRole('button', { name: 'Coba lagi' }).click();
  await expect(alert).toContainText('Undangan ini tidak valid');
  await switchTo('en');
  await expect(alert).toContainText('This invitation is invalid');
});
