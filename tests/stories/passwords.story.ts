import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { type Account, makeUser, signInByApi } from '#tests/support/stories/api.ts';
import { readNewestLink } from '#tests/support/stories/outbox.ts';

const seconds = 1000;
const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'));

async function submitSignIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

test('a new user comes to Change Password in place of the sign-in, and sees nothing else until it is done', async ({
  page,
}) => {
  const user = await makeUser({ keepNew: true });
  await page.goto('/login');
  const steps = await page.evaluate<number>('history.length');
  await submitSignIn(page, user);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  expect(await page.evaluate<number>('history.length')).toBe(steps);
  for (const path of ['/dashboard/upload', '/dashboard/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  }
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await readToken(page)).toBeNull();

  await page.clock.install();
  await page.goto('/dashboard/data');
  await submitSignIn(page, user);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(
    page.getByText('Welcome! For your security, please change your password before you continue.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Reset your password' })).toHaveCount(0);
  await page.getByLabel('Current Password').fill('half a pass');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await expect(menu).toContainText('The menu opens once you have changed your password.');
  for (const entry of await menu.getByRole('link').all())
    await expect(entry).toHaveAttribute('aria-disabled', 'true');
  await menu.getByRole('link', { name: 'Tracker' }).click({ force: true });
  await settled(page);
  await expectAccessible(page, [390, 1280]);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await expect(page.getByLabel('Current Password')).toHaveValue('half a pass');

  await page.getByLabel('Current Password').fill(user.password);
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
  await pauseClock(page);
  const before = await readToken(page);
  await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('main').getByRole('status')).toBeVisible();
  expect(await readToken(page)).not.toBe(before);
  await page.clock.runFor(1.9 * seconds);
  await expect(page).toHaveURL(/\/dashboard\/change-password$/);
  await page.clock.runFor(0.2 * seconds);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('a forgotten password is reset by the link of the mail, and a link that cannot be used leads to a new one', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/change-password');
  await page.getByRole('link', { name: 'Reset your password' }).click();
  await expect(page.getByRole('button', { name: 'Send Reset Link' })).toBeVisible();
  await expect(page).toHaveURL(/\/forgot-password$/);
  expect(await readToken(page)).toBeNull();
  await page.goBack();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto('/reset-password');
  await expect(page.getByRole('alert')).toHaveText('Invalid reset link');
  for (const token of ['x'.repeat(201), 'x'.repeat(2000), 'unknown']) {
    await page.goto(`/reset-password/${token}`);
    await expect(page.getByRole('alert')).toHaveText('Invalid or expired reset link');
  }
  await page.getByRole('link', { name: 'Request a new reset link' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByRole('link', { name: 'Back to login' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  await page.getByLabel('Email').fill(user.email);
  await page.getByRole('button', { name: 'Send Reset Link' }).click();
  await expect(page.getByText('Check your email!')).toBeVisible();

  await page.clock.install();
  await page.goto(new URL(await readNewestLink(user.email)).pathname);
  const submit = page.getByRole('button', { name: 'Reset Password' });
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('other words');
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText('Passwords do not match');
  await page.getByLabel('New Password').fill('short');
  await submit.click();
  await expect(page.getByRole('alert')).toHaveText('Password must be at least 8 characters long');
  await page.getByLabel('New Password').fill('brand new words');
  await page.getByLabel('Confirm Password').fill('brand new words');
  await pauseClock(page);
  await submit.click();
  await expect(page.getByText('You will be taken to the login page.')).toBeVisible();
  await page.clock.runFor(2.9 * seconds);
  await expect(page).toHaveURL(/\/reset-password\//);
  await page.clock.runFor(0.2 * seconds);
  await expect(page).toHaveURL(/\/login$/);
  expect(await signInByApi({ email: user.email, password: 'brand new words' })).toBeTruthy();
});
