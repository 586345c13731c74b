import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeSheets } from '#tests/support/sheets/make-workbook.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import {
  devicesTable,
  employee,
  prepareDevices,
  setFields,
  site,
} from '#tests/support/stories/own-columns.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { xlsxType } from '#tests/support/stories/upload.ts';

test('own columns are named, filled by a sheet with a chosen column, and stand beside the results', async ({
  page,
  user,
  signIn,
}) => {
  const serials = knownSerials(3);
  await signIn(page, user);
  await page.goto('/dashboard/devices');
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Own columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await dialog.getByLabel('Name of column 1').fill('Employee');
  await dialog.getByRole('button', { name: 'Add column' }).click();
  await dialog.getByLabel('Name of column 2').fill('Site');
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();

  await page.goto('/dashboard/upload');
  const names = ['Siti Rahma', 'Budi Santoso', 'Ani'];
  const rows = serials.map((serial, nth) => [serial, names[nth] ?? '', 'Jakarta']);
  const buffer = makeSheets([{ name: 'Phones', rows: [['IMEI', 'Employee', 'Office'], ...rows] }]);
  await page.locator('input[type=file]').setInputFiles({ name: 'phones.xlsx', mimeType: xlsxType, buffer });
  const mapping = page.getByRole('group', { name: 'Own columns' });
  await expect(mapping.getByLabel('Employee')).toHaveValue('B');
  await expect(mapping.getByLabel('Site')).toHaveValue('');
  await mapping.getByLabel('Site').selectOption({ label: 'C · Office' });
  await expect(mapping.getByLabel('Employee')).toHaveValue('B');
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await page.getByRole('button', { name: 'Upload File', exact: true }).click();
  await expect(page.getByText(/^Successfully imported 3 records/)).toBeVisible();
  await expect(page).toHaveURL(/ticket=\d+/);
  const results = page.getByRole('table', { name: 'Serial Data' });
  await expect(results.getByRole('columnheader', { name: 'Employee' })).toBeVisible();
  await expect(results.getByRole('row').filter({ hasText: serials[0] ?? '' })).toContainText('Siti Rahma');

  // The next sheet with the same heads is filled in the same way.
  await page.goto('/dashboard/upload');
  await page.locator('input[type=file]').setInputFiles({ name: 'next.xlsx', mimeType: xlsxType, buffer });
  await expect(mapping.getByLabel('Site')).toHaveValue('C');
});

test('devices are narrowed by an own column, changed together, and one in its panel with its history', async ({
  page,
  user,
  signIn,
}) => {
  const [one = '', two = '', three = ''] = knownSerials(3);
  await prepareDevices(user, {
    [one]: { employee: 'Siti Rahma', site: 'Jakarta' },
    [two]: { employee: 'Budi', site: 'Jakarta' },
    [three]: { employee: 'Ani' },
  });
  await signIn(page, user);
  await page.goto('/dashboard/devices');
  const rows = devicesTable(page).getByRole('row');
  await expect(rows).toHaveCount(4);
  await devicesTable(page)
    .getByRole('button', { name: /^Employee/ })
    .click();
  await expect(page).toHaveURL(/sort=field\.employee/);
  await expect(rows.nth(1)).toContainText('Ani');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Own column').selectOption('Site');
  const countSteps = () => page.evaluate<number>('history.length');
  const steps = await countSteps();
  await page.getByLabel('Value', { exact: true }).pressSequentially('jakar');
  await expect(rows).toHaveCount(3);
  expect(await countSteps()).toBe(steps);
  await expectAccessible(page);
  await takePictures(page, allWidths);

  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Set a column of 2 devices' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Own column').selectOption('Site');
  await dialog.getByLabel('Value').fill('Bandung');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('No device matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows.filter({ hasText: 'Bandung' })).toHaveCount(2);

  await rows.filter({ hasText: two }).getByRole('cell').nth(3).click();
  const panel = page.getByRole('dialog').or(page.getByRole('complementary'));
  const values = panel.getByRole('form', { name: 'Own columns' });
  await values.getByLabel('Employee').fill('Tuti');
  await values.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel.getByText('Employee: Budi → Tuti')).toBeVisible();
  await expect(panel.getByText(user.email).first()).toBeVisible();
  await expectAccessible(page);
  await takePictures(page, allWidths);
});

test('open results of a ticket show a value that is changed elsewhere', async ({ page, user, signIn }) => {
  const [serial = ''] = knownSerials(1);
  await prepareDevices(user, { [serial]: { employee: 'Siti' } });
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const row = page.getByRole('table', { name: 'Serial Data' }).getByRole('row').nth(1);
  await expect(row).toContainText('Siti');
  const token = await tokenOf(user);
  const { data } = await call<{ data: { _id: string }[] }>('GET', `/devices?q=${serial}`, undefined, token);
  await call('PATCH', `/devices/${data[0]?._id}`, { fields: { employee: 'Tuti' } }, token);
  await expect(row).toContainText('Tuti', { timeout: 10_000 });
});

test.describe('a conflict', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('columns of a colleague appear on an open screen and in the form, and are not removed by a form that lacks them', async ({
    page,
    user,
    signIn,
  }) => {
    const [serial = ''] = knownSerials(1);
    await prepareDevices(user, { [serial]: { employee: 'Siti' } });
    await setFields(user, [employee]);
    await signIn(page, user);
    await page.goto('/dashboard/devices');
    const head = (name: string) => devicesTable(page).getByRole('columnheader', { name });
    await expect(head('Employee')).toBeVisible();
    await expect(head('Site')).toHaveCount(0);
    await setFields(user, [employee, site]);
    await expect(head('Site')).toBeVisible({ timeout: 10_000 });
    await page.getByRole('button', { name: 'Actions on the list' }).click();
    await page.getByRole('menuitem', { name: 'Own columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Own columns' });
    await expect(dialog.getByLabel('Name of column 2')).toHaveValue('Site');
    await dialog.getByRole('button', { name: 'Add column' }).click();
    await dialog.getByLabel('Name of column 3').fill('Department');
    await setFields(user, [employee, site, { key: 'cost', name: 'Cost' }]);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(dialog.getByRole('alert')).toContainText('What you changed is kept');
    await expect(dialog.getByLabel('Name of column 3')).toHaveValue('Department');
    await expect(dialog.getByLabel('Name of column 4')).toHaveValue('Cost');
    await expectAccessible(page);
  });
});

test('a superadmin opens the own columns of a client from its menu', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await setFields(user, [employee]);
  await signIn(page, superadmin);
  await page.goto('/dashboard/clients?limit=1000');
  await page.getByRole('button', { name: `Actions for ${user.name}` }).click();
  await page.getByRole('menuitem', { name: 'Own columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await expect(dialog.getByLabel('Name of column 1')).toHaveValue('Employee');
  await dialog.getByLabel('Name of column 1').fill('Employee’s name');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('No device matches')).toBeVisible();
  // The menu that opened it is on another screen.
  await expect(page.getByRole('main')).toBeFocused();
});
