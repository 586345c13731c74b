import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { openAs } from '#tests/support/browser/open-as.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish, waitUntilRegistered } from '#tests/support/stories/upload.ts';

test('the page of a client leads from its devices, money and tickets to their screens', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const code = String(user.companyCode);
  const serials = makeImeis(3);
  const ticket = await uploadAndFinish(user, serials);
  for (const serial of serials) await waitUntilRegistered(user, serial);
  await signIn(page, superadmin);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/dashboard/clients/${code}`);
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await expect(part('This month')).toContainText('Rp 2.400');
    await expect(part('Tickets')).toContainText(`serials.xlsx #${ticket}${user.name} · 3`);
    await expect(part('Users')).toContainText(user.name);
    await expect(part('Audit Log')).toContainText('serials.xlsx');
    await expectAccessible(page);
    await part('Devices').getByRole('link', { name: '3', exact: true }).first().click();
    const devices = page.getByRole('table', { name: 'Devices' });
    for (const serial of serials) await expect(devices).toContainText(serial);
    await page.goBack();
    await part('Tickets').getByRole('link', { name: 'serials.xlsx' }).click();
    await expect(page).toHaveURL(new RegExp(`/dashboard/tickets/${ticket}`));
  }
});

test('a superadmin sets the terms of a client and its administrator reads them, by keyboard alone', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  const code = String(user.companyCode);
  const dialog = page.getByRole('dialog');
  await signIn(page, superadmin);
  for (const [width, price] of [
    [390, '0.05'],
    [1280, '0.04'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/dashboard/clients/${code}`);
    const terms = page.getByRole('region', { name: 'Terms', exact: true });
    const edit = terms.getByRole('button', { name: 'Edit' });
    await tabAndPress(page, edit);
    for (const [label, text] of [
      ['Price per data', price],
      ['Discount', '10'],
      ['Address', 'Jalan Sudirman 1'],
      ['Addresses for invoices', 'finance@example.test'],
    ] as const) {
      await tabTo(page, dialog.getByLabel(label, { exact: true }));
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    }
    await expectAccessible(page);
    await tabAndPress(page, dialog.getByRole('button', { name: 'Save Terms' }));
    await expect(dialog).toHaveCount(0);
    await expect(edit).toBeFocused();
    await expect(terms).toContainText(`$${price}`);
    await expect(terms).toContainText('finance@example.test');
  }
  for (const width of [390, 1280]) {
    await openAs(page, administrator, '/dashboard/invoices', width);
    const own = page.getByRole('button', { name: 'Your terms' });
    await tabAndPress(page, own);
    for (const text of ['$0.04', '10%', 'Jalan Sudirman 1', 'finance@example.test'])
      await expect(dialog).toContainText(text);
    await expect(dialog.getByRole('textbox')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(own).toBeFocused();
  }
});
