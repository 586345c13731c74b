import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { chooseTyped } from '#tests/support/browser/combobox.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { admin, call, deactivateCompany, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests, patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

type Tickets = { data: { ticket_number: string; status: string }[] };

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('each ticket status has its colour, icon and word, and the bar moves only while Processing', async ({
  page,
  user,
}) => {
  const looks = [
    ['Pending', 'rgb(253, 241, 199)', 'Waiting to start.'],
    ['Processing', 'rgb(225, 237, 253)', null],
    ['Completed', 'rgb(219, 243, 227)', '2 items failed.'],
    ['Cancelled', 'rgb(253, 230, 228)', 'Processing was cancelled.'],
  ] as const;
  for (const _ of looks) await uploadAndFinish(user, [...makeImeis(1), 'nonsense!', 'nothing!']);
  // Four finished tickets; only the status is set here, one of each kind at once.
  await patchAnswers<Tickets>(page, '**/api/tickets?*', ({ data }) => {
    for (const [index, ticket] of data.entries()) {
      Object.assign(ticket, { status: looks[index]?.[0], done: 1, failed: 2, percent: 60 });
    }
  });
  await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(4);
  for (const [index, [status, colour, message]] of looks.entries()) {
    const card = cards.nth(index);
    const badge = card.locator('.status-badge');
    await expect(badge).toHaveText(status);
    await expect(badge).toHaveCSS('background-color', colour);
    await expect(badge.locator('svg')).toHaveCount(1);
    if (message) await expect(card.getByText(message, { exact: true })).toBeVisible();
    const bar = card.getByRole('progressbar');
    await expect(bar).toHaveAttribute('aria-valuenow', status === 'Completed' ? '100' : '60');
    const fill = bar.locator('> *').first();
    await expect(fill).toHaveCSS('animation-name', status === 'Processing' ? /^(?!none)/ : 'none');
  }
});

test('the edit dialog of a ticket says that it is busy and shows the server’s message', async ({
  page,
  user,
}) => {
  const order = { data_count: 5, company_code: user.companyCode };
  const token = await tokenOf(admin());
  const { ticket } = await call<{ ticket: { ticket_number: string } }>('POST', '/tickets', order, token);
  await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
  await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit Ticket ${ticket.ticket_number}` });
  const fields = ['Data Count', 'Discount', 'Current Dollar Price'].map((name) => dialog.getByLabel(name));
  for (const field of fields) await field.fill('');
  await dialog.getByRole('button', { name: 'Update Ticket' }).click();
  await expect(dialog.locator('input:invalid')).toHaveCount(3);
  const [count, discount, rate] = fields;
  await count?.fill('0');
  await discount?.fill('100');
  await rate?.fill('0');
  await expect(dialog.locator('input:invalid')).toHaveCount(2);
  await count?.fill('6');
  await rate?.fill('1');
  const put = await holdRequests(page, 'PUT', '**/api/tickets/*');
  await dialog.getByRole('button', { name: 'Update Ticket' }).click();
  await expect(dialog.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  put.letGo();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('article').getByText('Discount (100%)')).toBeVisible();
});

test.describe('what the server refuses', () => {
  test.use({ allowedComplaints: [/status of 4\d\d/] });

  test('editing a ticket that was just deleted shows the server’s message in the dialog', async ({
    page,
    user,
  }) => {
    const token = await tokenOf(admin());
    const order = { data_count: 5, company_code: user.companyCode };
    const { ticket } = await call<{ ticket: { _id: string } }>('POST', '/tickets', order, token);
    await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
    await call('DELETE', `/tickets/${ticket._id}`, undefined, token);
    await page.getByRole('button', { name: 'Update Ticket' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'Ticket not found. It may have been deleted; choose another one.',
    );
  });

  test('a change of a ticket that was just changed is refused; Reload keeps what was typed', async ({
    page,
    user,
  }) => {
    const token = await tokenOf(admin());
    const order = { data_count: 5, company_code: user.companyCode };
    const { ticket } = await call<{ ticket: { _id: string } }>('POST', '/tickets', order, token);
    await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
    const theirs = { data_count: 6, discount: 25, current_dollar_price: 15_000 };
    await call('PUT', `/tickets/${ticket._id}`, theirs, token);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Discount').fill('10');
    await dialog.getByRole('button', { name: 'Update Ticket' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(
      'This ticket was changed by someone else. Reload it to see the change.',
    );
    await dialog.getByRole('button', { name: 'Reload' }).click();
    await expect(dialog.getByLabel('Data Count')).toHaveValue('6');
    await expect(dialog.getByLabel('Current Dollar Price')).toHaveValue('15000');
    await expect(dialog.getByLabel('Discount')).toHaveValue('10');
    await expect(dialog.getByLabel('Discount')).toHaveAccessibleDescription('Someone else changed it to 25.');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Update Ticket' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByRole('article').getByText('Discount (10%)')).toBeVisible();
  });

  test('creating a ticket for a company just made Inactive shows the server’s message in a red banner', async ({
    page,
    user,
  }) => {
    await page.goto('/dashboard/tickets');
    await page.getByRole('button', { name: 'Create Ticket' }).click();
    await page.getByLabel('Data Count').fill('3');
    await page.getByRole('combobox', { name: 'Company Code' }).click();
    await chooseTyped(page, String(user.companyCode));
    await deactivateCompany(user);
    await page.getByRole('button', { name: 'Create Ticket' }).click();
    const banner = page.getByRole('alert');
    await expect(banner).toHaveText(
      'The company code is unknown or its client is Inactive. Choose another one.',
    );
    await expect(banner).toHaveCSS('background-color', 'rgb(253, 230, 228)');
    await expect(page.getByLabel('Data Count')).toHaveValue('3');
  });
});
