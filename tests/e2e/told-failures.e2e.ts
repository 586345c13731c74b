// Failures that are told in passing, or where they happened, though nothing on the screen depends on them.
import { randomBytes } from 'node:crypto';
import { makeImeis } from '#tests/support/devices.ts';
import { admin, call, signInByApi } from './support/api.ts';
import { failWordless } from './support/hold.ts';
import { expect, test } from './support/test.ts';
import { uploadAndFinish } from './support/upload.ts';

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
  await expect(page.getByRole('alert')).toHaveText(`Failed to change the status of ${name}`);

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
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Failed to delete client');
});

test('data: a download and a deletion that fail', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await failWordless(page, '**/api/imei/download?*');
  await failWordless(page, /\/api\/imei\/\d+$/);
  await page.goto('/dashboard/data');
  await page.getByRole('button', { name: 'Download Data' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'All Data' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to download data');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete All' }).click();
  await dialog.getByRole('button', { name: 'Delete All' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('Failed to delete data');

  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await page.getByRole('button', { name: 'Excel (.xlsx)' }).click();
  await expect(page.getByRole('alert')).toHaveText('Failed to download data');
});

test('proxies: a list that cannot be read, a set that cannot be deleted', async ({
  page,
  superadmin,
  signIn,
}) => {
  const set = {
    _id: '1',
    proxy_set: 'set-20200101-01',
    status: 'Inactive',
    date: '2020-01-01T00:00:00.000Z',
    expire_date: '2020-01-31T00:00:00.000Z',
    proxies_count: 2,
    remaining_time: null,
    proxies: ['203.0.113.1:80', '203.0.113.2:80'],
  };
  const summary = { total: 1, active: 0, inactive: 1, total_proxies: 2 };
  await signIn(page, superadmin);
  await failWordless(page, '**/api/proxies/sets');
  await page.goto('/dashboard/proxies');
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
  await page.unrouteAll();

  // A set that expired years ago: no test can wait for one. The server knows of none, so its deletion fails.
  await page.route('**/api/proxies/sets', (route) => route.fulfill({ json: { data: [set], summary } }));
  await page.getByRole('button', { name: 'Retry' }).click();
  const card = page.getByRole('article', { name: set.proxy_set });
  await expect(card.getByText('Inactive', { exact: true })).toBeVisible();
  await expect(card.getByText('January 1, 2020', { exact: true })).toBeVisible();
  await expect(card.getByText('Jan 31, 2020 • 07:00', { exact: true })).toBeVisible();
  await expect(card.getByText('Remaining')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Inactive' }).click();
  await expect(card).toBeVisible();
  await page.getByRole('tab', { name: 'Active', exact: true }).click();
  await expect(card).toHaveCount(0);
  await page.getByRole('tab', { name: 'All Sets' }).click();
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Proxy Set' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText('Proxy set not found');
});

test('a list of companies that cannot be loaded leaves the dropdown of Register User empty', async ({
  page,
  superadmin,
  signIn,
}) => {
  await signIn(page, superadmin);
  await failWordless(page, '**/api/clients/all*');
  await page.goto('/dashboard/register');
  await expect(page.getByRole('alert')).toHaveText('Failed to load company codes');
  await page.getByRole('combobox', { name: 'Company Code' }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveCount(0);
});

test('uploaded data that cannot be read says so, with Retry', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  await failWordless(page, `**/api/data/${ticket}?*`);
  await page.goto('/dashboard/data?view=uploaded');
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('table', { name: 'Uploaded Data' })).toBeVisible();
});

test('a product that cannot be fetched after sign-in says so, and can be asked for again', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.route('**/assets/screens-*.js', (route) => route.fulfill({ status: 500, body: '' }));
  await page.goto('/dashboard');
  await expect(page.getByRole('alert')).toHaveText('This page could not be shown. Please try again.');
  await page.unroute('**/assets/screens-*.js');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('parts of the app that cannot be fetched are told, and the page stays', async ({
  page,
  user,
  signIn,
}) => {
  await page.route('**/assets/{palette-dialog,forgot-password-page}-*.js', (route) =>
    route.fulfill({ status: 500, body: '' }),
  );
  await page.goto('/forgot-password');
  await expect(page.getByRole('alert')).toHaveText('This page could not be shown. Please try again.');
  await signIn(page, user);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Go to' }).click();
  await expect(page.getByRole('alert')).toHaveText('The list could not be loaded. Please try again.');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Go to' }).click();
  await expect(page.getByRole('dialog', { name: 'Go to' })).toBeVisible();
});
