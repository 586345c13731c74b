import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { admin, call, makeUser, tokenOf } from '#tests/support/stories/api.ts';
import { order } from '#tests/support/stories/tickets.ts';
import { followMenu, uploadAndFinish } from '#tests/support/stories/upload.ts';

test('a user finds, downloads and stops the tickets of the own company, and so does its administrator', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const stranger = await uploadAndFinish(await makeUser(), makeImeis(1));
  const sheet = await uploadAndFinish(user, [...makeImeis(3), 'no serial at all!']);
  await call('POST', '/data/serials', { serials: makeImeis(2, '35390222') }, await tokenOf(user));
  const waiting = await order(user, superadmin, 100);
  await signIn(page, user);
  await page.goto('/dashboard');
  await followMenu(page, 'Uploads');
  await expect(page).toHaveURL(/\/dashboard\/uploads$/);

  const table = page.getByRole('table', { name: 'List of uploads' });
  const rows = table.getByRole('row').filter({ has: page.getByRole('link') });
  await expect(rows).toHaveCount(3);
  await expect(rows).toContainText([
    'Pasted, 2 serials',
    `serials.xlsx #${sheet}`,
    `Order of 100 #${waiting}`,
  ]);
  await expect(table.getByText(`#${stranger}`, { exact: true })).toHaveCount(0);
  await expect(rows.nth(1)).toContainText(`${user.name.split(' ')[0]}`);
  await expect(rows.nth(1).getByRole('cell', { name: /^[14]( rows)?$/ })).toHaveText([/^4/, '1']);

  await page.getByRole('searchbox', { name: 'Search file, number or person' }).fill('serials.xl');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/q=serials\.xl/);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the results of serials.xlsx' }).click();
  expect((await saved).suggestedFilename()).toMatch(/\.xlsx$/);
  await page.getByLabel('Kind').selectOption('Orders');
  await expect(page.getByText('No upload matches the filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Show all uploads' }).click();
  await expect(rows).toHaveCount(3);
  await page.getByLabel('Status').selectOption('Pending');
  await page.getByLabel('Kind').selectOption('Orders');
  await expect(rows).toContainText([`#${waiting}`]);
  await expect(page.getByRole('button', { name: /^Download the results of Order/ })).toBeDisabled();

  await page.getByRole('button', { name: 'Stop Order of 100, keep results' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop, keep results' }).click();
  await expect(page.getByText('No upload matches the filters.')).toBeVisible();
  await page.getByLabel('Status').selectOption('Cancelled');
  await expect(rows).toContainText([`Order of 100 #${waiting}`]);
  await expect(page.getByRole('button', { name: /^Stop/ })).toHaveCount(0);
  await rows.getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1, name: `Order of 100 #${waiting}` })).toBeVisible();

  const token = await tokenOf(admin());
  const { data } = await call<{ data: { _id: string }[] }>('GET', `/users?q=${user.email}`, undefined, token);
  await call('PATCH', `/users/${data[0]?._id}`, { role: 'company-admin' }, token);
  const { token: promoted } = await call<{ token: string }>('POST', '/auth/login', {
    email: user.email,
    password: user.password,
  });
  await page.evaluate((value) => localStorage.setItem('token', value), promoted);
  await page.goto('/dashboard/uploads?kind=paste');
  await expect(rows).toContainText(['Pasted, 2 serials']);
});
