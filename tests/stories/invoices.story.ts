import { readFile } from 'node:fs/promises';
import { findOption } from '#tests/support/browser/combobox.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

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

test('a month’s end in three presses: draft all, issue and send', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const company = String(user.companyCode);
  await uploadAndFinish(user, makeImeis(3));
  const token = await tokenOf(superadmin);
  await call(
    'PUT',
    `/terms/${company}`,
    { invoice_emails: ['finance@example.test'], payment_days: 14 },
    token,
  );
  await signIn(page, superadmin);
  await page.goto('/dashboard/invoices');
  await page.getByRole('link', { name: 'Month’s end' }).click();
  await page.getByRole('button', { name: 'Next month' }).click();
  const row = page.getByRole('table', { name: 'Companies' }).getByRole('row').filter({ hasText: company });
  await expect(row).toContainText('Rp 2.400');
  await page.getByRole('button', { name: 'Draft all' }).click();
  await expect(row).toContainText('Draft');
  await page.getByRole('button', { name: 'Issue and send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue and send' }).click();
  await expect(row).toContainText(/INV\/\d{4}\/\d{4}/);
  await expect(row).toContainText('Sent');
});
