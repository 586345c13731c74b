import { readFile } from 'node:fs/promises';
import { findOption } from '#tests/support/browser/combobox.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { openAs } from '#tests/support/browser/open-as.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

// "Draft all" drafts the companies of all tests that run, also that of the other test.
test.describe.configure({ mode: 'default' });

test('a superadmin drafts an invoice from a statement, issues it and saves it as a PDF', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const company = String(user.companyCode);
  await uploadAndFinish(user, makeImeis(3));
  await signIn(page, superadmin);
  await page.goto(`/dashboard/invoices?company_code=${company}`);
  await page.getByRole('button', { name: 'Draft invoice' }).click();
  const creation = page.getByRole('dialog', { name: 'Draft invoice' });
  await creation.getByRole('combobox', { name: 'Company Code' }).fill(company);
  await findOption(page, company).click();
  await creation.getByLabel('Month').selectOption({ index: 0 });
  await creation.getByRole('button', { name: 'Create draft' }).click();

  const table = page.getByRole('table', { name: 'All invoices' });
  await table.getByRole('button', { name: /^Actions for draft/ }).click();
  await page.getByRole('menuitem', { name: 'Issue invoice' }).click();
  const issuing = page.getByRole('dialog', { name: 'Issue invoice' });
  await issuing.getByRole('button', { name: 'Issue invoice' }).click();
  await expect(issuing).toHaveCount(0);
  await expect(table.getByRole('row').nth(1)).toContainText(/INV\/\d{4}\/\d{4}.*Issued.*Rp 2\.400/);

  await table.getByRole('button', { name: /^Actions for INV/ }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'PDF in Indonesian' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^INV-\d{4}-\d{4}-id\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

  const number = file.suggestedFilename().replace('-id.pdf', '').replaceAll('-', '/');
  await page.goto(`/dashboard/audit?action=invoice.issue&company_code=${company}`);
  const issue = page.getByRole('table', { name: 'Audit Log' }).getByRole('row').nth(1);
  await expect(issue.getByRole('cell', { name: number, exact: true })).toBeVisible();
  await expect(issue).toContainText(`Total: Rp 2.400, Number: ${number}`);
});

test('a month’s end by keyboard alone, on a phone and on a laptop; an administrator only reads the invoices', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  const company = String(user.companyCode);
  const terms = { invoice_emails: ['finance@example.test'], payment_days: 14 };
  await call('PUT', `/terms/${company}`, terms, await tokenOf(superadmin));
  const rows = page.getByRole('table', { name: 'Companies' }).getByRole('row').filter({ hasText: company });
  await signIn(page, superadmin);
  for (const width of [390, 1280]) {
    await uploadAndFinish(user, makeImeis(3));
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/dashboard/invoices');
    await tabAndPress(page, page.getByRole('link', { name: 'Month’s end' }));
    await tabAndPress(page, page.getByRole('button', { name: 'Next month' }));
    await expect(rows.first()).toContainText('Rp 2.400');
    // Back, because the companies come next.
    await tabTo(page, page.getByRole('button', { name: 'Draft all' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    // A row for each invoice, the oldest first.
    await expect(rows.last().getByText('Draft', { exact: true })).toBeVisible();
    await tabAndPress(page, page.getByRole('button', { name: 'Issue and send' }));
    const dialog = page.getByRole('dialog', { name: /^Invoices of / });
    await expect(dialog.getByLabel('Also send it by mail')).toBeFocused();
    await tabAndPress(page, dialog.getByRole('button', { name: 'Issue and send' }));
    await expect(dialog).toHaveCount(0);
    await expect(rows.last()).toContainText(/INV\/\d{4}\/\d{4}/);
  }
  await expect(rows).toContainText(['Sent', 'Sent']);
  for (const width of [390, 1280]) {
    await openAs(page, administrator, '/dashboard/invoices', width);
    const table = page.getByRole('table', { name: 'All invoices' });
    const actions = table.getByRole('button', { name: /^Actions for INV/ });
    await expect(actions).toHaveCount(2);
    await expect(table.getByText('Issued', { exact: true })).toHaveCount(2);
    await expect(page.getByRole('link', { name: 'Month’s end' })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Draft invoice' })).toHaveCount(0);
    await actions.first().click();
    await expect(page.getByRole('menuitem')).toHaveText(['Details', 'PDF in English', 'PDF in Indonesian']);
  }
});
