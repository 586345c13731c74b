import { listUsers, type UserEntry } from '#features/accounts/users.contract.ts';
import { listAudit } from '#features/audit/audit.contract.ts';
import { getBudget } from '#features/clients/budgets.contract.ts';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getTerms } from '#features/clients/terms.contract.ts';
import { listDevices } from '#features/devices/devices.contract.ts';
import { listStatements } from '#features/statements/statements.contract.ts';
import { findTickets, getActivity } from '#features/tickets/tickets.contract.ts';
import { listWebhooks, type Webhook } from '#features/webhooks/webhooks.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { answerInvoices, issued } from '#tests/support/browser/made-up-invoices.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const person: UserEntry = {
  _id: '7',
  email: 'ayu@quokka.example',
  first_name: 'Ayu',
  last_name: 'Lestari',
  company_code: 'QUO001',
  role: 'user',
  active: true,
  last_login: null,
  created_at: '2026-11-23T08:30:00.000Z',
  second_factor: false,
};
const hook: Webhook = {
  _id: '3',
  url: 'https://hooks.quokka.example/coverdesk',
  events: ['ticket.completed'],
  active: true,
  company_code: 'QUO001',
  created_by: 'Ayu Lestari',
  created_at: '2026-11-23T08:30:00.000Z',
  failing_since: null,
  switched_off_at: null,
  old_secret_until: null,
  version: 3,
};

const terms = {
  price: 0.045,
  discount: 10,
  payment_days: 14,
  address: 'Jalan Sudirman 1',
  tax_number: '01.1',
  invoice_emails: ['finance@quokka.example'],
  version: 1,
};

/** Answers all that the page of a client reads, but its audit log. */
function answerCompany(api: FakeApi): void {
  answerClients(api, client);
  api.answer(listCompanyCodes, { data: [{ company_code: 'QUO001', company_name: 'Quokka' }] });
  const summary = { companies: 1, tickets: 2, billable: 900, subtotal: 720_000, discount: 0, total: 720_000 };
  api.answer(listStatements, { ...pageOf([]), summary });
  api.answer(getBudget, { monthly_rupiah: 1_000_000, used: 800_000, month: '2026-11' });
  const counts = { all: 1200, activated: 1000, unactivated: 150, unknown: 50, ending_30: 31, expired: 200 };
  api.answer(listDevices, { ...pageOf([]), counts });
  api.answer(getTerms, terms);
  api.answer(findTickets, pageOf([]));
  answerInvoices(api, issued);
  api.answer(listUsers, pageOf([person]));
  api.answer(listWebhooks, pageOf([hook]));
}

test('the page of a client has its money, devices, terms and lists, each leading to its screen', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.failWordless(listAudit);
  await open('/dashboard/clients', 'superadmin');
  await page.getByRole('link', { name: 'Quokka' }).click();
  await expect(page.getByRole('heading', { name: 'QUO001 (Quokka)' })).toBeVisible();
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(part('This month')).toContainText('Rp 720.000');
  await expect(part('This month')).toContainText('Rp 1.000.000');
  await expect(part('Devices')).toContainText('1,200');
  await expect(part('Devices').getByRole('link', { name: '200', exact: true })).toHaveAttribute(
    'href',
    '/dashboard/devices?company_code=QUO001&expired=true',
  );
  await expect(part('Terms')).toContainText('$0.045');
  await expect(part('Tickets')).toContainText('None yet');
  await expect(part('Invoices').getByRole('link', { name: 'INV/2026/0001' })).toBeVisible();
  await expect(part('Audit Log').getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Show all: Users' })).toHaveAttribute(
    'href',
    '/dashboard/users?company_code=QUO001',
  );
  await expect(part('Devices').getByRole('link', { name: '31', exact: true })).toHaveAttribute(
    'href',
    '/dashboard/devices?company_code=QUO001&ends_within=30',
  );
  await expect(part('Users').getByRole('link', { name: 'Ayu Lestari' })).toHaveAttribute(
    'href',
    '/dashboard/users?q=ayu%40quokka.example',
  );
  await expect(part('Webhooks').getByRole('link', { name: 'hooks.quokka.example' })).toHaveAttribute(
    'href',
    '/dashboard/webhooks?company_code=QUO001&webhook=3',
  );
  await expectAccessible(page, allWidths);
  const narrowed = page.waitForRequest(/webhooks\?(?=.*limit=10)(?=.*company_code=QUO001)/);
  await page.getByRole('link', { name: 'Show all: Webhooks' }).click();
  await narrowed;
  await expect(page.getByRole('combobox', { name: 'Company Code' })).toHaveValue('QUO001 (Quokka)');
  await expect(page.getByRole('table', { name: 'Webhooks' })).toBeVisible();
  await page.goBack();
  await part('Terms').getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog').getByLabel('Price per data')).toHaveValue('0.045');
});

test('a dialog opens with the terms of now, and shows no earlier failure while it reads them', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(listAudit, pageOf([]));
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/clients/QUO001', 'superadmin');
  const part = page.getByRole('region', { name: 'Terms', exact: true });
  await expect(part).toContainText('$0.045');
  api.failWordless(getTerms);
  await part.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toBeVisible();
  api.answer(getTerms, { ...terms, price: 0.06, version: 2 });
  const read = api.hold(getTerms);
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog).toContainText('Loading');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  read.letGo();
  await expect(dialog.getByLabel('Price per data')).toHaveValue('0.06');
});

test('figures that could not be read are not shown as none, and are read again', async ({
  page,
  api,
  open,
}) => {
  answerCompany(api);
  api.answer(listAudit, pageOf([]));
  api.failWordless(getBudget);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/clients/QUO001', 'superadmin');
  const month = page.getByRole('region', { name: 'This month' });
  await expect(month).toContainText('Rp 720.000');
  await expect(month.getByRole('alert')).toContainText('Budget could not be loaded.');
  await expect(month).not.toContainText('No limit');
  api.answer(getBudget, { monthly_rupiah: null, used: 0, month: '2026-11' });
  await month.getByRole('button', { name: 'Retry' }).click();
  await expect(month).toContainText('No limit');
  await expect(month.getByRole('alert')).toHaveCount(0);
});

test('the page of an unknown client says so, and nobody but superadmins opens one', async ({
  page,
  api,
  open,
}) => {
  api.answer(listCompanyCodes, { data: [] });
  await open('/dashboard/clients/NONE9', 'superadmin');
  await expect(page.getByText('Client not found')).toBeVisible();
  await open('/dashboard/clients/NONE9', 'company-admin');
  await expect(page.getByText('Client not found')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
});
