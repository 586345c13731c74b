import { type AuditEntry, listAudit } from '#features/audit/audit.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const entry: AuditEntry = {
  _id: '1',
  at: '2026-11-11T04:11:11.000Z',
  actor: { _id: '2', email: 'ayu@example.test', name: 'Ayu' },
  token: null,
  address: '127.0.0.1',
  action: 'client.create',
  object_type: 'client',
  object_id: '7',
  object_name: 'Quokka',
  company_code: 'QUO001',
  company_name: 'Quokka',
  before: {},
  after: { company_name: 'Quokka' },
};

test('an open audit log shows new entries', async ({ page, api, open }) => {
  api.answer(listAudit, pageOf([entry]));
  await open('/dashboard/audit', 'company-admin');
  const rows = page.getByRole('table', { name: 'Audit Log' }).locator('tbody tr');
  await expect(rows).toHaveCount(1);
  api.answer(listAudit, pageOf([{ ...entry, _id: '2' }, entry]));
  const look = async () => {
    await lookAgain(page);
    return rows.count();
  };
  await expect.poll(look).toBe(2);
});

test('an entry by a program names its API token', async ({ page, api, open }) => {
  api.answer(listAudit, pageOf([{ ...entry, token: { _id: '4', name: 'Nightly import' } }]));
  await open('/dashboard/audit', 'company-admin');
  const row = page.getByRole('table', { name: 'Audit Log' }).getByRole('row').filter({ hasText: 'Ayu' });
  const who = 'Ayu (ayu@example.test), with the API token "Nightly import"';
  await expect(row).toContainText(who);
  await row.getByRole('button', { name: /^Details/ }).click();
  await expect(page.getByRole('dialog')).toContainText(who);
});

test('on a phone a filter of the address is shown', async ({ page, api, open }) => {
  api.answer(listAudit, pageOf([entry]));
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/dashboard/audit?actor=ayu', 'company-admin');
  await expect(page.getByLabel('Who')).toHaveValue('ayu');
  await expect(page.getByLabel('Who')).toBeVisible();
  await open('/dashboard/audit', 'company-admin');
  await expect(page.getByRole('button', { name: 'Filters' })).toBeVisible();
  await expect(page.getByLabel('Who')).toBeHidden();
});

test('a day is typed in the order of the language, and shown in it', async ({ page, api, open }) => {
  api.answer(listAudit, pageOf([entry]));
  await open('/dashboard/audit', 'company-admin');
  await page.getByLabel('Language').selectOption('id');
  const from = page.getByPlaceholder('hh/bb/tttt').first();
  await from.fill('31/02/2026');
  await from.press('Tab');
  await expect(page.getByText('Isi tanggal sebagai hh/bb/tttt.')).toBeVisible();
  await expectAccessible(page, allWidths);
  await from.fill('21/11/2026');
  await from.press('Tab');
  await expect(page).toHaveURL(/from=2026-11-21/);
  await page.getByLabel('Bahasa').selectOption('en');
  await expect(page.getByPlaceholder('mm/dd/yyyy').first()).toHaveValue('11/21/2026');
  // A day that another language understands is applied with that language.
  const typed = page.getByPlaceholder('mm/dd/yyyy').first();
  await typed.fill('25/12/2026');
  await typed.press('Tab');
  await expect(page.getByText('Enter a day as mm/dd/yyyy.')).toBeVisible();
  await page.getByLabel('Language').selectOption('id');
  await expect(from).toHaveValue('25/12/2026');
  await expect(page).toHaveURL(/from=2026-12-25/);
  await page.getByLabel('Bahasa').selectOption('en');
  const all = page.getByRole('button', { name: 'Show all' });
  await all.press('Enter');
  await expect(all).toBeDisabled();
  await expect(all).toBeFocused();
});
