import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';

const unique = (name: string) => `${name} ${randomBytes(4).toString('hex')}`;

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('a superadmin adds, renames, deactivates and deletes a client, also by keyboard alone', async ({
  page,
}) => {
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
    .getByRole('status')
    .filter({ hasText: `${renamed} is now Inactive.` })
    .getByRole('button', { name: 'Undo' })
    .click();
  await expect(rowOf(page, renamed).getByText('Active', { exact: true })).toBeVisible();

  // By keyboard alone.
  const named = `${renamed} Ltd`;
  await page.getByRole('button', { name: `Actions for ${renamed}` }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Change status' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Actions for ${renamed}` })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('End');
  for (const above of ['Own columns', 'Terms', 'Budget', 'Edit']) {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: above })).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Company Name')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(' Ltd');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, named)).toBeVisible();

  await chooseAction(page, named, 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete client data' });
  await expect(
    dialog.getByText('Are you sure you want to delete client data? This action cannot be undone.', {
      exact: true,
    }),
  ).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('button', { name: `Actions for ${named}` })).toBeFocused();
  await chooseAction(page, named, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(rowOf(page, named)).toHaveCount(0);
});
