import { randomBytes } from 'node:crypto';
import { findOption } from '#tests/support/browser/combobox.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { readNewestLink } from '#tests/support/stories/outbox.ts';

test('a superadmin invites a company administrator, who chooses a password and sees the own company', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const company = String(user.companyCode);
  const email = `invited-${randomBytes(4).toString('hex')}@example.com`;
  await signIn(page, superadmin);
  await page.goto('/dashboard/users');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a user' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('First name').fill('Dewi');
  await dialog.getByLabel('Last name').fill('Anggraini');
  await dialog.getByLabel('Role').selectOption('Company administrator');
  await dialog.getByRole('combobox', { name: 'Company Code' }).fill(company);
  await findOption(page, company).click();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(email);

  await page.goto('/logout');
  await expect(page).toHaveURL(/\/login/);
  await page.goto(new URL(await readNewestLink(email)).pathname);
  await page.getByLabel('Password', { exact: true }).fill('seven green bikes');
  await page.getByLabel('Confirm password').fill('seven green bikes');
  await page.getByRole('button', { name: 'Create password' }).click();
  await expect(page.getByText('Welcome! You can now sign in.')).toBeVisible();

  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('seven green bikes');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
  await page.goto('/dashboard/users');
  const users = page.getByRole('table', { name: 'All users' });
  await expect(users).toContainText(email);
  await expect(users).toContainText(user.email);
  await expect(users).not.toContainText(superadmin.email);
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByRole('table', { name: 'Audit Log' })).toContainText('Invitation accepted');
});
