import { onBothWidths, openAs } from '#tests/support/browser/open-as.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, makeUser, tokenOf } from '#tests/support/stories/api.ts';
import { order } from '#tests/support/stories/tickets.ts';
import { followMenu, uploadAndFinish } from '#tests/support/stories/upload.ts';

test('a user finds, downloads and stops the tickets of the own company', async ({
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
  await page.getByRole('button', { name: 'Show all uploads' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
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
  await rows.getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: `Order of 100 #${waiting}` })).toBeVisible();
});

test('an order is stopped by each role, on a phone and on a laptop', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/uploads');
  const cases = [[user, 390], ...onBothWidths(administrator, superadmin)] as const;
  for (const [nth, [account, width]] of cases.entries()) {
    const name = `Order of ${30 + nth}`;
    const number = await order(user, superadmin, 30 + nth);
    const [path, label] =
      account === superadmin
        ? [`/dashboard/tickets/${number}`, 'Stop, keep results']
        : ['/dashboard/uploads', `Stop ${name}, keep results`];
    await openAs(page, account, path, width);
    const stop = page.getByRole('button', { name: label, exact: true });
    await expect(stop).toBeInViewport({ ratio: 1 });
    await stop.click();
    const dialog = page.getByRole('dialog', { name: `Cancel ${name} #${number}?` });
    await expect(dialog).toContainText('No data has been uploaded into this ticket.');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await expect(stop).toBeFocused();
    await stop.click();
    await dialog.getByRole('button', { name: 'Stop, keep results' }).click();
    await expect(page.getByText(`${name} #${number} was cancelled.`)).toBeVisible();
    await expect(stop).toHaveCount(0);
    await expect(page.getByRole('main')).toBeFocused();
  }
});
