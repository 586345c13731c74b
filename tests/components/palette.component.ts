import { listInvitations } from '#features/accounts/invitations.contract.ts';
import { listTokens } from '#features/accounts/tokens.contract.ts';
import { listUsers } from '#features/accounts/users.contract.ts';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { search } from '#features/search/search.contract.ts';
import { findTickets, getProgress, getTicket, type TicketMatch } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { answerFound } from '#tests/support/browser/made-up-rows.ts';
import { answerTickets } from '#tests/support/browser/made-up-tickets.ts';
import { onePage } from '#tests/support/browser/paging.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const nothing = { devices: [], tickets: [], clients: [], users: [], invoices: [] };

test('the palette begins frequent tasks, and finds users and invoices', async ({ page, api, open }) => {
  answerTickets(api, []);
  api.answer(findTickets, { data: [], pagination: onePage(0, 12) });
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(search, {
    ...nothing,
    users: [{ _id: '7', email: 'rina@acme.example', name: 'Rina Wulandari', company_code: 'ACM001' }],
    invoices: [{ _id: '12', number: 'INV/2026/0041', company_code: 'ACM001' }],
  });
  await open('/dashboard/change-password', 'superadmin');
  const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
  const pressKeys = async () => {
    // They do nothing before the code of the signed-in screens has arrived.
    await expect(page.getByRole('button', { name: 'Search or jump to' })).toBeVisible();
    await page.keyboard.press('Control+k');
  };
  const find = async (text: string) => {
    await pressKeys();
    await dialog.getByRole('combobox').fill(text);
  };
  const options = dialog.getByRole('option');
  await find('create ticket');
  await expect(options.first()).toHaveText('Create TicketAction');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/tickets\?form=create$/);
  await expect(page.getByLabel('Data Count')).toBeFocused();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/tickets$/);

  await find('month’s end');
  await expect(options.first()).toHaveText('Month’s endScreen');
  await page.keyboard.press('Escape');

  await find('rina');
  await expect(options).toHaveText(['Rina Wulandaririna@acme.exampleUser', 'INV/2026/0041ACM001']);
  await expectAccessible(page, [390, 1280]);
  api.refuse(listUsers, 500, 'Not now');
  api.refuse(listInvitations, 500, 'Not now');
  await options.first().click();
  await expect(page).toHaveURL('/dashboard/users?q=rina%40acme.example');

  // Each role has the tasks that it may do; ten in all.
  const tasks = {
    superadmin: [
      ...['Devices whose coverage ends within 90 days', 'Check devices again', 'Failed rows by ticket'],
      ...['Create Ticket', 'Add Client', 'Register a user', 'Create an invoice', 'Create an API token'],
    ],
    user: [
      ...[
        'Upload a file of serial numbers',
        'Download results',
        'Devices whose coverage ends within 90 days',
      ],
      ...['Check devices again', 'Failed rows by ticket', 'Create an API token'],
    ],
  };
  for (const role of ['superadmin', 'user'] as const) {
    await open('/dashboard/change-password', role);
    await pressKeys();
    const named = options.filter({ has: page.getByText('Action', { exact: true }) });
    await expect(named).toHaveText(tasks[role].map((task) => `${task}Action`));
    await page.keyboard.press('Escape');
  }
  const found = {
    superadmin: 'Serial number, ticket, company, user, invoice, screen or action',
    'company-admin': 'Serial number, ticket, user, invoice, screen or action',
    user: 'Serial number, ticket, screen or action',
  };
  for (const [role, hint] of Object.entries(found)) {
    await open('/dashboard/change-password', role as keyof typeof found);
    await pressKeys();
    await expect(dialog.getByRole('combobox')).toHaveAttribute('placeholder', hint);
    await page.keyboard.press('Escape');
  }
});

test('Enter opens the highlighted target although a better one has come, and waits for that of a number', async ({
  page,
  api,
  open,
}) => {
  for (const call of [getTicket, getProgress, listTokens]) api.failWordless(call);
  api.answer(search, nothing);
  answerFound(api);
  await open('/dashboard/change-password', 'user');
  const dialog = page.getByRole('dialog', { name: 'Search or jump to' });
  const options = dialog.getByRole('option');
  const find = async (text: string, ticket: Partial<TicketMatch>) => {
    answerFound(api, ticket);
    const held = api.hold(findTickets);
    await page.getByRole('button', { name: 'Search or jump to' }).click();
    await dialog.getByRole('combobox').fill(text);
    return held;
  };
  const found = await find('api token', { file_name: 'api token' });
  await expect(options).toHaveText(['API tokensScreen', 'Create an API tokenAction']);
  await page.keyboard.press('ArrowDown');
  found.letGo();
  await expect(options.first()).toContainText('ACM001');
  await expect(dialog.getByRole('option', { selected: true })).toHaveText('Create an API tokenAction');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/tokens\?form=create$/);
  const form = page.getByRole('dialog', { name: 'Create an API token' });
  await expect(form).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();

  const sought = await find('90', { ticket_number: '90' });
  await expect(options).toHaveText(['Devices whose coverage ends within 90 daysAction']);
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Searching…')).toBeVisible();
  sought.letGo();
  await expect(page).toHaveURL(/\/dashboard\/tickets\/90$/);
});
