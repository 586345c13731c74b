import { createUser } from '#features/accounts/accounts.contract.ts';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/register';
const nadia = {
  _id: '7',
  name: 'Nadia Putri',
  email: 'nadia@example.com',
  superadmin: '0' as const,
  new_user: '1' as const,
  company_code: 'ACM001',
};

test('Register User sends no short names and passwords, and says so in the language of the page', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, { data: [] });
  await open(path, 'superadmin');
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
  await expect(page.locator('input:invalid')).toHaveCount(3);
  expect(api.bodiesOf(createUser)).toEqual([]);
  await page.getByLabel('Bahasa').selectOption('en');
  await expectWords('Register User', ['Enter at least 3 characters.']);
  await fields.nth(0).pressSequentially('ice');
  await expect(fields.nth(0)).toHaveJSProperty('validationMessage', '');
});

test('Register User shows a refusal above the form and keeps what was typed', async ({ page, api, open }) => {
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.refuse(createUser, 409, 'Email is already registered');
  await open(path, 'superadmin');
  await page.getByLabel('Full Name').fill('Nadia Putri');
  await page.getByLabel('Email').fill('NADIA@EXAMPLE.COM');
  await page.getByLabel('Password', { exact: true }).fill('a first password');
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await page.getByRole('option', { name: 'ACM001 (Acme)' }).click();
  await page.getByLabel('Role').selectOption('Superadmin');
  await page.getByRole('button', { name: 'Register User' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Email is already registered' })).toBeVisible();
  await expect(page.getByLabel('Full Name')).toHaveValue('Nadia Putri');
  expect(api.bodiesOf(createUser)).toEqual([
    {
      name: 'Nadia Putri',
      email: 'NADIA@EXAMPLE.COM',
      password: 'a first password',
      superadmin: '1',
      company_code: 'ACM001',
    },
  ]);
  await expectAccessible(page);
  api.failWordless(createUser);
  await page.getByRole('button', { name: 'Register User' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Registration failed' })).toBeVisible();
});

test('Register User shows a refused email address and company at their fields', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  const [unknown, wrong] = ['Select an Active company', 'Enter an email address'];
  const details = [
    { path: 'email', message: wrong },
    { path: 'company_code', message: unknown },
  ];
  api.refuse(createUser, 400, wrong, { details });
  await open(path, 'superadmin');
  const email = page.getByLabel('Email');
  const company = page.getByRole('combobox', { name: 'Company Code' });
  await page.getByLabel('Full Name').fill('Nadia Putri');
  await email.fill('nadia@example');
  await page.getByLabel('Password', { exact: true }).fill('a first password');
  await company.click();
  await page.getByRole('option', { name: 'ACM001 (Acme)' }).click();
  await page.getByRole('button', { name: 'Register User' }).click();
  await expect(email).toHaveAccessibleDescription(wrong);
  await expect(email).toBeFocused();
  await expect(company).toHaveAccessibleDescription(unknown);
  await expectAccessible(page);
  await email.fill('nadia@example.com');
  await expect(email).toHaveAccessibleDescription('');
  api.answer(createUser, { message: 'User registered successfully', user: nadia });
  await page.getByRole('button', { name: 'Register User' }).click();
  await expect(page.getByText('User registered successfully')).toBeVisible();
  await expect(email).toHaveValue('');
  await expect(company).toHaveValue('');
  await expect(company).toHaveAccessibleDescription('');
});

test('Register User leaves the dropdown empty when companies cannot be loaded', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listCompanyCodes);
  await open(path, 'superadmin');
  await expect(page.getByRole('alert')).toHaveText('Failed to load company codes. Please try again.');
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0);
});
