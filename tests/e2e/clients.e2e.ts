import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import { admin, call, makeUser, signInByApi } from './support/api.ts';
import { failWordless, holdRequests } from './support/hold.ts';
import { expect, test } from './support/test.ts';
import { keepToasts } from './support/toasts.ts';

const unique = (name: string) => `${name} ${randomBytes(4).toString('hex')}`;

async function makeClients(names: string[]): Promise<void> {
  const token = await signInByApi(admin());
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

test('the buttons say what is going on while the server works', async ({ page }) => {
  const name = unique('Xerus');
  const creation = await holdRequests(page, 'POST', '**/api/clients');
  const update = await holdRequests(page, 'PUT', '**/api/clients/*');
  const deletion = await holdRequests(page, 'DELETE', '**/api/clients/*');
  await page.goto('/dashboard/clients?limit=1000');
  await page.getByRole('button', { name: 'Add Client' }).click();
  await page.getByLabel('Company Name').fill(name);
  await page.getByRole('button', { name: 'Create Client' }).click();
  await expect(page.getByRole('button', { name: 'Creating...' })).toBeDisabled();
  creation.letGo();
  await chooseAction(page, name, 'Edit');
  await page.getByRole('button', { name: 'Update Client' }).click();
  await expect(page.getByRole('button', { name: 'Updating...' })).toBeDisabled();
  update.letGo();
  await expect(page.getByRole('button', { name: 'Add Client' })).toBeEnabled();
  await chooseAction(page, name, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  deletion.letGo();
  await expect(rowOf(page, name)).toHaveCount(0);
});

test.describe('what the server refuses', () => {
  test.use({ allowedComplaints: [/status of (409|400|500)/] });

  test('a client with users stays, and the dialog says why', async ({ page }) => {
    const { companyCode } = await makeUser();
    await page.goto('/dashboard/clients?limit=1000');
    const row = rowOf(page, String(companyCode));
    await row.getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete client data' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect(dialog.getByRole('alert')).toHaveText(/cannot be deleted: it still has users \(1\)/);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(row).toBeVisible();
  });

  test('a failure shows the server’s words, else the product’s own', async ({ page }) => {
    await page.goto('/dashboard/clients');
    await page.getByRole('button', { name: 'Add Client' }).click();
    await page.getByLabel('Company Name').fill('   ');
    await page.getByRole('button', { name: 'Create Client' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'company_name' })).toBeVisible();
    await page.route('**/api/clients', (route) => route.fulfill({ status: 500, body: '' }));
    await page.getByRole('button', { name: 'Create Client' }).click();
    await expect(page.getByText('Failed to create new client', { exact: true })).toBeVisible();
  });

  test('a list that cannot be read offers Retry', async ({ page }) => {
    await page.route('**/api/clients?*', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/dashboard/clients');
    await expect(page.getByText('Failed to fetch data', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/api/clients?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('table')).toBeVisible();
  });
});

test('pages: sizes, a window of five, the range, all kept in the address', async ({ page }) => {
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

test('without any client the list says so', async ({ page }) => {
  // Only the answer of an empty database is set here; the browser tests share one database.
  const pagination = {
    page: 1,
    limit: 10,
    totalPages: 0,
    totalItems: 0,
    hasNextPage: false,
    hasPrevPage: false,
  };
  await page.route('**/api/clients?*', (route) => route.fulfill({ json: { data: [], pagination } }));
  await page.goto('/dashboard/clients');
  await expect(page.getByText('No client data available', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('the row menu and the form by keyboard alone', async ({ page }) => {
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
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Company Name')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type(' Ltd');
  await page.keyboard.press('Enter');
  await expect(rowOf(page, `${name} Ltd`)).toBeVisible();
});

test.describe('failures without any words of the server', () => {
  test.use({ allowedComplaints: [/status of (500|404|400)/] });

  test('clients: a status that cannot be changed, a name that cannot be saved, a deletion', async ({
    page,
    superadmin,
    signIn,
  }) => {
    const name = `Quokka ${randomBytes(4).toString('hex')}`;
    await call('POST', '/clients', { company_name: name }, await signInByApi(admin()));
    await signIn(page, superadmin);
    await page.goto('/dashboard/clients?limit=1000');
    const choose = async (action: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await failWordless(page, '**/api/clients/status/*');
    const sent = page.waitForRequest('**/api/clients/status/*');
    await choose('Change status');
    expect((await sent).postDataJSON()).toEqual({ status: '0' });
    await expect(page.getByRole('alert')).toHaveText(
      `Failed to change the status of ${name}. It stays as it was; please try again.`,
    );
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();

    await failWordless(page, /\/api\/clients\/\d+$/);
    await choose('Edit');
    await page.getByLabel('Company Name').fill('');
    await page.getByRole('button', { name: 'Update Client' }).click();
    await expect(page.getByLabel('Company Name').and(page.locator(':invalid'))).toBeFocused();
    const [field, table] = [page.getByLabel('Company Name'), page.getByRole('table')];
    expect((await field.boundingBox())?.y).toBeLessThan((await table.boundingBox())?.y ?? 0);
    await field.fill(name);
    await page.getByRole('button', { name: 'Update Client' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to update new client' })).toBeVisible();
    await page.unroute(/\/api\/clients\/\d+$/);
    await field.fill('   ');
    await page.getByRole('button', { name: 'Update Client' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'company_name is required' })).toBeVisible();
    await failWordless(page, /\/api\/clients\/\d+$/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByLabel('Company Name')).toHaveCount(0);
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
      'Failed to delete client. It is still in the list; please try again.',
    );
  });
});
