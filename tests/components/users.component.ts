import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  verifyInvitation,
} from '#features/accounts/invitations.contract.ts';
import { deleteUserToken, listUserTokens } from '#features/accounts/tokens.contract.ts';
import { listUsers, resetUserSecondFactor, updateUser } from '#features/accounts/users.contract.ts';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/users';
const user = {
  _id: '7',
  email: 'ayu.sri.lestari@quokka-telecommunications.example',
  first_name: 'Ayu Sri',
  last_name: 'Lestari',
  company_code: 'ACM001',
  role: 'user' as const,
  active: true,
  last_login: '2026-11-23T08:30:00.000Z',
  created_at: '2026-10-01T02:00:00.000Z',
  second_factor: false,
};
const invitation = {
  _id: '3',
  email: 'dewi@example.test',
  first_name: 'Dewi',
  last_name: '',
  role: 'user' as const,
  company_code: 'ACM001',
  invited_by: null,
  created_at: '2026-11-23T08:30:00.000Z',
  expires_at: '2026-11-30T08:30:00.000Z',
};

test('a company administrator deactivates a user, after a refusal that the dialog shows', async ({
  page,
  api,
  open,
}) => {
  api.answer(listUsers, pageOf([user]));
  api.answer(listInvitations, pageOf([]));
  api.refuse(updateUser, 409, 'Somebody else was faster');
  await open(path, 'company-admin');
  await expect(page.getByRole('combobox', { name: 'Company', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Actions for Ayu Sri Lestari' }).click();
  await page.getByRole('menuitem', { name: 'Deactivate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Deactivate' });
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/Somebody else was faster/);
  await expectAccessible(page);
  api.answer(updateUser, { message: 'done', user: { ...user, active: false } });
  api.answer(listUsers, pageOf([{ ...user, active: false }]));
  await dialog.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Lestari' })).toContainText('Deactivated');
});

test('an untouched edit of a user shows what a colleague saved, and the toast names the stored user', async ({
  page,
  api,
  open,
}) => {
  api.answer(listUsers, pageOf([user]));
  api.answer(listInvitations, pageOf([]));
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Actions for Ayu Sri Lestari' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: /^Edit/ });
  await expect(dialog.getByLabel('Role')).toHaveValue('user');
  api.answer(listUsers, pageOf([{ ...user, role: 'company-admin' as const }]));
  await expect(async () => {
    await lookAgain(page);
    await expect(dialog.getByLabel('Role')).toHaveValue('company-admin', { timeout: 500 });
  }).toPass();
  await dialog.getByLabel('Last name').fill('Wulandari');
  const saved = { ...user, first_name: 'Dewi', last_name: 'Wulandari' };
  api.answer(updateUser, { message: 'done', user: saved });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Dewi Wulandari updated')).toBeVisible();
  expect(api.bodiesOf(updateUser)).toEqual([{ last_name: 'Wulandari' }]);
});

test('a superadmin removes a lost second factor, and a company administrator only sees it', async ({
  page,
  api,
  open,
}) => {
  api.answer(listUsers, pageOf([{ ...user, second_factor: true }]));
  api.answer(listInvitations, pageOf([]));
  api.answer(listCompanyCodes, { data: [] });
  api.failWordless(resetUserSecondFactor);
  await open(path, 'superadmin');
  await page.getByRole('combobox', { name: 'Second factor' }).selectOption('Set up');
  await expect(page).toHaveURL(/second_factor=true/);
  const row = page.getByRole('row').filter({ hasText: 'Lestari' });
  const mark = row.getByRole('img', { name: 'Has a second factor' });
  await expect(mark).toBeVisible();
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Actions for Ayu Sri Lestari' }).click();
  await page.getByRole('menuitem', { name: 'Remove second factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove second factor' });
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Nothing was changed');
  await expectAccessible(page);
  api.answer(resetUserSecondFactor, { message: 'done' });
  api.answer(listUsers, pageOf([user]));
  await dialog.getByRole('button', { name: 'Remove second factor' }).click();
  await expect(mark).toHaveCount(0);
  api.answer(listUsers, pageOf([{ ...user, second_factor: true }]));
  await open(path, 'company-admin');
  await expect(mark).toBeVisible();
  await page.getByRole('button', { name: 'Actions for Ayu Sri Lestari' }).click();
  await expect(page.getByRole('menuitem', { name: 'Deactivate' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Remove second factor' })).toHaveCount(0);
});

test("an administrator sees a user's API tokens, and revokes one after a refusal that the dialog shows", async ({
  page,
  api,
  open,
}) => {
  const token = {
    _id: '4',
    name: 'Nightly import',
    scope: 'write' as const,
    created_at: '2026-10-01T02:00:00.000Z',
    expires_at: null,
    last_used: null,
  };
  api.answer(listUsers, pageOf([user]));
  api.answer(listInvitations, pageOf([]));
  api.answer(listUserTokens, pageOf([token]));
  api.failWordless(deleteUserToken);
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Actions for Ayu Sri Lestari' }).click();
  await page.getByRole('menuitem', { name: 'API tokens' }).click();
  const tokens = page.getByRole('dialog', { name: 'API tokens of Ayu Sri Lestari' });
  await expect(tokens.getByRole('row').filter({ hasText: 'Nightly import' })).toContainText('Read and write');
  await expectAccessible(page, allWidths);
  await tokens.getByRole('button', { name: 'Revoke Nightly import' }).click();
  const question = page.getByRole('dialog', { name: 'Revoke API token' });
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(question.getByRole('alert')).toContainText('It still works');
  api.answer(deleteUserToken, { message: 'done' });
  api.answer(listUserTokens, pageOf([]));
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(tokens).toContainText('No API tokens');
});

test('a long email stands in one line on a wide screen, and in no more than three whole lines on a phone', async ({
  page,
  api,
  open,
}) => {
  const email = 'ayu.sri.lestari.wulandari@quokka-telecommunications-indonesia.example';
  api.answer(listUsers, pageOf([{ ...user, email }]));
  api.answer(listInvitations, pageOf([]));
  await open(path, 'company-admin');
  const shown = page.getByText(email);
  const height = async () => (await shown.boundingBox())?.height;
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect.poll(height).toBeLessThan(20);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(height).toBeGreaterThan(30);
  await expect.poll(height).toBeLessThan(50);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('on a phone users show their last sign-in, and invitations who sent them', async ({
  page,
  api,
  open,
}) => {
  api.answer(listUsers, pageOf([user]));
  api.answer(
    listInvitations,
    pageOf([{ ...invitation, invited_by: { _id: '1', email: 'budi@example.test' } }]),
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await open(path, 'company-admin');
  const users = page.getByRole('table', { name: 'Users' });
  await expect(users.getByText(/Nov 23, 2026/)).toBeVisible();
  await expect(page.getByText('budi@example.test')).toBeVisible();
  await expectAccessible(page, allWidths);
  await takePictures(page, allWidths);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('an invitation is sent, and stands among the open ones', async ({ page, api, open }) => {
  api.answer(listUsers, pageOf([user]));
  api.answer(listInvitations, pageOf([]));
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(createInvitation, { message: 'sent', invitation });
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a user' });
  await expectAccessible(page);
  await dialog.getByLabel('Email').fill(invitation.email);
  await dialog.getByLabel('First name').fill('Dewi');
  await expect(dialog.getByLabel('Role').getByRole('option')).toHaveText(['User', 'Company administrator']);
  api.answer(listInvitations, pageOf([invitation]));
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByRole('table', { name: 'Open invitations' })).toContainText(invitation.email);
});

test('a long dialog does not scroll when its head or foot gets the focus', async ({ page, api, open }) => {
  api.answer(listUsers, pageOf([user]));
  api.answer(listInvitations, pageOf([]));
  api.answer(listCompanyCodes, { data: [] });
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Invite user' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite a user' });
  await expect(dialog.getByLabel('Email')).toBeFocused();
  await page.setViewportSize({ width: 390, height: 420 });
  await runOn<void>(dialog, 'element.scrollTop = 60;');
  for (const name of ['Cancel', 'Close']) {
    await dialog.getByRole('button', { name, exact: true }).focus();
    expect(await runOn<number>(dialog, 'return element.scrollTop;')).toBe(60);
  }
});

test('the link of an invitation leads to a password, and an unusable one says so', async ({
  page,
  api,
  open,
}) => {
  api.answer(verifyInvitation, { valid: false, email: null, company_name: null, inviter: null });
  await open('/invitation/gone', 'nobody');
  await expect(page.getByRole('alert')).toContainText('This invitation is invalid or has expired.');
  api.answer(verifyInvitation, {
    valid: true,
    email: invitation.email,
    company_name: 'Acme',
    inviter: 'Budi (budi@acme.example)',
  });
  api.answer(acceptInvitation, { message: 'Welcome! You can now sign in.', email: invitation.email });
  await open('/invitation/usable', 'nobody');
  await expect(
    page.getByText(`Budi (budi@acme.example) invites you to Acme. Choose a password for ${invitation.email}`),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByText('Budi (budi@acme.example) mengundang Anda ke Acme.')).toBeVisible();
  await page.getByLabel('Bahasa').selectOption('en');
  await page.getByLabel('Password', { exact: true }).fill('seven green bikes');
  await page.getByLabel('Confirm password').fill('seven green bikes');
  await page.getByRole('button', { name: 'Create password' }).click();
  await expect(page.getByText('Welcome! You can now sign in.')).toBeVisible();
});
