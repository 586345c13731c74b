import type { Ticket } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { chooseTyped } from '#tests/support/browser/combobox.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { admin, call, deactivateCompany, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { cardOf, knownSerials, listOf, readNewestDay } from '#tests/support/stories/tickets.ts';
import { uploadSerials } from '#tests/support/stories/upload.ts';

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test.use({ allowedComplaints: [/status of 4\d\d/] });

test('a superadmin orders a ticket; a company just made Inactive is refused in a red banner', async ({
  page,
  user,
}) => {
  await page.goto(listOf(user));
  await expect(page.getByRole('heading', { level: 1, name: 'Tickets' })).toBeVisible();
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
  const count = page.getByLabel('Data Count');
  const company = page.getByRole('combobox', { name: 'Company Code' });
  const create = page.getByRole('button', { name: 'Create Ticket' });
  await expect(count).toHaveCount(0);
  await create.click();
  await expect(count).toBeFocused();

  const alert = page.getByRole('alert').filter({ hasText: 'Please select a company code.' });
  await create.click();
  await expect(alert).toBeVisible();
  await expect(count).toBeFocused();
  await count.fill('1500');
  await create.click();
  await expect(alert).toBeVisible();
  await expect(company).toBeFocused();
  await expect(company).toHaveAttribute('aria-invalid', 'true');
  await expect(company).toHaveCSS('border-top-color', 'rgb(161, 26, 21)');
  await expectAccessible(page);

  const code = String(user.companyCode);
  await company.click();
  await page.keyboard.type(code.toLowerCase());
  await expect(company).toHaveValue(code);
  await expect(company).toHaveAttribute('aria-expanded', 'true');
  const option = page.getByRole('listbox').getByRole('option');
  await expect(option).toHaveText([new RegExp(`^${code} \\(Acme \\w+\\)$`)]);
  await expectAccessible(page);
  await count.click();
  await expect(company).toHaveValue(new RegExp(`^${code} \\(Acme \\w+\\)$`));
  await expect(page.getByText('Please select a company code.')).toHaveCount(0);

  const creation = await holdRequests(page, 'POST', '**/api/tickets');
  await create.click();
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  creation.letGo();
  await expect(count).toHaveValue('');
  await expect(company).toHaveValue('');
  const card = page.getByRole('article');
  await expect(card).toHaveCount(1);
  const day = await readNewestDay(user, 'en-US', 'long');
  // The emptied fields are not wrong.
  await expect(page.locator('input:user-invalid')).toHaveCount(0);
  // A field's message does not move the button away from a click.
  await count.fill('0');
  await card.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Enter a number of at least 1.')).toBeVisible();
  for (const text of [day, 'Pending', code, '1,500', '0 done · 0 failed · 1,500', '0%', 'Rp 800']) {
    await expect(card.getByText(text, { exact: true })).toBeVisible();
  }

  await count.fill('3');
  await company.click();
  await chooseTyped(page, code);
  await deactivateCompany(user);
  await create.click();
  const banner = page.getByRole('alert').filter({ hasText: /./ });
  await expect(banner).toHaveText(
    'The company code is unknown or its client is Inactive. Choose another one.',
  );
  await expect(banner).toHaveCSS('background-color', 'rgb(253, 230, 228)');
  await expect(count).toHaveValue('3');
});

test('the edit dialog changes a ticket’s terms and its money', async ({ page, user, superadmin }) => {
  const number = await uploadSerials(user, knownSerials(4));
  await keepToasts(page);
  await page.goto(listOf(user));
  const card = cardOf(page, number);
  await expect(card.getByText('Completed', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(card.getByText('Rp 3.200', { exact: true })).toHaveCount(2);

  const token = await tokenOf(superadmin);
  const list = `/tickets?company_code=${user.companyCode}`;
  const readTicket = async () => (await call<{ data: Ticket[] }>('GET', list, undefined, token)).data.at(0);
  const opened = await readTicket();
  await card.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: `Edit Ticket ${number}` });
  const discount = dialog.getByLabel('Discount');
  await expect(dialog.getByLabel('Data Count')).toHaveValue('4');
  await expect(discount).toHaveValue('0');
  await expect(dialog.getByLabel('Current Dollar Price')).toHaveValue('16000');
  await discount.fill('15');
  await discount.fill('101');
  await expect(discount).toHaveValue('15');
  await discount.press('End');
  await discount.pressSequentially('0');
  await expect(discount).toHaveValue('15');
  await discount.fill('-1');
  await expect(discount).toHaveValue('15');
  await dialog.getByLabel('Data Count').fill('1234567');
  await dialog.getByLabel('Current Dollar Price').fill('16250');
  const preview = dialog.getByRole('region', { name: 'Price with these terms' });
  await expect(preview.getByRole('definition')).toHaveText(['Rp 813', 'Rp 3.250', 'Rp 488', 'Rp 2.763']);
  const saved = page.waitForRequest((request) => request.method() === 'PUT');
  await dialog.getByRole('button', { name: 'Update Ticket' }).click();
  expect((await saved).postDataJSON()).toEqual({
    data_count: 1234567,
    discount: 15,
    current_dollar_price: 16250,
    version: opened?.version,
  });
  await expect(dialog).toHaveCount(0);
  const undo = page.getByRole('button', { name: 'Undo' });
  for (const text of ['1,234,567', 'Rp 813', 'Rp 3.250', 'Discount (15%)', 'Rp 488', 'Rp 2.763']) {
    await expect(card.getByText(text, { exact: true })).toBeVisible();
  }
  expect((await readTicket())?.total_amount).toBe(2762.5);
  await undo.click();
  await expect(card.getByText('Discount (0%)', { exact: true })).toBeVisible();
  await expect(card.getByText('Rp 3.200', { exact: true })).toHaveCount(2);
});

test('a change of a ticket that was just changed is refused and keeps what was typed; a deleted one is gone', async ({
  page,
  user,
}) => {
  const token = await tokenOf(admin());
  const ordered = { data_count: 5, company_code: user.companyCode };
  const { ticket } = await call<{ ticket: { _id: string } }>('POST', '/tickets', ordered, token);
  await page.goto(listOf(user));
  const edit = page.getByRole('article').getByRole('button', { name: 'Edit' });
  await edit.click();
  const theirs = { data_count: 6, discount: 25, current_dollar_price: 15_000 };
  await call('PUT', `/tickets/${ticket._id}`, theirs, token);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Discount').fill('10');
  const update = dialog.getByRole('button', { name: 'Update Ticket' });
  await update.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Someone else changed these settings. What you changed is kept, the other fields show what is stored now. ' +
      'Look through them and save again.',
  );
  await expect(dialog.getByLabel('Data Count')).toHaveValue('6');
  await expect(dialog.getByLabel('Current Dollar Price')).toHaveValue('15000');
  await expect(dialog.getByLabel('Discount')).toHaveValue('10');
  await expect(dialog.getByLabel('Discount')).toHaveAccessibleDescription('Someone else changed it to 25.');
  await expectAccessible(page);
  await update.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('article').getByText('Discount (10%)')).toBeVisible();

  await edit.click();
  await call('DELETE', `/tickets/${ticket._id}`, undefined, token);
  await update.click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Ticket not found. It may have been deleted; choose another one.',
  );
});
