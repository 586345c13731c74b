import type { Page } from '@playwright/test';
import { getBudget, putBudget } from '#features/clients/budgets.contract.ts';
import {
  createCompany,
  deleteCompany,
  updateCompany,
  updateCompanyStatus,
} from '#features/clients/clients.contract.ts';
import { getTerms, putTerms } from '#features/clients/terms.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

const path = '/dashboard/clients';

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions for Quokka' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('the buttons of Clients say that they are busy', async ({ page, api, open }) => {
  answerClients(api, client);
  api.answer(createCompany, { client });
  api.answer(updateCompany, { client });
  api.answer(deleteCompany, { message: 'deleted' });
  const [creation, update, deletion] = [
    api.hold(createCompany),
    api.hold(updateCompany),
    api.hold(deleteCompany),
  ];
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill('Quokka');
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  creation.letGo();
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeEnabled();
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeFocused();
  await choose(page, 'Edit');
  await page.getByLabel('Company Name').fill('Quokka Mobile');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(page.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  update.letGo();
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeEnabled();
  // A colleague may have changed the billing since the list was read.
  expect(api.bodiesOf(updateCompany)).toEqual([{ company_name: 'Quokka Mobile' }]);
  await choose(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  answerClients(api);
  deletion.letGo();
  await expect(page.getByRole('row').filter({ hasText: 'Quokka' })).toHaveCount(0);
});

test('whether known rows are billed is set in the form, and undone', async ({ page, api, open }) => {
  answerClients(api, client);
  api.answer(updateCompany, { client: { ...client, bill_known: false } });
  await open(path, 'superadmin');
  await choose(page, 'Edit');
  const billing = page.getByRole('checkbox', { name: 'Bill rows answered from the register' });
  await expect(billing).toBeChecked();
  await billing.press('Space');
  await expectAccessible(page, allWidths);
  await page.getByRole('button', { name: 'Update Client' }).click();
  // By keyboard: the toast may still be moving.
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect
    .poll(() => api.bodiesOf(updateCompany))
    .toEqual([
      // A colleague may have changed the name since the list was read.
      { bill_known: false },
      { bill_known: true },
    ]);
  await choose(page, 'Edit');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(billing).toHaveCount(0);
  expect(api.bodiesOf(updateCompany)).toHaveLength(2);
});

test('an untouched form of a client shows what a colleague saved, which an Undo restores', async ({
  page,
  api,
  open,
}) => {
  answerClients(api, client);
  await open(path, 'superadmin');
  await choose(page, 'Edit');
  const name = page.getByLabel('Company Name');
  await expect(name).toHaveValue('Quokka');
  answerClients(api, { ...client, company_name: 'Quokka Mobile' });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(name).toHaveValue('Quokka Mobile');
  await name.fill('Quokka Group');
  answerClients(api, { ...client, company_name: 'Quokka Telecom', bill_known: false });
  api.answer(getActivity, { ...quiet, revision: '2' });
  await lookAgain(page);
  await expect(page.getByRole('table').getByText('Quokka Telecom')).toBeVisible();
  await expect(name).toHaveValue('Quokka Group');
  api.answer(updateCompany, { client: { ...client, company_name: 'Quokka Group' } });
  await page.getByRole('button', { name: 'Update Client' }).click();
  // By keyboard: the toast may still be moving.
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect
    .poll(() => api.bodiesOf(updateCompany))
    .toEqual([{ company_name: 'Quokka Group' }, { company_name: 'Quokka Telecom' }]);
});

test('the budget of a client is set, shown with what is used, and removed', async ({ page, api, open }) => {
  answerClients(api, client);
  const budget = { monthly_rupiah: 1_250_000_000, used: 1_187_500_000, month: '2026-11' };
  api.answer(getBudget, budget);
  api.refuse(putBudget, 503, 'Please try again');
  await open(path, 'superadmin');
  await choose(page, 'Budget');
  const dialog = page.getByRole('dialog', { name: 'Budget of Quokka' });
  await expect(dialog).toContainText('Used in Nov 2026: Rp 1.187.500.000');
  const field = dialog.getByLabel('Budget per month');
  await expect(field).toHaveValue('1,250,000,000');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Actions for Quokka' })).toBeFocused();
  await choose(page, 'Budget');
  await expectAccessible(page, allWidths);
  await field.fill('');
  await dialog.getByRole('button', { name: 'Save Budget' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Please try again');
  api.answer(putBudget, { ...budget, monthly_rupiah: null });
  await dialog.getByRole('button', { name: 'Save Budget' }).click();
  await expect(dialog).toHaveCount(0);
  api.answer(getBudget, { ...budget, monthly_rupiah: null });
  await choose(page, 'Budget');
  await expect(field).toHaveValue('');
  await field.fill('2.000.000');
  await dialog.getByRole('button', { name: 'Save Budget' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(putBudget).map(({ monthly_rupiah }) => monthly_rupiah)).toEqual([
    null,
    null,
    2_000_000,
  ]);
});

test('an untouched dialog of a budget shows what a colleague saved', async ({ page, api, open }) => {
  answerClients(api, client);
  const budget = { monthly_rupiah: 5_000_000, used: 0, month: '2026-11' };
  api.answer(getBudget, budget);
  await open(path, 'superadmin');
  await choose(page, 'Budget');
  const field = page.getByLabel('Budget per month');
  await expect(field).toHaveValue('5,000,000');
  api.answer(getBudget, { ...budget, monthly_rupiah: 7_000_000 });
  await expect(async () => {
    await lookAgain(page);
    await expect(field).toHaveValue('7,000,000', { timeout: 500 });
  }).toPass();
});

test('a budget whose edit is taken back shows what a colleague saved', async ({ page, api, open }) => {
  answerClients(api, client);
  const budget = { monthly_rupiah: 5_000_000, used: 0, month: '2026-11' };
  api.answer(getBudget, budget);
  await open(path, 'superadmin');
  await choose(page, 'Budget');
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Budget per month');
  await field.fill('6.000.000');
  api.answer(getBudget, { ...budget, monthly_rupiah: 7_000_000, used: 1 });
  await expect(async () => {
    await lookAgain(page);
    await expect(dialog).toContainText('Used in Nov 2026: Rp 1', { timeout: 500 });
  }).toPass();
  await expect(field).toHaveValue('6.000.000');
  await field.fill('5,000,000');
  await expect(field).toHaveValue('7,000,000');
});

test('in Indonesian a price is shown and typed with a comma', async ({ page, api, open }) => {
  answerClients(api, client);
  const terms = {
    price: 0.045,
    discount: 0,
    payment_days: null,
    address: '',
    tax_number: '',
    invoice_emails: [],
    version: 1,
  };
  api.answer(getTerms, terms);
  api.answer(putTerms, { ...terms, price: 0.09, version: 2 });
  await open(path, 'superadmin');
  await page.getByLabel('Language').selectOption('id');
  await page.getByRole('button', { name: 'Tindakan untuk Quokka' }).click();
  await page.getByRole('menuitem', { name: 'Ketentuan' }).click();
  const price = page.getByRole('dialog').getByLabel('Harga per data');
  await expect(price).toHaveValue('0,045');
  await price.fill('0,09');
  await page.getByRole('button', { name: 'Simpan Ketentuan' }).click();
  await expect.poll(() => api.bodiesOf(putTerms).at(-1)).toEqual({ ...terms, price: 0.09 });
});

test('the terms of a client are read and set by the keyboard alone', async ({ page, api, open }) => {
  answerClients(api, client);
  const terms = {
    price: 0.045,
    discount: 10,
    payment_days: 14,
    address: 'Jalan Sudirman 1\nJakarta 10220',
    tax_number: '01.234.567.8-901.000',
    invoice_emails: ['finance@quokka.example', 'ayu@quokka.example'],
    version: 3,
  };
  api.answer(getTerms, terms);
  api.refuse(putTerms, 409, 'These settings were changed by someone else.', { code: 'changed_meanwhile' });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Actions for Quokka' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.type('Te');
  await expect(page.getByRole('menuitem', { name: 'Terms' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Terms of Quokka' });
  const price = dialog.getByLabel('Price per data');
  await expect(price).toHaveValue('0.045');
  await expect(dialog.getByLabel('Addresses for invoices')).toHaveValue(terms.invoice_emails.join('\n'));
  await expectAccessible(page, allWidths);
  await tabTo(page, price);
  await price.press('ControlOrMeta+a');
  await page.keyboard.type('0,05');
  await expect(dialog).toContainText('Enter a price such as 0.05');
  await price.press('ControlOrMeta+a');
  await page.keyboard.type('441650591');
  await expect(dialog).toContainText('Enter a number of at most 99,999,999.');
  await page.keyboard.press('Enter');
  expect(api.bodiesOf(putTerms)).toEqual([]);
  await price.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveText(/^Someone else changed these settings\./);
  api.answer(putTerms, { ...terms, price: null, version: 4 });
  await tabAndPress(page, dialog.getByRole('button', { name: 'Save Terms' }));
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(putTerms).at(-1)).toEqual({ ...terms, price: null });
});

test('what is refused of a form stands at its field until it is changed, the rest above the form', async ({
  page,
  api,
  open,
}) => {
  answerClients(api, client);
  const terms = {
    ...{ price: null, discount: 0, payment_days: null, address: '', tax_number: '', version: 3 },
    invoice_emails: ['finance@quokka.example'],
  };
  api.answer(getTerms, terms);
  const message = 'Please enter a valid email address';
  const atEmails = { path: 'invoice_emails.1', message };
  api.refuse(putTerms, 400, message, { details: [atEmails] });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Actions for Quokka' }).click();
  await page.getByRole('menuitem', { name: 'Terms' }).click();
  const dialog = page.getByRole('dialog', { name: 'Terms of Quokka' });
  const save = dialog.getByRole('button', { name: 'Save Terms' });
  const emails = dialog.getByLabel('Addresses for invoices');
  await emails.fill('finance@quokka.example\nayu@quokka');
  await save.click();
  await expect(emails).toBeFocused();
  await expect(emails).toHaveAccessibleDescription(/ayu@quokka: Please enter a valid email address/);
  await expect(dialog.getByLabel('Discount')).not.toHaveAttribute('aria-invalid', 'true');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await expectAccessible(page);
  await emails.press('End');
  await emails.press('x');
  await expect(dialog.getByText(message)).toHaveCount(0);

  const stale = 'The terms are of another version';
  api.refuse(putTerms, 400, stale, { details: [{ path: 'version', message: stale }, atEmails] });
  await save.click();
  await expect(dialog.getByRole('alert')).toHaveText(stale);
  await expect(emails).toHaveAttribute('aria-invalid', 'true');

  await page.setViewportSize({ width: 390, height: 640 });
  api.refuse(putTerms, 503, 'The database does not answer');
  await emails.fill('finance@quokka.example');
  await save.click();
  await expect(dialog.getByText('The database does not answer')).toBeInViewport({ ratio: 1 });
  const close = await dialog.getByRole('button', { name: 'Close' }).boundingBox();
  const alert = await dialog.getByRole('alert').boundingBox();
  expect(alert?.y, 'below the head of the dialog').toBeGreaterThan((close?.y ?? 0) + (close?.height ?? 0));
  await takePictures(page);
});

test('a program submits a form after a double click into one of its fields', async ({ page, api, open }) => {
  answerClients(api, client);
  api.answer(createCompany, { client });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Add Client' }).click();
  const name = page.getByLabel('Company Name');
  await name.fill('Quokka');
  await name.dblclick();
  // By a timer, as a program does: it comes after those of the clicks.
  await page.evaluate('void setTimeout(() => document.activeElement.form.requestSubmit(), 1)');
  await expect.poll(() => api.bodiesOf(createCompany)).toHaveLength(1);
});

/** Creates a client whose answer is held. */
async function beginCreation(
  page: Page,
  api: FakeApi,
  open: (path: string, role: 'superadmin') => Promise<void>,
) {
  answerClients(api, client);
  api.answer(createCompany, { client });
  const creation = api.hold(createCompany);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill('Quokka');
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect.poll(() => api.bodiesOf(createCompany)).toHaveLength(1);
  return creation;
}

test('an answer after the sign-out leaves the address to the sign-in', async ({ page, api, open }) => {
  const creation = await beginCreation(page, api, open);
  await page.evaluate("localStorage.removeItem('token'), dispatchEvent(new StorageEvent('storage'))");
  await expect(page.getByRole('heading', { name: 'Welcome Back!' })).toBeVisible();
  await expect(page).toHaveURL('/login');
  creation.letGo();
  await settled(page);
  await expect(page).toHaveURL('/login');
});

test('an answer does not lead back a superadmin who has left the screen', async ({ page, api, open }) => {
  const creation = await beginCreation(page, api, open);
  await page.getByRole('link', { name: 'Change Password' }).click();
  await expect(page).toHaveURL('/dashboard/change-password');
  creation.letGo();
  await expect(page.getByText('Quokka was added')).toBeVisible();
  await settled(page);
  await expect(page).toHaveURL('/dashboard/change-password');
});

test('changes of a client that fail show the server’s message, else the product’s own', async ({
  page,
  api,
  open,
}) => {
  answerClients(api, client);
  for (const call of [updateCompanyStatus, updateCompany, deleteCompany]) api.failWordless(call);
  await open(path, 'superadmin');
  await choose(page, 'Change status');
  await expect(page.getByRole('alert')).toHaveText(
    'Failed to change the status of Quokka. It is unchanged; please try again.',
  );
  expect(api.bodiesOf(updateCompanyStatus)).toEqual([{ status: '0' }]);
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();

  await choose(page, 'Edit');
  await page.getByLabel('Company Name').fill('');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(page.getByLabel('Company Name').and(page.locator(':invalid'))).toBeFocused();
  const [field, table] = [page.getByLabel('Company Name'), page.getByRole('table')];
  expect((await field.boundingBox())?.y).toBeLessThan((await table.boundingBox())?.y ?? 0);
  await field.fill('Quokka Mobile');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to update new client' })).toBeVisible();
  api.refuse(updateCompany, 400, 'company_name is required');
  await field.fill('   ');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'company_name is required' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Actions for Quokka' })).toBeFocused();
  await expect(page.getByLabel('Company Name')).toHaveCount(0);
  await choose(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    'Failed to delete client. It is still in the list; please try again.',
  );
  await page.keyboard.press('Escape');

  api.refuse(deleteCompany, 409, 'Quokka cannot be deleted: it still has users (1)');
  await choose(page, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete client data' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/cannot be deleted: it still has users \(1\)/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('row').filter({ hasText: 'Quokka' })).toBeVisible();

  api.refuse(createCompany, 400, 'company_name is required');
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill('   ');
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'company_name' })).toBeVisible();
  api.failWordless(createCompany);
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect(page.getByText('Failed to create new client', { exact: true })).toBeVisible();
});
