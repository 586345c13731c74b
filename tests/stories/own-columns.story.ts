import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { openAs } from '#tests/support/browser/open-as.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeSheets } from '#tests/support/sheets/make-workbook.ts';
import { type Account, call, tokenOf } from '#tests/support/stories/api.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { uploadAndFinish, waitUntilRegistered, xlsxType } from '#tests/support/stories/upload.ts';

const employee = { key: 'employee', name: 'Employee' };
const site = { key: 'site', name: 'Site' };

const setFields = async (account: Account, fields: object[]) =>
  call('PUT', `/fields/${account.companyCode}`, { fields }, await tokenOf(account));

/** Registers devices with values. */
async function prepareDevices(account: Account, values: Record<string, object>) {
  await setFields(account, [employee, site]);
  await uploadAndFinish(account, Object.keys(values));
  const token = await tokenOf(account);
  for (const [serial, fields] of Object.entries(values)) {
    await waitUntilRegistered(account, serial);
    const { data } = await call<{ data: { _id: string }[] }>('GET', `/devices?q=${serial}`, undefined, token);
    await call('PATCH', `/devices/${data[0]?._id}`, { fields }, token);
  }
}

const devicesTable = (page: Page) => page.getByRole('table', { name: 'Devices' });

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

test.describe('a refusal', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('on a phone, by keyboard alone, a value is changed and a column with values is removed after a question', async ({
    page,
    user,
    signIn,
  }) => {
    const [serial = ''] = knownSerials(1);
    await prepareDevices(user, { [serial]: { employee: 'Siti' } });
    await page.setViewportSize({ width: 390, height: 800 });
    await signIn(page, user);
    await page.goto('/dashboard/devices');
    const card = devicesTable(page).getByRole('row').filter({ hasText: serial });
    await expect(card.getByRole('cell', { name: 'Employee Siti' })).toBeVisible();
    await expect(card.getByRole('cell', { name: /^Site/ })).toHaveCount(0);
    await takePictures(page);
    await tabAndPress(page, page.getByRole('button', { name: 'Actions on the list' }));
    const own = page.getByRole('menuitem', { name: 'Own columns' });
    await expect(own).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Own columns' });
    await tabAndPress(page, dialog.getByRole('button', { name: 'Remove: Employee' }));
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    await tabAndPress(page, save);
    await expect(dialog.getByRole('alert')).toContainText('Devices have values');
    await expect(save).toBeFocused();
    await expectAccessible(page);
    await tabAndPress(page, dialog.getByLabel('Delete the values of removed columns'), 'Space');
    await tabAndPress(page, save);
    await expect(dialog).toBeHidden();
    await tabAndPress(page, card.getByRole('button').first());
    const values = page.getByRole('form', { name: 'Own columns' });
    await expect(values.getByLabel('Employee')).toHaveCount(0);
    await tabTo(page, values.getByLabel('Site'));
    await page.keyboard.type('Solo');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Site: – → Solo')).toBeVisible();
    await expectAccessible(page);
  });
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
    await expect(dialog.getByRole('alert')).toContainText('changed since they were read');
    await expect(dialog.getByLabel('Name of column 3')).toHaveValue('Department');
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

test('each role names a column and sets a value by keyboard alone, on a phone and on a laptop', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  const [serial = ''] = knownSerials(1);
  await prepareDevices(user, { [serial]: { employee: 'Siti' } });
  await signIn(page, user);
  await page.goto('/dashboard/devices');
  const cases = [
    [user, 1280],
    [administrator, 390],
    [administrator, 1280],
    [superadmin, 390],
    [superadmin, 1280],
  ] as const;
  for (const [nth, [account, width]] of cases.entries()) {
    const name = `Column ${nth}`;
    const company = account === superadmin ? `?company_code=${user.companyCode}` : '';
    await openAs(page, account, `/dashboard/devices${company}`, width);
    const actions = page.getByRole('button', { name: 'Actions on the list' });
    await tabAndPress(page, actions);
    await expect(page.getByRole('menuitem', { name: 'Own columns' })).toBeFocused();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Own columns' });
    await expect(dialog.getByLabel('Name of column 1')).toBeFocused();
    await tabAndPress(page, dialog.getByRole('button', { name: 'Add column' }));
    await tabTo(page, dialog.getByLabel(`Name of column ${3 + nth}`));
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(actions).toBeFocused();
    // A card on a phone leaves out columns without a value.
    if (width === 1280) {
      await expect(devicesTable(page).getByRole('columnheader', { name })).toBeVisible();
    }
    const opener = devicesTable(page)
      .getByRole('row')
      .filter({ hasText: serial })
      .getByRole('button')
      .first();
    await tabAndPress(page, opener);
    const values = page.getByRole('form', { name: 'Own columns' });
    await tabTo(page, values.getByLabel(name));
    await page.keyboard.type('v');
    await page.keyboard.press('Enter');
    await expect(page.getByText(`${name}: – → v`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(values).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('a column is mapped, narrows devices and is set for chosen ones by keyboard alone, on a phone and on a laptop', async ({
  page,
  user,
  signIn,
}) => {
  await setFields(user, [employee, site]);
  await signIn(page, user);
  const type = async (target: Locator, text: string) => {
    await tabTo(page, target);
    await page.keyboard.type(text);
  };
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const [serial = ''] = makeImeis(1);
    const office = `Office ${width}`;
    const sheet = [
      ['IMEI', 'Place'],
      [serial, office],
    ];
    const buffer = makeSheets([{ name: 'Phones', rows: sheet }]);
    await page.goto('/dashboard/upload');
    await page.locator('input[type=file]').setInputFiles({ name: 'phones.xlsx', mimeType: xlsxType, buffer });
    const mapping = page.getByRole('group', { name: 'Own columns' }).getByLabel('Site');
    await type(mapping, 'B');
    await expect(mapping).toHaveValue('B');
    await tabAndPress(page, page.getByRole('button', { name: 'Upload File', exact: true }));
    await expect(page).toHaveURL(/ticket=\d+/);
    await waitUntilRegistered(user, serial);

    await page.goto('/dashboard/devices');
    await tabAndPress(page, page.getByRole('button', { name: 'More filters' }));
    await type(page.getByLabel('Own column'), 'Site');
    await type(page.getByLabel('Value', { exact: true }), office);
    await expect(page).toHaveURL(/Office/);
    const row = devicesTable(page).getByRole('row').filter({ hasText: serial });
    await tabAndPress(page, row.getByRole('checkbox'), 'Space');
    await tabAndPress(
      page,
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Set a column' }),
    );
    const dialog = page.getByRole('dialog');
    await type(dialog.getByLabel('Value'), 'Siti');
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(row).toContainText('Siti');
  }
});
