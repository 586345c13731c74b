import type { Page } from '@playwright/test';
import { getOwnCompany, listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getTerms } from '#features/clients/terms.contract.ts';
import {
  createInvoice,
  creditInvoice,
  deleteInvoice,
  downloadInvoicePdf,
  getSeller,
  issueInvoice,
  listInvoices,
  payInvoice,
  putSeller,
  remindInvoice,
  sendInvoice,
  updateInvoice,
} from '#features/invoices/invoices.contract.ts';
import { getReminders, putReminders } from '#features/invoices/reminders.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { findOption } from '#tests/support/browser/combobox.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { expectWhole, runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerInvoices, credited, draft, issued, seller } from '#tests/support/browser/made-up-invoices.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/invoices';
const codes = { data: [{ company_code: 'TEL001', company_name: 'Telekomunikasi' }] };

/** The terms of the client whom the invoices bill. */
const terms = {
  price: null,
  discount: 0,
  payment_days: 14,
  address: '',
  tax_number: '',
  invoice_emails: ['finance@quokka.example', 'ayu@quokka.example'],
  version: 1,
};

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Lets the screen notice that a ticket has changed elsewhere. */
async function noticeChange(page: Page, api: FakeApi, revision: string): Promise<void> {
  api.answer(getActivity, { ...quiet, revision });
  await lookAgain(page);
}
const draftName = 'draft for TEL001, Oct 2026';

test('a superadmin sees open amounts and statuses, narrows the list, and drafts an invoice', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api, draft, issued, credited, { ...issued, _id: '4', status: 'paid', overdue: false });
  api.answer(listCompanyCodes, codes);
  api.refuse(createInvoice, 409, 'All tickets of this month are already on another invoice.');
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'All invoices' });
  await expect(table.getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('region', { name: 'Unpaid' })).toContainText('Rp 201.298.500');
  await page.setViewportSize({ width: 1280, height: 800 });
  const beside = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(table.locator('..'), beside)).toBe(0);
  for (const status of ['Draft', 'Overdue', 'Credited', 'Paid']) {
    await expect(table.getByText(status, { exact: true }).first()).toBeVisible();
  }
  await expectAccessible(page, allWidths);
  await page.getByLabel('Status').selectOption('Overdue');
  await expect(page).toHaveURL(/status=overdue/);
  await page.getByRole('button', { name: 'Draft invoice' }).click();
  const dialog = page.getByRole('dialog', { name: 'Draft invoice' });
  await dialog.getByRole('combobox', { name: 'Company Code' }).fill('TEL001');
  await findOption(page, 'TEL001').click();
  await dialog.getByLabel('Month').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(dialog.getByRole('alert')).toContainText('already on another invoice');
  await expectAccessible(page);
  api.answer(createInvoice, draft);
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(createInvoice)[1]?.company_code).toBe('TEL001');
});

test('a draft is edited, issued and deleted, each by its dialog', async ({ page, api, open }) => {
  answerInvoices(api, { ...draft, seller: { ...seller, name: '' } });
  api.answer(listCompanyCodes, codes);
  api.answer(getTerms, terms);
  api.answer(getSeller, { ...seller, name: '', version: 0 });
  // Its path also is one of an invoice.
  api.answer(putSeller, { ...seller, version: 1 });
  api.answer(updateInvoice, draft);
  api.refuse(issueInvoice, 409, 'This invoice was already issued.');
  api.refuse(deleteInvoice, 409, 'This invoice was already issued.');
  await open(path, 'superadmin');
  await choose(page, draftName, 'Edit');
  let dialog = page.getByRole('dialog', { name: `Edit ${draftName}` });
  await dialog.getByLabel('Due').fill('2026-12-01');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await choose(page, draftName, 'Edit');
  await dialog.getByLabel('Note').fill('Thank you');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  // A field that another superadmin has changed meanwhile stays.
  expect(api.bodiesOf(updateInvoice)).toEqual([{ due_at: '2026-12-01' }, { note: 'Thank you' }]);
  await choose(page, draftName, 'Issue invoice');
  dialog = page.getByRole('dialog', { name: 'Issue invoice' });
  await expect(dialog).toContainText('Rp 201.298.500 for 2 tickets');
  await expect(dialog).toContainText('The seller’s data are missing.');
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This invoice was already issued.');
  await expectAccessible(page, allWidths);
  await dialog.getByRole('link', { name: 'Seller’s data' }).click();
  dialog = page.getByRole('dialog', { name: 'Seller’s data' });
  await dialog.getByLabel('Company name').fill('PT Cakupan');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => api.bodiesOf(putSeller).map(({ name }) => name)).toEqual(['PT Cakupan']);
  await expect(dialog).toHaveCount(0);
  await choose(page, draftName, 'Delete');
  dialog = page.getByRole('dialog', { name: 'Delete draft' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This invoice was already issued.');
});

test('an untouched edit of a draft shows what a colleague saved, and overwrites none of it', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api, draft);
  api.answer(listCompanyCodes, codes);
  api.answer(updateInvoice, draft);
  await open(path, 'superadmin');
  await choose(page, draftName, 'Edit');
  const dialog = page.getByRole('dialog', { name: `Edit ${draftName}` });
  const note = dialog.getByLabel('Note');
  await expect(note).toHaveValue('');
  answerInvoices(api, { ...draft, note: 'Thank you' });
  await noticeChange(page, api, '1');
  await expect(note).toHaveValue('Thank you');
  await dialog.getByLabel('Due').fill('2026-12-01');
  answerInvoices(api, { ...draft, note: 'Terima kasih' });
  await noticeChange(page, api, '2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(updateInvoice)).toEqual([{ due_at: '2026-12-01' }]);
});

test('the dialog of an issue shows the present total, and issues no other one', async ({
  page,
  api,
  open,
}) => {
  const narrowed = { ...draft, note: 'Changed by a colleague', total: 134_199_000 };
  answerInvoices(api, draft);
  api.answer(listCompanyCodes, codes);
  api.answer(getTerms, terms);
  api.answer(updateInvoice, draft);
  await open(path, 'superadmin');
  await choose(page, draftName, 'Issue invoice');
  const dialog = page.getByRole('dialog', { name: 'Issue invoice' });
  await expect(dialog).toContainText('Rp 201.298.500 for 2 tickets');
  answerInvoices(api, narrowed);
  await noticeChange(page, api, '1');
  await expect(dialog).toContainText('Rp 134.199.000 for 2 tickets');
  answerInvoices(api, { ...narrowed, total: 67_099_500 });
  api.refuse(issueInvoice, 409, 'The total of this draft has changed.', { code: 'changed_meanwhile' });
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('The total of this draft has changed.');
  expect(api.bodiesOf(issueInvoice)).toEqual([{ total: 134_199_000, send: false }]);
  await expect(dialog).toContainText('Rp 67.099.500 for 2 tickets');
  answerInvoices(api);
  await noticeChange(page, api, '2');
  await expect(page.getByText('There are no invoices yet')).toBeAttached();
  api.answer(issueInvoice, issued);
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(issueInvoice)[1]).toEqual({ total: 67_099_500, send: false });
});

test('an issued invoice is paid, reminded of and credited; its details have its tickets', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api, issued);
  api.answer(listCompanyCodes, codes);
  api.answer(payInvoice, issued);
  api.answer(creditInvoice, credited);
  await open(path, 'superadmin');
  await choose(page, 'INV/2026/0001', 'Mark as paid');
  let dialog = page.getByRole('dialog', { name: 'Payment of INV/2026/0001' });
  await dialog.getByLabel('Paid on').fill('2026-11-20');
  await dialog.getByLabel('Note on the payment').fill('Transfer 4711');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Mark as paid' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(payInvoice)).toEqual([{ paid_at: '2026-11-20', note: 'Transfer 4711' }]);
  api.refuse(remindInvoice, 409, 'The company has no active administrator. Invite one first.');
  await choose(page, 'INV/2026/0001', 'Send reminder');
  dialog = page.getByRole('dialog', { name: 'Reminder for INV/2026/0001' });
  await dialog.getByLabel('Language').selectOption('Bahasa Indonesia');
  await dialog.getByRole('button', { name: 'Send reminder' }).click();
  await expect(dialog.getByRole('alert')).toContainText('no active administrator');
  await expectAccessible(page);
  expect(api.bodiesOf(remindInvoice)).toHaveLength(1);
  await page.keyboard.press('Escape');
  await choose(page, 'INV/2026/0001', 'Make credit note');
  dialog = page.getByRole('dialog', { name: 'Credit note for INV/2026/0001' });
  await dialog.getByLabel('Reason').fill('Wrong discount');
  await dialog.getByRole('button', { name: 'Make credit note' }).click();
  await expect(dialog).toHaveCount(0);
  await choose(page, 'INV/2026/0001', 'Details');
  dialog = page.getByRole('dialog', { name: 'INV/2026/0001' });
  await expect(dialog.getByRole('row')).toHaveCount(3);
  await expect(dialog).toContainText('PPN 11%');
  await expectAccessible(page, allWidths);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole('columnheader')).toHaveCount(0);
  await takePictures(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('an invoice is issued and sent at once, and sent again; its details say where it went', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, codes);
  api.answer(getTerms, terms);
  answerInvoices(api, { ...draft, payment_days: 14 });
  api.answer(issueInvoice, issued);
  await open(path, 'superadmin');
  await choose(page, draftName, 'Issue invoice');
  let dialog = page.getByRole('dialog', { name: 'Issue invoice' });
  await expect(dialog).toContainText('It is due 14 days after its issue.');
  await dialog.getByLabel('Also send it by mail').check();
  await expect(dialog).toContainText('The PDF goes to finance@quokka.example, ayu@quokka.example.');
  await expectAccessible(page, allWidths);
  await dialog.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(issueInvoice)).toEqual([{ total: draft.total, send: true }]);

  const sent = { at: '2026-11-03T03:00:00.000Z', to: terms.invoice_emails, status: 'failed' as const };
  answerInvoices(api, { ...issued, sent });
  api.answer(getTerms, { ...terms, invoice_emails: [] });
  api.refuse(sendInvoice, 409, 'This client has no address for invoices.');
  await open(path, 'superadmin');
  await expect(page.getByRole('table').getByText('Not sent')).toBeVisible();
  await choose(page, 'INV/2026/0001', 'Send again');
  dialog = page.getByRole('dialog', { name: 'Send INV/2026/0001' });
  await expect(dialog).toContainText('Enter one in its terms.');
  await dialog.getByLabel('Language').selectOption('Bahasa Indonesia');
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This client has no address for invoices.');
  await expectAccessible(page, allWidths);
  api.answer(sendInvoice, { message: 'On its way' });
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await expect(dialog).toHaveCount(0);
  await choose(page, 'INV/2026/0001', 'Details');
  await expect(page.getByRole('dialog', { name: 'INV/2026/0001' })).toContainText(
    'to finance@quokka.example, ayu@quokka.example',
  );
});

test('an invoice whose sending gets no answer may have been sent, and the list says so at once', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, codes);
  api.answer(getTerms, terms);
  answerInvoices(api, issued);
  api.loseAnswer(sendInvoice);
  await open(path, 'superadmin');
  await choose(page, 'INV/2026/0001', 'Send by mail');
  // Its answer would read the list again, too.
  api.hold(getActivity);
  const dialog = page.getByRole('dialog', { name: 'Send INV/2026/0001' });
  const sent = { at: '2026-11-03T03:00:00.000Z', to: terms.invoice_emails, status: 'queued' as const };
  answerInvoices(api, { ...issued, sent });
  const first = page.waitForRequest((request) => request.url().includes('/send'));
  await dialog.getByRole('button', { name: 'Send by mail' }).click();
  const key = (await first).headers()['idempotency-key'];
  expect(key).toMatch(/^[0-9a-f]{32}$/);
  await expect(dialog.getByRole('alert')).toContainText(
    'No answer arrived. The change may have been made: check before you try again.',
  );
  await expect(page.getByText('Being sent')).toBeVisible();

  const repeated = page.waitForRequest((request) => request.url().includes('/send'));
  await dialog.getByRole('button', { name: 'Send again' }).click();
  expect((await repeated).headers()['idempotency-key']).toBe(key);
});

test('an invoice is sent only once its addresses are read, and a failed read is repeated', async ({
  page,
  api,
  open,
}) => {
  const sent = { at: '2026-11-03T03:00:00.000Z', to: terms.invoice_emails, status: 'failed' as const };
  answerInvoices(api, { ...issued, sent });
  api.answer(listCompanyCodes, codes);
  api.failWordless(getTerms);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await page.setViewportSize({ width: 390, height: 844 });
  await open(path, 'superadmin');
  await expect(page.getByRole('table').getByText('Not sent')).toBeVisible();
  await choose(page, 'INV/2026/0001', 'Send again');
  const dialog = page.getByRole('dialog', { name: 'Send INV/2026/0001' });
  const retry = dialog.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeDisabled();
  api.answer(getTerms, terms);
  await retry.click();
  await expect(dialog).toContainText('The PDF goes to finance@quokka.example');
  await expect(dialog.getByRole('button', { name: 'Send again' })).toBeEnabled();
});

test('the seller’s data are changed, with a tax or without', async ({ page, api, open }) => {
  answerInvoices(api);
  api.answer(listCompanyCodes, codes);
  api.answer(getSeller, { ...seller, version: 4 });
  api.answer(putSeller, { ...seller, version: 5 });
  await open(path, 'superadmin');
  await expect(page.getByText('There are no invoices yet')).toBeVisible();
  await page.getByRole('button', { name: 'Seller’s data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Seller’s data' });
  await expect(dialog.getByLabel('Company name')).toHaveValue(seller.name);
  await expectAccessible(page, allWidths);
  const percent = dialog.getByLabel('PPN in percent');
  await percent.fill('11.555');
  await expect(dialog).toContainText('Enter 0 to 100 with two decimals at most');
  for (const typed of ['11,5', '']) {
    await percent.fill(typed);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: 'Seller’s data' }).click();
  }
  expect(api.bodiesOf(putSeller)).toEqual([
    { ...seller, ppn_percent: 11.5, version: 4 },
    { ...seller, ppn_percent: null, version: 4 },
  ]);
});

test('a stale form of the seller keeps what was typed; opened again, it has the present data', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api);
  api.answer(listCompanyCodes, codes);
  api.answer(getSeller, { ...seller, version: 4 });
  api.refuse(putSeller, 409, 'These settings were changed by someone else.', { code: 'changed_meanwhile' });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Seller’s data' }).click();
  const dialog = page.getByRole('dialog', { name: 'Seller’s data' });
  await dialog.getByLabel('Bank').fill('Bank BCA 456');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/^Someone else changed these settings\./);
  await expect(dialog.getByLabel('Bank')).toHaveValue('Bank BCA 456');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  const changed = { ...seller, ppn_percent: 12, version: 5 };
  api.answer(getSeller, changed);
  api.answer(putSeller, changed);
  await page.getByRole('button', { name: 'Seller’s data' }).click();
  await expect(dialog.getByLabel('PPN in percent')).toHaveValue('12');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(putSeller).map(({ version }) => version)).toEqual([4, 5]);
});

test('automatic reminders are set, after a wrong day and a refusal', async ({ page, api, open }) => {
  answerInvoices(api);
  api.answer(listCompanyCodes, codes);
  api.answer(getReminders, { days: [7, 14], language: 'id', version: 4 });
  api.failWordless(putReminders);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Automatic reminders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Automatic reminders' });
  const days = dialog.getByLabel('Days after the due day');
  await expect(days).toHaveValue('7, 14');
  await days.fill('7, 7');
  await expect(dialog).toContainText('Enter up to 5 different whole numbers');
  await expectAccessible(page, allWidths);
  const save = dialog.getByRole('button', { name: 'Save' });
  await save.click();
  expect(api.bodiesOf(putReminders)).toEqual([]);
  await days.fill('3, 30');
  await dialog.getByLabel('Language').selectOption('English');
  await save.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  api.answer(putReminders, { days: [3, 30], language: 'en', version: 5 });
  await save.click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(putReminders).at(-1)).toEqual({ days: [3, 30], language: 'en', version: 4 });
});

test.describe('in another time zone than the product', () => {
  test.use({ timezoneId: 'Asia/Makassar' });
  test('the list shows the day of issue by which it is filtered', async ({ page, api, open }) => {
    answerInvoices(api, { ...issued, issued_at: '2026-12-31T16:30:00.000Z', issued_on: '2026-12-31' });
    await open(path, 'company-admin');
    await expect(page.getByRole('cell', { name: 'Dec 31, 2026' })).toBeVisible();
  });
});

test('a company administrator only reads the own invoices', async ({ page, api, open }) => {
  answerInvoices(api, credited);
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Actions for INV/2026/0002' }).click();
  await expect(page.getByRole('menuitem')).toHaveText([
    'Details',
    'PDF in English',
    'PDF in Indonesian',
    'Credit note in English',
    'Credit note in Indonesian',
  ]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Draft invoice' })).toHaveCount(0);
  await expect(page.getByLabel('Status').getByRole('option', { name: 'Draft' })).toHaveCount(0);
  answerInvoices(api);
  await open(path, 'company-admin');
  await expect(page.getByText('An invoice appears here once it is issued.')).toBeVisible();
  await page.getByLabel('Status').selectOption({ label: 'Paid' });
  await expect(page.getByText('Choose another status or range of days.')).toBeVisible();
  api.failWordless(listInvoices);
  await open(path, 'company-admin');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('a PDF that cannot be downloaded is told in the language that was chosen since', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api, credited);
  api.failWordless(downloadInvoicePdf);
  await open(path, 'company-admin');
  await page.getByLabel('Language').selectOption('id');
  await page.getByRole('button', { name: 'Tindakan untuk INV/2026/0002' }).click();
  await page.getByRole('menuitem').nth(1).click();
  await expect(page.getByRole('alert')).toContainText('Unduhan gagal');
  await page.getByLabel('Bahasa').selectOption('en');
});

test('without a company no invoice is drafted, and its field says so', async ({ page, api, open }) => {
  answerInvoices(api);
  api.answer(listCompanyCodes, codes);
  const message = 'Please select a company code.';
  const details = [{ path: 'company_code', message }];
  api.refuse(createInvoice, 400, message, { code: 'invalid_input', details });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Draft invoice' }).click();
  const dialog = page.getByRole('dialog', { name: 'Draft invoice' });
  await dialog.getByRole('button', { name: 'Create draft' }).click();
  const company = dialog.getByRole('combobox', { name: 'Company Code' });
  await expect(company).toHaveAccessibleDescription(message);
  await expect(company).toBeFocused();
});

test('a company administrator reads the terms of the own company', async ({ page, api, open }) => {
  answerInvoices(api);
  const { _id, ...company } = {
    _id: '7',
    company_name: 'Quokka',
    company_code: 'QUO001',
    status: '1' as const,
  };
  api.answer(getOwnCompany, { client: { _id, ...company, bill_known: true } });
  api.failWordless(getTerms);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open(path, 'company-admin');
  await page.getByRole('button', { name: 'Your terms' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your terms' });
  const retry = dialog.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  api.answer(getTerms, {
    price: null,
    discount: 10,
    payment_days: 14,
    address: 'Jalan Sudirman 1\nJakarta',
    tax_number: '',
    invoice_emails: ['finance@quokka.example'],
    version: 1,
  });
  await retry.click();
  await expect(dialog).toContainText('The usual price');
  await expect(dialog).toContainText('finance@quokka.example');
  await expectAccessible(page, allWidths);
});

test('details show notes of several lines as lines, and long words whole', async ({ page, api, open }) => {
  const long = 'x'.repeat(200);
  const notes = {
    note: 'Order 4711\nDepartment Jakarta',
    payment_note: `Transfer\n${long}`,
    credit_note: {
      number: 'CN/2026/0001',
      reason: 'Wrong discount\nSee INV/2026/0003',
      issued_at: '2026-11-04T03:00:00.000Z',
    },
  };
  answerInvoices(api, { ...credited, ...notes });
  await open(path, 'company-admin');
  await choose(page, 'INV/2026/0002', 'Details');
  const dialog = page.getByRole('dialog', { name: 'INV/2026/0002' });
  const fact = (name: string) => dialog.locator(`dt:text-is("${name}") + dd`);
  const shown = (name: string) => runOn<string>(fact(name), 'return element.innerText;');
  await expect.poll(() => shown('Note')).toBe(notes.note);
  await expect.poll(() => shown('Note on the payment')).toBe(notes.payment_note);
  await expect.poll(() => shown('Credit note')).toBe(`CN/2026/0001: ${notes.credit_note.reason}`);
  await expectWhole(fact('Note on the payment'));
});

test('at 1280 px the details show every column of the tickets, in both languages', async ({
  page,
  api,
  open,
}) => {
  answerInvoices(api, issued);
  api.answer(listCompanyCodes, codes);
  await open(path, 'superadmin');
  const table = page.getByRole('dialog').getByRole('table');
  const beside = () =>
    runOn<number>(table.locator('..'), 'return element.scrollWidth - element.clientWidth;');
  for (const language of ['en', 'id']) {
    await page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
    await page.getByRole('button', { name: /INV\/2026\/0001/ }).click();
    await page.getByRole('menuitem', { name: /^(Details|Rincian)$/ }).click();
    await expect(table.getByRole('cell', { name: 'Rp 90.675.000' }).first()).toBeVisible();
    await expect.poll(beside, `pixels out of sight (${language})`).toBe(0);

    await takePictures(page);
    await page.keyboard.press('Escape');
  }
  await page.getByLabel('Bahasa').selectOption('en');
});

test('on phones an invoice has two lines', async ({ page, api, open }) => {
  answerInvoices(api, draft, issued, credited);
  api.answer(listCompanyCodes, codes);
  await page.setViewportSize({ width: 360, height: 844 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'All invoices' });
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('columnheader')).toHaveCount(0);
  await expect
    .poll(() => runOn<number>(table.locator('..'), 'return element.scrollWidth - element.clientWidth;'))
    .toBe(0);
  await expectAccessible(page, [360, 390]);
  await page.setViewportSize({ width: 1280, height: 800 });
});
