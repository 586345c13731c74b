import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { tabTo } from '#tests/support/browser/keyboard.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
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
  await page.goto(`/dashboard/clients/${code}`);
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(part('This month')).toContainText('Rp 2.400');
  await expect(part('Tickets')).toContainText(`serials.xlsx #${ticket}${user.name} · 3`);
  await expect(part('Users')).toContainText(user.name);
  await expect(part('Audit Log')).toContainText('serials.xlsx');
  await expectAccessible(page, allWidths);
  await part('Devices').getByRole('link', { name: '3', exact: true }).first().click();
  await expect(page.getByRole('table', { name: 'Devices' }).getByRole('row')).toHaveCount(4);
  await page.goBack();
  await part('Tickets').getByRole('link', { name: 'serials.xlsx' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/tickets/${ticket}`));
});

test('a superadmin sets the terms of a client by keyboard alone', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const code = String(user.companyCode);
  await signIn(page, superadmin);
  await page.goto(`/dashboard/clients/${code}`);
  const terms = page.getByRole('region', { name: 'Terms', exact: true });
  await tabTo(page, terms.getByRole('button', { name: 'Edit' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  for (const [label, text] of [
    ['Price per data', '0.04'],
    ['Discount', '10'],
    ['Address', 'Jalan Sudirman 1'],
    ['Addresses for invoices', 'finance@example.test'],
  ] as const) {
    await tabTo(page, dialog.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(text);
  }
  await expectAccessible(page, allWidths);
  await tabTo(page, dialog.getByRole('button', { name: 'Save Terms' }));
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(terms).toContainText('$0.04');
  await expect(terms).toContainText('finance@example.test');
});
