import type { Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getTerms, putTerms } from '#features/clients/terms.contract.ts';
import { getSeller, putSeller } from '#features/invoices/invoices.contract.ts';
import { getReminders, putReminders } from '#features/invoices/reminders.contract.ts';
import { listWebhooks, updateWebhook, type Webhook } from '#features/webhooks/webhooks.contract.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { answerInvoices, seller } from '#tests/support/browser/made-up-invoices.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

type Dialog = {
  name: string;
  path: string;
  put: typeof putTerms | typeof putSeller | typeof putReminders | typeof updateWebhook;
  open: (page: Page) => Promise<void>;
  field: string;
  /** Answers the screen's reads, with one value of the dialog's field. */
  answer: (api: FakeApi, value: string, version: number) => void;
  /** Answers a save. */
  accept: (api: FakeApi) => void;
};

const terms = {
  ...{ price: null, discount: 0, payment_days: null, address: '', tax_number: '', version: 3 },
  invoice_emails: [],
};
const webhook: Webhook = {
  _id: '3',
  url: 'https://events.example/',
  events: ['ticket.completed', 'ticket.cancelled'],
  active: true,
  company_code: 'ACM001',
  created_by: 'Ayu Lestari',
  created_at: '2026-11-23T08:30:00.000Z',
  failing_since: null,
  switched_off_at: null,
  old_secret_until: null,
  version: 3,
};
const chooseOf = (owner: string, action: string) => async (page: Page) => {
  await page.getByRole('button', { name: `Actions for ${owner}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
};
const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
function answerInvoiceScreen(api: FakeApi): void {
  answerInvoices(api);
  api.answer(listCompanyCodes, { data: [] });
}

const dialogs: Dialog[] = [
  {
    name: 'terms of a client',
    path: '/dashboard/clients',
    put: putTerms,
    open: chooseOf('Quokka', 'Terms'),
    field: 'Tax number',
    answer: (api, tax_number, version) => {
      answerClients(api, client);
      api.answer(getTerms, { ...terms, tax_number, version });
    },
    accept: (api) => api.answer(putTerms, terms),
  },
  {
    name: 'seller',
    path: '/dashboard/invoices',
    put: putSeller,
    open: press('Seller’s data'),
    field: 'Bank',
    answer: (api, bank, version) => {
      answerInvoiceScreen(api);
      api.answer(getSeller, { ...seller, bank, version });
    },
    accept: (api) => api.answer(putSeller, { ...seller, version: 5 }),
  },
  {
    name: 'automatic reminders',
    path: '/dashboard/invoices',
    put: putReminders,
    open: press('Automatic reminders'),
    field: 'Days after the due day',
    answer: (api, days, version) => {
      answerInvoiceScreen(api);
      api.answer(getReminders, { days: [Number(days)], language: 'id', version });
    },
    accept: (api) => api.answer(putReminders, { days: [7], language: 'id', version: 5 }),
  },
  {
    name: 'webhook',
    path: '/dashboard/webhooks',
    put: updateWebhook,
    open: chooseOf('events.example', 'Edit'),
    field: 'Address',
    answer: (api, url, version) => {
      api.answer(listCompanyCodes, { data: [] });
      api.answer(listWebhooks, pageOf([{ ...webhook, url: `https://events.example/${url}`, version }]));
    },
    accept: (api) => api.answer(updateWebhook, webhook),
  },
];

for (const { name, path, put, open: openDialog, field: label, answer, accept } of dialogs) {
  test(`${name}: an untouched dialog shows a colleague’s change`, async ({ page, api, open }) => {
    answer(api, '1', 3);
    await open(path, 'superadmin');
    await openDialog(page);
    const field = page.getByRole('dialog').getByLabel(label);
    await expect(field).toHaveValue(/1$/);
    answer(api, '2', 4);
    await expect(async () => {
      await lookAgain(page);
      await expect(field).toHaveValue(/2$/, { timeout: 500 });
    }).toPass();
  });

  test(`${name}: a save whose answer is lost is repeated with the stored version`, async ({
    page,
    api,
    open,
  }) => {
    answer(api, '1', 3);
    api.loseAnswer(put);
    await open(path, 'superadmin');
    await openDialog(page);
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel(label);
    await field.fill((await field.inputValue()).replace('1', '2'));
    answer(api, '2', 4);
    const save = dialog.getByRole('button', { name: 'Save' });
    await save.click();
    await expect(dialog.getByRole('alert')).toContainText('No answer arrived.');
    await expect(save).toBeEnabled();
    accept(api);
    await save.click();
    await expect(dialog).toHaveCount(0);
    expect(api.bodiesOf(put).map(({ version }) => version)).toEqual([3, 4]);
  });

  test(`${name}: a stale save keeps what was changed and is repeated with the stored version`, async ({
    page,
    api,
    open,
  }) => {
    answer(api, '1', 3);
    api.refuse(put, 409, 'These settings were changed by someone else.', { code: 'changed_meanwhile' });
    await open(path, 'superadmin');
    await openDialog(page);
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel(label);
    const changed = (await field.inputValue()).replace('1', '2');
    await field.fill(changed);
    answer(api, '3', 4);
    const save = dialog.getByRole('button', { name: 'Save' });
    await save.click();
    await expect(dialog.getByRole('alert')).toContainText('Someone else changed these settings.');
    await expect(field).toHaveValue(changed);
    accept(api);
    await save.click();
    await expect(dialog).toHaveCount(0);
    expect(api.bodiesOf(put).map(({ version }) => version)).toEqual([3, 4]);
  });
}
