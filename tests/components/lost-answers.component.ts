import { createCompany, updateCompanyStatus } from '#features/clients/clients.contract.ts';
import { createTicket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { answerTickets } from '#tests/support/browser/made-up-tickets.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/clients';
const mayBeDone = 'No answer arrived. The change may have been made: check before you try again.';

test('a form whose answer is lost says that it may have been done, and the list is read again', async ({
  page,
  api,
  open,
}) => {
  answerClients(api, client);
  api.loseAnswer(createCompany);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill('Wombat');
  const create = page.getByRole('button', { name: 'Create Client' });
  const alert = page.getByRole('alert');
  answerClients(api, client, { ...client, _id: '8', company_code: 'WOM001', company_name: 'Wombat' });
  await create.click();
  await expect(alert.getByRole('paragraph')).toHaveText(['Failed to create new client', mayBeDone]);
  await expect(page.getByRole('row').filter({ hasText: 'WOM001' })).toBeVisible();
  await expect(page.getByLabel('Company Name')).toHaveValue('Wombat');
  await expectAccessible(page, allWidths);

  // A proxy that refuses the call itself.
  api.failWordless(createCompany, 413);
  await create.click();
  await expect(alert).toHaveText('Failed to create new client');
  // A proxy that waited for the answer in vain.
  api.failWordless(createCompany, 504);
  await create.click();
  await expect(alert.getByRole('paragraph')).toHaveText(['Failed to create new client', mayBeDone]);
});

test('an action of a menu whose answer is lost does not say that nothing was changed', async ({
  page,
  api,
  open,
}) => {
  answerClients(api, client);
  api.loseAnswer(updateCompanyStatus);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Actions for Quokka' }).click();
  answerClients(api, { ...client, status: '0' });
  await page.getByRole('menuitem', { name: 'Change status' }).click();
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText([
    'Failed to change the status of Quokka.',
    mayBeDone,
  ]);
  await expect(page.getByRole('row').filter({ hasText: 'Quokka' })).toContainText('Inactive');
});

test('an Undo whose answer is lost reads the list again', async ({ page, api, open }) => {
  answerClients(api, client);
  api.answer(updateCompanyStatus, { client: { ...client, status: '0' } });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Actions for Quokka' }).click();
  answerClients(api, { ...client, status: '0' });
  await page.getByRole('menuitem', { name: 'Change status' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Quokka' });
  await expect(row).toContainText('Inactive');
  api.loseAnswer(updateCompanyStatus);
  answerClients(api, client);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText(['Undo failed.', mayBeDone]);
  await expect(row).not.toContainText('Inactive');
});

test('a form is sent again under its key, until something else is typed', async ({ page, api, open }) => {
  answerClients(api, client);
  answerTickets(api, []);
  let keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  const forms = [
    { call: createCompany, at: path, add: 'Add Client', press: 'Create Client', field: 'Company Name' },
    {
      call: createTicket,
      at: '/dashboard/tickets',
      add: 'Create Ticket',
      press: 'Create Ticket',
      field: 'Data Count',
    },
  ];
  for (const { call, at, add, press, field } of forms) {
    keys = [];
    api.loseAnswer(call);
    await open(at, 'superadmin');
    await page.getByRole('button', { name: add }).click();
    if (call === createTicket) {
      await page.getByRole('combobox', { name: 'Company Code' }).click();
      await page.getByRole('option', { name: 'ACM001 (Acme)' }).click();
    }
    const button = page.getByRole('button', { name: press });
    for (const [index, typed] of ['7', '7', '8'].entries()) {
      await page.getByLabel(field).fill(typed);
      await button.click();
      await expect.poll(() => keys.length).toBe(index + 1);
      await expect(button).toBeEnabled();
    }
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  }
});
