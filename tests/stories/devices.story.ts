import { readFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { knownSerials } from '#tests/support/stories/tickets.ts';
import { uploadAndFinish, uploadSerials, waitUntilRegistered } from '#tests/support/stories/upload.ts';

test('devices of all tickets are found, opened with their history, downloaded and forgotten; a filter is saved as a view', async ({
  page,
  user,
  signIn,
}) => {
  const serials = knownSerials(6);
  const [serial = ''] = serials;
  const first = await uploadSerials(user, serials);
  const second = await uploadSerials(user, serials.slice(0, 2));
  for (const known of serials) await waitUntilRegistered(user, known);
  await signIn(page, user);
  await page.goto('/dashboard');
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await menu.getByRole('link', { name: 'Devices' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  const rows = page.getByRole('table', { name: 'Devices' }).getByRole('row');
  await expect(rows).toHaveCount(1 + serials.length);
  await expectAccessible(page);
  await takePictures(page, allWidths);

  const chips = page.getByRole('group', { name: 'Show devices' });
  await expect(chips.getByRole('button', { name: /^All/ })).toContainText('6');
  await chips.getByRole('button', { name: 'Never covered' }).click();
  await expect(page).toHaveURL(/never_covered=true/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('button', { name: 'More filters' }).click();
  const source = page.getByRole('combobox', { name: 'Source' });
  await expect(source.getByRole('option', { name: /\(6\)$/ })).toHaveCount(1);
  await source.selectOption({ index: 1 });
  await expect(page).toHaveURL(/source=/);
  await page.getByRole('button', { name: 'Activated', exact: false }).first().click();
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ready for the field team in Surabaya and Makassar');
  await dialog.getByLabel('Share with the company').check();
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await dialog.getByLabel('Name').press('Enter');
  const views = page.getByRole('group', { name: 'Saved views' });
  const view = views.getByRole('button', { name: /^Ready for the field team/ });
  await expect(view).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/view=\d+/);
  await expectAccessible(page);
  await takePictures(page, allWidths);

  await view.click();
  await expect(page).toHaveURL(/devices$/);
  await expect(view).toHaveAttribute('aria-pressed', 'false');
  await view.click();
  await expect(page).toHaveURL(/activation=activated/);
  await page.getByRole('button', { name: 'Change view' }).click();
  await dialog.getByLabel('Name').fill('Field team');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(views.getByRole('button', { name: /^Field team/ })).toBeVisible();
  await page.getByRole('button', { name: 'Change view' }).click();
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await expect(views).toBeHidden();

  await menu.getByRole('link', { name: 'Devices' }).click();
  await expect(rows).toHaveCount(1 + serials.length);
  await page.getByLabel('Search serial numbers').fill(serial.slice(-7));
  await expect(rows).toHaveCount(2);

  await rows.nth(1).getByRole('cell').nth(3).click();
  const panel = page.getByRole('dialog').or(page.getByRole('complementary'));
  await expect(panel.getByRole('heading', { name: 'History' })).toBeVisible();
  const tickets = panel.getByRole('list', { name: 'Tickets' }).getByRole('listitem');
  await expect(tickets).toHaveText(
    [first, second].map((number) => `serials.xlsx #${number} ${user.name}`),
    {
      timeout: 30_000,
    },
  );
  await expect(tickets.getByRole('link', { name: 'serials.xlsx' })).toHaveCount(2);
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await page.keyboard.press('Escape');

  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'JSON' }).click();
  const content = await readFile(await (await saved).path(), 'utf8');
  expect(JSON.parse(content)).toMatchObject([{ serial_number: serial, company_code: user.companyCode }]);

  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Forget all devices that the filters show (1)' }).click();
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText('No device matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(serials.length);
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await expect(page.getByRole('menuitem', { name: /^Forget all/ })).toBeDisabled();
  await expect(page.getByRole('menuitem', { name: /^Forget all/ })).toContainText('Filter or search first');
  await page.keyboard.press('Escape');

  // The bar of the selection stays at the foot of the window, whatever is scrolled.
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
  await expect(bar).toContainText('2 selected');
  await expectAccessible(page);
  await takePictures(page, [360, ...allWidths]);
  for (const size of [
    { width: 1280, height: 400 },
    { width: 390, height: 640 },
    { width: 1920, height: 1200 },
  ]) {
    await page.setViewportSize(size);
    await expect(bar).toBeInViewport({ ratio: 1 });
    const { y, height } = (await bar.boundingBox()) ?? { y: 0, height: 0 };
    expect(size.height - y - height).toBeLessThan(size.width < 640 ? 90 : 30);
  }
  const chosen = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Download' }).click();
  expect((await chosen).suggestedFilename()).toMatch(/^devices_.*\.xlsx$/);
  await bar.getByRole('button', { name: 'Forget' }).click();
  await dialog.getByRole('button', { name: 'Forget' }).click();
  await expect(rows).toHaveCount(serials.length - 2);
  await expect(bar).toHaveCount(0);
});

test('a deletion of all data keeps the devices, or forgets those that no other ticket had', async ({
  page,
  user,
  signIn,
}) => {
  const [kept = '', shared = '', forgotten = ''] = knownSerials(3);
  const first = await uploadAndFinish(user, [kept, shared]);
  const second = await uploadAndFinish(user, [shared, forgotten]);
  for (const known of [kept, shared, forgotten]) await waitUntilRegistered(user, known);
  await signIn(page, user);
  const dialog = page.getByRole('dialog');
  for (const [ticket, ticked] of [
    [second, true],
    [first, false],
  ] as const) {
    await page.goto(`/dashboard/data?ticket=${ticket}`);
    await page.getByRole('button', { name: 'Delete All' }).click();
    await dialog.getByRole('checkbox', { name: 'Also forget these devices' }).setChecked(ticked);
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('link', { name: 'Devices' }).click();
    const rows = page.getByRole('table', { name: 'Devices' }).getByRole('row');
    for (const serial of [kept, shared]) await expect(rows.filter({ hasText: serial })).toHaveCount(1);
    await expect(rows).toHaveCount(3);
  }
});

test('a superadmin finds a device of a client and reads its history, on a phone in the dark by keyboard alone', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const [serial = '', other = ''] = knownSerials(2);
  const ticket = await uploadAndFinish(user, [serial, other]);
  await waitUntilRegistered(user, serial);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, superadmin);
  await page.goto(`/dashboard/devices?company_code=${user.companyCode}`);
  await tabTo(page, page.getByLabel('Search serial numbers'));
  await page.keyboard.type(serial.slice(-7));
  const rows = page.getByRole('table', { name: 'Devices' }).getByRole('row');
  await expect(rows.filter({ hasText: other })).toHaveCount(0);
  await expectAccessible(page);
  await tabAndPress(page, rows.filter({ hasText: serial }).getByRole('button').first());
  const panel = page.getByRole('dialog');
  await expect(panel.getByRole('heading', { name: 'History' })).toBeVisible();
  const tickets = panel.getByRole('list', { name: 'Tickets' });
  await expect(tickets).toHaveText(`serials.xlsx #${ticket} ${user.name}`);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
});
