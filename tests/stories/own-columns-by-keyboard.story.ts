import type { Locator } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { onBothWidths, openAs } from '#tests/support/browser/open-as.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeSheets } from '#tests/support/sheets/make-workbook.ts';
import {
  devicesTable,
  employee,
  prepareDevices,
  setFields,
  site,
} from '#tests/support/stories/own-columns.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { waitUntilRegistered, xlsxType } from '#tests/support/stories/upload.ts';

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
  const cases = [[user, 1280], ...onBothWidths(administrator, superadmin)] as const;
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
    await expect(dialog.getByLabel(`Name of column ${3 + nth}`)).toBeFocused();
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
    await expect(page.getByText(/^Successfully imported/)).toBeVisible();
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
