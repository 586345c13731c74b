import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { admin, call, tokenOf } from '#tests/support/stories/api.ts';

test('a superadmin filters the audit log at once, opens an entry and downloads the entries found', async ({
  page,
  superadmin,
  signIn,
}) => {
  const name = `Audited ${randomBytes(4).toString('hex')}`;
  const token = await tokenOf(admin());
  const { client } = (await call('POST', '/clients', { company_name: name }, token)) as {
    client: { _id: string; company_code: string };
  };
  await call('PUT', `/clients/${client._id}`, { company_name: `${name} Ltd` }, token);
  await call('PUT', `/clients/status/${client._id}`, { status: '0' }, token);
  await signIn(page, superadmin);
  await page.goto('/dashboard');
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Audit Log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit Log' })).toBeVisible();

  await page.getByLabel('Object').fill(`${name} LTD`);
  const rows = page.getByRole('table', { name: 'Audit Log' }).getByRole('row');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText('Status: Active → Inactive');
  await page.getByLabel('Action').selectOption('Client renamed');
  await expect(page).toHaveURL(/action=client\.update/);
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText(admin().email);
  await expect(rows.nth(1)).toContainText(`Company Name: ${name} → ${name} Ltd`);
  await expect(rows.nth(1).getByRole('cell').nth(3)).toHaveText(`${name} Ltd`);
  await expect(rows.nth(1)).toContainText(`${client.company_code} (${name} Ltd)`);
  await expectAccessible(page);

  await page.getByRole('button', { name: /^Details: Client renamed/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Client renamed' });
  await expect(dialog.getByRole('row', { name: `Company Name ${name} ${name} Ltd` })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON (.json)' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^audit_\d{4}-\d\d-\d\d\.json$/);
  const entries = JSON.parse(await readFile(await file.path(), 'utf8'));
  expect(entries.map(({ action }: { action: string }) => action)).toEqual(['client.update']);

  await page.getByLabel('From').fill('2001-01-01');
  await page.getByLabel('To', { exact: true }).fill('2001-01-02');
  await expect(page.getByText('No entries found')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page).toHaveURL(/\/dashboard\/audit$/);
  await expect(rows.nth(1)).toBeVisible();

  await page.goto('/dashboard/audit?action=audit.export');
  const told = `Action: Client renamed, Format: JSON (.json), Object: ${name} LTD`;
  await expect(rows.filter({ hasText: told })).toHaveCount(1);

  await page.goto('/dashboard/audit?action=client.update&from=yesterday');
  await expect(page.getByText('The link has a filter that cannot be used: from.')).toBeVisible();
  await expect(rows.nth(1)).toContainText('Client renamed');
  await page.getByRole('button', { name: 'Show all' }).click();

  // On phones the filter is folded until it is wanted, so that entries begin on the first screen.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard/audit');
  await expect(page.getByLabel('Action')).toBeHidden();
  await expect.poll(async () => (await rows.nth(1).boundingBox())?.y).toBeLessThan(600);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByLabel('Action').selectOption('Client renamed');
  await expectAccessible(page);
  await expect(page).toHaveURL(/action=client\.update/);
  await page.getByRole('button', { name: 'Filters' }).click();
  await expect(page.getByLabel('Action')).toBeHidden();
});
