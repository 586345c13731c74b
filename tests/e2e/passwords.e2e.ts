import { makeUser, signInByApi } from './support/api.ts';
import { readNewestLink } from './support/outbox.ts';
import { settled } from './support/settled.ts';
import { expect, test } from './support/test.ts';

const seconds = 1000;

test('a new user is held at Change Password, and free after it', async ({ page }) => {
  const user = await makeUser({ keepNew: true });
  await page.clock.install();
  await page.goto('/dashboard/data');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(
    page.getByText('Welcome! For your security, please change your password before you continue.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Reset your password' })).toHaveCount(0);

  await page.getByLabel('Current Password').fill('half a pass');
  await page.getByRole('link', { name: 'Tracker' }).click();
  await settled(page);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(page.getByLabel('Current Password')).toHaveValue('half a pass');
  await page.goto('/dashboard/tracker');
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);

  await page.getByLabel('Current Password').fill(user.password);
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  const before = await page.evaluate(() => localStorage.getItem('token'));
  await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('main').getByRole('status')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBe(before);
  await page.clock.runFor(1.9 * seconds);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await page.clock.runFor(0.2 * seconds);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('Change Password says what is wrong, and the checklist follows the typing', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  const main = page.getByRole('main');
  const current = main.getByLabel('Current Password');
  const next = main.getByLabel('New Password', { exact: true });
  const confirm = main.getByLabel('Confirm New Password');
  const rule = (text: string) => main.getByRole('listitem').filter({ hasText: text });
  const submit = () => main.getByRole('button', { name: 'Change Password' }).click();

  await expect(rule('At least 8 characters')).toContainText('(not met yet)');
  await current.fill(user.password);
  await next.fill('short');
  await confirm.fill('short');
  await expect(rule('Both new passwords match')).toContainText('(met)');
  await submit();
  await expect(main.getByRole('alert')).toHaveText('New password must be at least 8 characters long');

  await next.fill('long enough');
  await expect(rule('At least 8 characters')).toContainText('(met)');
  await submit();
  await expect(main.getByRole('alert')).toHaveText('New passwords do not match');

  await next.fill(user.password);
  await confirm.fill(user.password);
  await expect(rule('Different from the current password')).toContainText('(not met yet)');
  await submit();
  await expect(main.getByRole('alert')).toHaveText('New password must be different from current password');
  await expect(main.getByRole('link', { name: 'Reset your password' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
});

test.describe('a wrong current password', () => {
  test.use({ allowedComplaints: [/status of 400/] });

  test('is refused with the server’s words', async ({ page, user, signIn }) => {
    await signIn(page, user);
    await page.goto('/dashboard/change-password');
    const main = page.getByRole('main');
    await main.getByLabel('Current Password').fill('not this one');
    await main.getByLabel('New Password', { exact: true }).fill('a fresh password');
    await main.getByLabel('Confirm New Password').fill('a fresh password');
    await main.getByRole('button', { name: 'Change Password' }).click();
    await expect(main.getByRole('alert')).toHaveText('Current password is incorrect');
  });
});

test('who is signed in and forgot the password is signed out and asks for a link', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  await page.getByRole('link', { name: 'Reset your password' }).click();
  await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
  await expect(page).toHaveURL(/\/forgot-password$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
});

test('a change that answers no token leaves the session its own', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.clock.install();
  await page.route('**/api/auth/change-password', async (route) => {
    const response = await route.fetch();
    const { message } = (await response.json()) as { message: string };
    await route.fulfill({ response, json: { message } });
  });
  await page.goto('/dashboard/change-password');
  const main = page.getByRole('main');
  await main.getByLabel('Current Password').fill(user.password);
  await main.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await main.getByLabel('Confirm New Password').fill('a fresh password');
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  const before = await page.evaluate(() => localStorage.getItem('token'));
  await main.getByRole('button', { name: 'Change Password' }).click();
  await expect(main.getByText('Password changed successfully', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(before);
});

test('each password can be shown and hidden', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  const field = page.getByLabel('Current Password');
  await field.fill('secret words');
  await expect(field).toHaveAttribute('type', 'password');
  await page.getByRole('button', { name: 'Show' }).first().click();
  await expect(field).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide' }).click();
  await expect(field).toHaveAttribute('type', 'password');
  await expect(page.getByRole('button', { name: 'Show' })).toHaveCount(3);
});

test('a forgotten password is set anew by the link of the mail', async ({ page, user }) => {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText('Check your email!')).toBeVisible();

  await page.clock.install();
  await page.goto(new URL(await readNewestLink(user.email)).pathname);
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('other words');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match');
  await page.getByLabel('New Password').fill('short');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByRole('alert')).toHaveText('Password must be at least 8 characters long');
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('brand new words');
  await page.clock.pauseAt(Date.now() + 60 * seconds);
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await expect(page.getByText('You will be taken to the login page.')).toBeVisible();
  await page.clock.runFor(2.9 * seconds);
  await expect(page).toHaveURL(/\/reset-password\//);
  await page.clock.runFor(0.2 * seconds);
  await expect(page).toHaveURL(/\/login$/);
  expect(await signInByApi({ email: user.email, password: 'brand new words' })).toBeTruthy();
});

test('a reset link that cannot be used says so and leads to a new one', async ({ page }) => {
  for (const token of ['x'.repeat(201), 'x'.repeat(2000), 'unknown']) {
    await page.goto(`/reset-password/${token}`);
    await expect(page.getByRole('alert')).toHaveText('Invalid or expired reset link');
  }
  await page.getByRole('link', { name: 'Request a new reset link' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toHaveText('Invalid reset link');
});
