import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test('serials are copied by their buttons, their boxes and keys; a selection keeps rows of other pages, a range none', async ({
  page,
  context,
  user,
  signIn,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const imeis = makeImeis(25);
  const ticket = await uploadAndFinish(user, imeis);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const results = page.getByRole('table', { name: 'Serial Data' });
  await expect(results.getByRole('row')).toHaveCount(11);
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
  await results.getByRole('button', { name: `Copy ${imeis[3]}` }).click();
  await expect.poll(copied).toBe(imeis[3]);
  await expect(page.getByText('Copied!')).toBeVisible();

  await results.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
  await results.getByRole('checkbox', { name: 'Select row 5' }).click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected')).toBeVisible();
  await expectAccessible(page);
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(copied).toBe(imeis.slice(1, 5).join('\n'));
  const copiedHtml = () =>
    page.evaluate<string>(
      `navigator.clipboard.read().then(([item]) => item.getType('text/html')).then((blob) => blob.text())`,
    );
  expect(await copiedHtml()).toContain(`mso-number-format`);
  await bar.getByRole('button', { name: 'Clear selection' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByText('4 selected')).toHaveCount(0);

  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await expect(results.getByRole('row').nth(2)).toBeFocused();
  await page.keyboard.press('c');
  await expect.poll(copied).toBe(imeis[1]);
  await page.keyboard.press('x');
  await expect(results.getByRole('checkbox', { name: 'Select row 2', exact: true })).toBeChecked();
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help).toContainText('Next row, previous row');
  const singleKeys = help.getByRole('checkbox', { name: 'Single-key shortcuts' });
  await singleKeys.uncheck();
  await page.keyboard.press('Escape');
  await expect(help).toHaveCount(0);
  const row = results.getByRole('checkbox', { name: 'Select row 2', exact: true });
  for (const key of ['x', '/', '?']) await page.keyboard.press(key);
  await expect(row).toBeChecked();
  await expect(page.getByRole('searchbox')).not.toBeFocused();
  await expect(help).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: user.email }).click();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await singleKeys.check();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await results.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await expect(bar).toContainText('10 selected');
  await bar.getByRole('button', { name: 'Clear selection' }).click();

  const box = (row: number) => page.getByRole('checkbox', { name: `Select row ${row}`, exact: true });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const next = pages.getByRole('button', { name: 'Next page' });
  await box(2).check();
  await next.press('Enter');
  await expect(box(12)).toBeVisible();
  await pages.getByRole('button', { name: 'Previous page' }).click();
  await box(9).click({ modifiers: ['Shift'] });
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
  await next.press('Enter');
  await box(14).click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected (2 not on this page)')).toBeVisible();
  await expect(box(13)).not.toBeChecked();
  await pages.getByRole('button', { name: 'Previous page' }).click();
  await expect(box(9)).toBeChecked();
  await box(4).click({ modifiers: ['Shift'] });
  await expect(page.getByText('4 selected (1 not on this page)')).toBeVisible();
  const asked = page.waitForRequest('**/api/imei/download?*');
  await bar.getByRole('button', { name: 'Download' }).click();
  expect(new URL((await asked).url()).searchParams.get('positions')).toBe('2,4,9,14');

  // The focus stays on the pager at the last page.
  await next.press('Enter');
  await expect(box(11)).toBeVisible();
  await next.press('Enter');
  await expect(box(25)).toBeVisible();
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();

  // Marked and copied by hand, a serial is text to a spreadsheet, too.
  await page.getByText(String(imeis[24]), { exact: true }).selectText();
  await page.keyboard.press('ControlOrMeta+c');
  await expect.poll(copiedHtml).toContain(String(imeis[24]));
  expect(await copiedHtml()).toContain('mso-number-format');
});
