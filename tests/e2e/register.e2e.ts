import { randomBytes } from 'node:crypto';
import { expectAccessible } from './support/accessible.ts';
import { call, makeUser, signInByApi } from './support/api.ts';
import { chooseTyped, findOption } from './support/combobox.ts';
import { failWordless, holdRequests } from './support/hold.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('a superadmin registers a user, whose first sign-in asks for a new password', async ({ page, user }) => {
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
  await page.clock.pauseAt(Date.now() + 60_000);
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

  const banner = page.getByRole('status').filter({ hasText: 'User registered successfully' });
  await expect(banner).toBeVisible();
  for (const label of ['Full Name', 'Email', 'Company Code']) {
    await expect(page.getByLabel(label)).toHaveValue('');
  }
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('');
  await page.clock.runFor(2900);
  await expect(banner).toBeVisible();
  await page.clock.runFor(200);
  await expect(banner).toHaveCount(0);
  await signInByApi({ email, password: 'a first password' });
});

test.describe('a new client', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('a client is added with its first user in one form, and once only', async ({
    page,
    user,
    superadmin,
  }) => {
    const name = `Bintang ${randomBytes(4).toString('hex')}`;
    const email = `first-${randomBytes(4).toString('hex')}@example.com`;
    await page.goto('/dashboard/register');
    await page.getByRole('button', { name: 'Add a new client with this user' }).click();
    await expect(page.getByLabel('Company Name')).toBeFocused();
    await page.getByLabel('Company Name').fill(name);
    await page.getByLabel('Full Name').fill('Nadia Putri');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password', { exact: true }).fill('a first password');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Register User' }).click();
    // The email is taken: the client is there, and is chosen for the next try.
    await expect(page.getByRole('alert').filter({ hasText: 'Email is already registered' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Company Code' })).toHaveValue(
      new RegExp(`^[A-Z0-9]+ \\(${name}\\)$`),
    );
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Register User' }).click();
    await expect(page.getByRole('status').filter({ hasText: 'User registered successfully' })).toBeVisible();
    await signInByApi({ email, password: 'a first password' });
    const { data } = await call<{ data: { company_name: string }[] }>(
      'GET',
      '/clients/all',
      undefined,
      await signInByApi(superadmin),
    );
    expect(data.filter(({ company_name: made }) => made === name)).toHaveLength(1);
  });
});

test('short names and passwords do not leave the browser', async ({ page }) => {
  await page.goto('/dashboard/register');
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1;
  });
  await page.getByLabel('Full Name').pressSequentially('Al');
  await page.getByLabel('Email').pressSequentially('no email');
  await page.getByLabel('Password', { exact: true }).pressSequentially('1234567');
  await page.getByRole('button', { name: 'Register User' }).click();
  await expect(page.locator('input:invalid')).toHaveCount(3);
  expect(sent).toBe(0);
});

test.describe('what the server refuses', () => {
  test.use({ allowedComplaints: [/status of (409|500)/] });

  test('stands above the form, which keeps what was typed', async ({ page, user }) => {
    const taken = await makeUser();
    await page.goto('/dashboard/register');
    await page.getByLabel('Full Name').fill('Nadia Putri');
    await page.getByLabel('Email').fill(taken.email.toUpperCase());
    await page.getByLabel('Password', { exact: true }).fill('a first password');
    await page.getByRole('combobox', { name: 'Company Code' }).click();
    await chooseTyped(page, String(user.companyCode));
    await page.getByLabel('Role').selectOption('Superadmin');
    await page.getByRole('button', { name: 'Register User' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Email is already registered' })).toBeVisible();
    await expect(page.getByLabel('Full Name')).toHaveValue('Nadia Putri');
    await expectAccessible(page);
    await page.route('**/api/auth/register', (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Register User' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Registration failed' })).toBeVisible();
  });
});

test.describe('failures without any words of the server', () => {
  test.use({ allowedComplaints: [/status of (500|404|400)/] });

  test('a list of companies that cannot be loaded leaves the dropdown of Register User empty', async ({
    page,
  }) => {
    await failWordless(page, '**/api/clients/all*');
    await page.goto('/dashboard/register');
    await expect(page.getByRole('alert')).toHaveText(
      'Failed to load company codes. Reload the page to choose one.',
    );
    await page.getByRole('combobox', { name: 'Company Code' }).click();
    await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0);
  });
});
