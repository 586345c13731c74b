import { randomBytes } from 'node:crypto';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { findOption } from '#tests/support/browser/combobox.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { call, signInByApi, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';

test.use({ allowedComplaints: [/status of 409/] });

test('a superadmin registers a user, then a client with its first user in one form and once only', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await signIn(page, superadmin);
  await page.clock.install();
  const email = `new-${randomBytes(4).toString('hex')}@example.com`;
  await page.goto('/dashboard/register');
  await expect(page.getByRole('heading', { name: 'Register New User' })).toBeVisible();
  await expect(page.getByText('Minimum 8 characters', { exact: true })).toBeVisible();
  const role = page.getByLabel('Role');
  await expect(role).toHaveValue('0');
  await expect(role.getByRole('option')).toHaveText(['Regular User', 'Superadmin']);

  await page.getByLabel('Full Name').fill('Nadia Putri');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('a first password');
  const submit = page.getByRole('button', { name: 'Register User' });
  await submit.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Please select a company code.' })).toBeVisible();
  const company = page.getByRole('combobox', { name: 'Company Code' });
  await expect(company).toBeFocused();
  await expect(company).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);

  await page.keyboard.type(String(user.companyCode).toLowerCase());
  await expect(company).toHaveValue(String(user.companyCode));
  await expect(findOption(page, String(user.companyCode))).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(company).toHaveValue(new RegExp(`^${user.companyCode} \\(Acme \\w+\\)$`));
  const registration = await holdRequests(page, 'POST', '**/api/auth/register');
  await pauseClock(page);
  const sent = page.waitForRequest('**/api/auth/register');
  await submit.click();
  await expect(page.getByRole('button', { name: 'Registering...' })).toBeDisabled();
  registration.letGo();
  expect((await sent).postDataJSON()).toEqual({
    name: 'Nadia Putri',
    email,
    password: 'a first password',
    superadmin: '0',
    company_code: user.companyCode,
  });

  const banner = page.getByRole('status').filter({ hasText: 'User Nadia Putri registered' });
  await expect(banner).toBeVisible();
  for (const label of ['Full Name', 'Email', 'Company Code']) {
    await expect(page.getByLabel(label)).toHaveValue('');
  }
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  // The emptied fields are not wrong.
  await expect(page.locator('input:user-invalid')).toHaveCount(0);
  await page.clock.runFor(2900);
  await expect(banner).toBeVisible();
  await page.clock.runFor(200);
  await expect(banner).toHaveCount(0);
  await signInByApi({ email, password: 'a first password' });

  await page.clock.resume();
  const name = `Bintang ${randomBytes(4).toString('hex')}`;
  const first = `first-${randomBytes(4).toString('hex')}@example.com`;
  await page.getByRole('button', { name: 'Add a new client with this user' }).click();
  await expect(page.getByLabel('Company Name')).toBeFocused();
  await page.getByLabel('Company Name').fill(name);
  await page.getByLabel('Full Name').fill('Nadia Putri');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill('a first password');
  await expectAccessible(page);
  await submit.click();
  // The email is taken: the client is there, and is chosen for the next try.
  await expect(page.getByRole('alert').filter({ hasText: 'Email is already registered' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Company Code' })).toHaveValue(
    new RegExp(`^[A-Z0-9]+ \\(${name}\\)$`),
  );
  await page.getByLabel('Email').fill(first);
  await submit.click();
  await expect(banner).toBeVisible();
  await signInByApi({ email: first, password: 'a first password' });
  const { data } = await call<{ data: { company_name: string }[] }>(
    'GET',
    '/clients/all',
    undefined,
    await tokenOf(superadmin),
  );
  expect(data.filter(({ company_name: made }) => made === name)).toHaveLength(1);
});
