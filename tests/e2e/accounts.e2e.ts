import type { Page } from '@playwright/test';
import { call, makeUser } from './support/api.ts';
import { failWordless, holdRequests } from './support/hold.ts';
import { readNewestLink } from './support/outbox.ts';
import { expect, test } from './support/test.ts';

async function fillChange(page: Page, current: string): Promise<void> {
  await page.getByLabel('Current Password').fill(current);
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
}

async function askForLink(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
}

async function fillReset(page: Page): Promise<void> {
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('brand new words');
}

test('accounts: each form says that it is busy, its button disabled', async ({ page, user, signIn }) => {
  const mail = await holdRequests(page, 'POST', '**/api/auth/forgot-password');
  await askForLink(page, user.email);
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  mail.letGo();
  await expect(page.getByText('Check your email!', { exact: true })).toBeVisible();

  const verify = await holdRequests(page, 'GET', '**/api/auth/verify-reset-token/*');
  const reset = await holdRequests(page, 'POST', '**/api/auth/reset-password');
  await page.goto(new URL(await readNewestLink(user.email)).pathname);
  await expect(page.getByText('Verifying reset link...', { exact: true })).toBeVisible();
  await expect(page.getByLabel('New Password')).toHaveCount(0);
  verify.letGo();
  await fillReset(page);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('button', { name: 'Resetting...' })).toBeDisabled();
  reset.letGo();
  await expect(page.getByText('You will be taken to the login page.')).toBeVisible();

  const changed = { ...user, password: 'brand new words' };
  await signIn(page, changed);
  const change = await holdRequests(page, 'POST', '**/api/auth/change-password');
  await page.goto('/dashboard/change-password');
  await fillChange(page, changed.password);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: 'Change Password' }).click();
  await expect(main.getByRole('button', { name: 'Changing...' })).toBeDisabled();
  change.letGo();
  await expect(main.getByText('Password changed successfully', { exact: true })).toBeVisible();
});

test('accounts: an email is required to ask for a link, and one may try again', async ({ page, user }) => {
  await page.goto('/forgot-password');
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByLabel('Email').and(page.locator(':invalid'))).toBeVisible();
  await askForLink(page, user.email);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(user.email);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('accounts: a field left empty, too short or no email says so in the language of the page', async ({
  page,
  superadmin,
  signIn,
}) => {
  await signIn(page, superadmin);
  await page.goto('/dashboard/register');
  const main = page.getByRole('main');
  const fields = main.locator('form input');
  const expectWords = async (submit: string, words: string[]) => {
    await main.getByRole('button', { name: submit }).click();
    await expect(fields.first()).toBeFocused();
    for (const [index, text] of words.entries()) {
      await expect(fields.nth(index)).toHaveJSProperty('validationMessage', text);
    }
  };
  const required = 'Fill in this field.';
  await expectWords('Register User', [required, required, required]);
  await page.getByLabel('Language').selectOption('id');
  await expectWords('Daftarkan Pengguna', ['Isi kolom ini.', 'Isi kolom ini.', 'Isi kolom ini.']);
  await fields.nth(0).pressSequentially('Al');
  await fields.nth(1).pressSequentially('no email');
  await fields.nth(2).pressSequentially('1234567');
  await expectWords('Daftarkan Pengguna', [
    'Isi minimal 3 karakter.',
    'Isi alamat email, misalnya nama@contoh.com.',
    'Isi minimal 8 karakter.',
  ]);
  await page.getByLabel('Bahasa').selectOption('en');
  await fields.nth(0).pressSequentially('Al');
  await expectWords('Register User', ['Enter at least 3 characters.']);
  await fields.nth(0).pressSequentially('ice');
  await expect(fields.nth(0)).toHaveJSProperty('validationMessage', '');
});

test('accounts: every password field is required, and each of a reset can be shown', async ({
  page,
  user,
  signIn,
}) => {
  await askForLink(page, user.email);
  await expect(page.getByText('Check your email!', { exact: true })).toBeVisible();
  await page.goto(new URL(await readNewestLink(user.email)).pathname);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(2);
  await page.getByRole('button', { name: 'Show' }).first().click();
  await expect(page.getByLabel('New Password')).toHaveAttribute('type', 'text');
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(3);
});

test('accounts: who need not change the password may cancel', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('accounts: a new user comes to Change Password in place of the sign-in, and may leave only by Logout', async ({
  page,
}) => {
  const user = await makeUser({ keepNew: true });
  await page.goto('/login');
  const steps = await page.evaluate<number>('history.length');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  expect(await page.evaluate<number>('history.length')).toBe(steps);
  for (const path of ['/dashboard', '/dashboard/tracker', '/dashboard/upload', '/dashboard/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  }
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test.describe('failures without any words of the server', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('accounts: failures without any words of the server are told in the product’s, a failed sign-in above the form', async ({
    page,
    user,
    signIn,
  }) => {
    await failWordless(page, '**/api/auth/login');
    await page.goto('/login');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toHaveText('Invalid email or password');
    const [banner, field] = [await alert.boundingBox(), await page.getByLabel('Email').boundingBox()];
    expect((banner?.y ?? 1e6) + (banner?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);

    await askForLink(page, user.email);
    await expect(page.getByText('Check your email!', { exact: true })).toBeVisible();
    const link = new URL(await readNewestLink(user.email)).pathname;
    await failWordless(page, '**/api/auth/forgot-password');
    await askForLink(page, user.email);
    await expect(alert).toHaveText('Failed to send reset email');

    await failWordless(page, '**/api/auth/reset-password');
    await page.goto(link);
    await fillReset(page);
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(alert).toHaveText('Failed to reset password');

    await page.unroute('**/api/auth/login');
    await signIn(page, user);
    await failWordless(page, '**/api/auth/change-password');
    await page.goto('/dashboard/change-password');
    await fillChange(page, user.password);
    await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
    await expect(alert).toHaveText('Failed to change password');
  });
});

test.describe('what the server refuses', () => {
  test.use({ allowedComplaints: [/status of 400/] });

  test('accounts: a refusal is told in the server’s words: an address too long, a link that was used meanwhile', async ({
    page,
    user,
  }) => {
    await askForLink(page, `${'a'.repeat(250)}@example.com`);
    await expect(page.getByRole('alert')).toHaveText('Please enter a valid email address');

    await askForLink(page, user.email);
    await expect(page.getByText('Check your email!', { exact: true })).toBeVisible();
    const link = new URL(await readNewestLink(user.email)).pathname;
    await page.goto(link);
    await fillReset(page);
    const token = link.split('/').at(-1);
    await call('POST', '/auth/reset-password', { token, newPassword: 'set elsewhere' });
    await page.getByRole('button', { name: 'Reset Password' }).click();
    await expect(page.getByRole('alert')).toHaveText('Invalid or expired reset link');
  });
});
