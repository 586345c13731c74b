import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { admin, call, tokenOf } from '#tests/support/stories/api.ts';

const unique = (name: string) => `${name} ${randomBytes(4).toString('hex')}`;

async function makeClients(names: string[]): Promise<void> {
  const token = await tokenOf(admin());
  for (const name of names) await call('POST', '/clients', { company_name: name }, token);
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('a superadmin adds, renames, deactivates and deletes a client', async ({ page }) => {
  const name = unique('Zebra');
  const renamed = unique('Yak');
  await keepToasts(page);
  await page.goto('/dashboard/clients?limit=1000');
  await expect(page.getByRole('heading', { level: 1, name: 'Clients' })).toBeVisible();
  await expect(page.getByText('Manage and track all clients')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Clients Data' })).toBeVisible();

  const add = page.getByRole('button', { name: 'Add Client' });
  await add.click();
  await expect(add).toBeDisabled();
  await expect(page.getByLabel('Company Name')).toBeFocused();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(add).toBeEnabled();
  await add.click();
  await page.getByLabel('Company Name').fill(name);
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect(page.getByLabel('Company Name')).toHaveCount(0);
  await expect(add).toBeEnabled();
  await expect(rowOf(page, name).getByRole('cell')).toHaveText([name, /^ZEB\d{3,}$/, 'Active', '']);

  await chooseAction(page, name, 'Edit');
  await expect(page.getByRole('heading', { name: 'Update client' })).toBeVisible();
  await expect(add).toBeDisabled();
  await expect(page.getByLabel('Company Name')).toHaveValue(name);
  await page.getByLabel('Company Name').fill(renamed);
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(rowOf(page, renamed)).toContainText('ZEB');
  await expect(rowOf(page, name)).toHaveCount(0);
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.click();
  await expect(rowOf(page, name)).toContainText('ZEB');
  await chooseAction(page, name, 'Edit');
  await page.getByLabel('Company Name').fill(renamed);
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(rowOf(page, renamed)).toContainText('ZEB');

  await chooseAction(page, renamed, 'Change status');
  await expect(rowOf(page, renamed)).toContainText('Inactive');
  await page
    .locator('.toast', { hasText: `${renamed} is now Inactive.` })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(rowOf(page, renamed).getByText('Active', { exact: true })).toBeVisible();

  await chooseAction(page, renamed, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete client data' });
  await expect(
    dialog.getByText('Are you sure you want to delete client data? This action cannot be undone.', {
      exact: true,
    }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Actions for ${renamed}` })).toBeFocused();
  await chooseAction(page, renamed, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(rowOf(page, renamed)).toHaveCount(0);
});

test('paging offers sizes and a window of five pages, and the address keeps both', async ({ page }) => {
  await makeClients(Array.from({ length: 62 }, (_, index) => `Page ${index}`));
  await page.goto('/dashboard/clients');
  const size = page.getByLabel('Rows per page');
  await expect(size).toHaveValue('10');
  await expect(size.getByRole('option')).toHaveText(['10', '50', '100', '500', '1000']);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(page.getByText(/^Showing 1 to 10 of \d+ entries$/)).toBeVisible();
  await expect(pages.getByRole('button')).toHaveText(['', '1', '2', '3', '4', '5', /^\d+$/, '']);
  await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled();

  await pages.getByRole('button', { name: '5', exact: true }).click();
  await expect(page).toHaveURL(/page=5/);
  await expect(page.getByText(/^Showing 41 to 50 of \d+ entries$/)).toBeVisible();
  await expect(pages.getByRole('button', { name: '5', exact: true })).toHaveAttribute('aria-current', 'page');
  await expect(pages.getByRole('button', { name: '1', exact: true })).toBeVisible();
  await expect(pages.getByText('…').first()).toBeVisible();

  await size.selectOption('50');
  await expect(page).toHaveURL(/limit=50/);
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByText(/^Showing 1 to 50 of \d+ entries$/)).toBeVisible();
  await page.goBack();
  await expect(page.getByText(/^Showing 41 to 50 of \d+ entries$/)).toBeVisible();

  await page.goto('/dashboard/clients?page=9999&limit=1000');
  await expect(page.getByText(/^Showing 1 to \d+ of \d+ entries$/)).toBeVisible();
});

test('the row menu and the form of Clients work by keyboard alone', async ({ page }) => {
  const name = unique('Wombat');
  await makeClients([name]);
  await page.goto('/dashboard/clients?limit=1000');
  await page.getByRole('button', { name: `Actions for ${name}` }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Change status' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Actions for ${name}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Company Name')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(' Ltd');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, `${name} Ltd`)).toBeVisible();
});
