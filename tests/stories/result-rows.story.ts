import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

/** Presses chips one right behind the other: nothing is drawn in between, as on a busy machine. */
async function pressAtOnce(page: Page, ...names: string[]): Promise<void> {
  // As a text: the checks of the tests know no browser's words.
  await page.evaluate(`(async () => {
    for (const name of ${JSON.stringify(names)}) {
      [...document.querySelectorAll('[aria-pressed]')].find((chip) => chip.textContent.startsWith(name)).click();
      // Lets pending promise callbacks run.
      for (let turn = 0; turn < 100; turn += 1) await undefined;
    }
  })()`);
}

test('a column head sorts rows, the address keeps it, and what is shown or selected is downloaded in that order', async ({
  page,
  user,
  signIn,
}) => {
  const imeis = makeImeis(12);
  const ticket = await uploadAndFinish(user, [...imeis.toReversed(), '356938030010005', 'no serial']);
  await signIn(page, user);
  const table = page.getByRole('table', { name: 'Serial Data' });
  const head = (name: string) => table.getByRole('columnheader', { name, exact: true });
  const first = table.getByRole('row').nth(1).getByRole('cell').nth(1);
  await page.goto(`/dashboard/data?ticket=${ticket}&page=2`);
  await expect(first).toContainText(String(imeis[1]));
  const position = table.locator('[aria-sort]').first();
  await expect(position).toHaveAttribute('aria-sort', 'ascending');
  const names = ['No', 'Serial Number', 'Type', 'Status', 'Warranty', 'Coverage End'];
  await expect(table.locator('[aria-sort]')).toHaveText(names);

  await head('Serial Number').getByRole('button').click();
  await expect(first).toContainText(String(imeis[0]));
  await expect(head('Serial Number')).toHaveAttribute('aria-sort', 'ascending');
  await expect(position).toHaveAttribute('aria-sort', 'none');
  await expect(page).not.toHaveURL(/page=/);
  await head('Serial Number').getByRole('button').press('Enter');
  await expect(first).toContainText('no serial');
  await expect(page).toHaveURL(/sort=serial_number&order=desc/);
  await page.reload();
  await expect(first).toContainText('no serial');
  await expect(head('Serial Number')).toHaveAttribute('aria-sort', 'descending');
  await page.goBack();
  await expect(first).toContainText(String(imeis[0]));

  const askedFor = async (save: () => Promise<void>) => {
    const asked = page.waitForRequest('**/api/imei/download?*');
    const download = page.waitForEvent('download');
    await save();
    const { searchParams } = new URL((await asked).url());
    await (await download).path();
    return Object.fromEntries(searchParams);
  };
  await goWithin(page, `/dashboard/tracker?ticket=${ticket}&sort=serial_number`);
  await expect(first).toContainText(String(imeis[0]));
  await head('Serial Number').getByRole('button').click();
  await expect(first).toContainText('no serial');
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('14');
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Select row 3', exact: true }).click({ modifiers: ['Shift'] });
  const order = { sort: 'serial_number', order: 'desc' };
  expect(
    await askedFor(() =>
      page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Download' }).click(),
    ),
  ).toEqual({
    ticket_number: ticket,
    format: 'excel',
    ...order,
    positions: '1,13-14',
  });

  await goWithin(
    page,
    `/dashboard/data?ticket=${ticket}&state=failed&q=356938&sort=serial_number&order=desc`,
  );
  const dialog = page.getByRole('dialog', { name: 'Download Data' });
  await page.getByRole('button', { name: 'Download what is shown (1)' }).click();
  const option = (name: string) => dialog.getByRole('button', { name, exact: true });
  await expect(option('Download what is shown')).toHaveAccessibleDescription('1 row');
  await expect(option('All Data')).toHaveAccessibleDescription('14 rows');
  await expect(option('Active Only')).toHaveAccessibleDescription(/^\d+ rows?$/);
  await expectAccessible(page);
  await dialog.getByRole('radio', { name: 'JSON (.json)' }).check();
  const filter = { state: 'failed', q: '356938', ...order };
  expect(await askedFor(() => option('Download what is shown').click())).toEqual({
    ticket_number: ticket,
    format: 'json',
    ...filter,
  });
  await expect(dialog).toBeHidden();
});

test('chips with counts, type and warranty filter rows together, and one button clears all', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadAndFinish(user, [...makeImeis(40), '356938030010005']);
  const { counts, values } = await call<{
    counts: Record<string, number> & { reasons: Record<string, number> };
    values: { types: { value: string; count: number }[] };
  }>('GET', `/imei?ticket_number=${ticket}&counts=1`, undefined, await tokenOf(user));
  await signIn(page, user);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('counts=1')) asked.push(request.url());
  });
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const rows = page.getByRole('table', { name: 'Serial Data' }).locator('tbody tr');
  await expect(rows).toHaveCount(10);
  const chips = page.getByRole('group', { name: 'Filter rows' }).getByRole('button');
  await expect(chips).toHaveText([
    'All41',
    `Activated${counts.activated}`,
    `Unactivated${counts.unactivated}`,
    `Unknown${counts.unknown}`,
    `Failed${counts.failed}`,
    // The name for screen readers, then the number on the button.
    `Ends within 30 days30${counts.ending_30}`,
    'Ends within 60 days60',
    'Ends within 90 days90',
    'Ends within 180 days180',
    `Expired${counts.expired}`,
    'Pending0',
  ]);
  const chip = (name: string) => page.getByRole('button', { name: new RegExp(`^${name} \\d+$`) });
  await expect(chip('All')).toHaveAttribute('aria-pressed', 'true');
  await chip('Activated').click();
  await expect(page.getByText(`${counts.activated} of 41 rows`, { exact: true })).toBeVisible();
  await expect(rows.filter({ has: page.getByText('Activated', { exact: true }) })).toHaveCount(
    Math.min(10, Number(counts.activated)),
  );
  await expectAccessible(page);
  await chip('Expired').click();
  await expect(page).toHaveURL(/activation=activated&expired=true$/);
  await expect(chip('Expired')).toHaveAttribute('aria-pressed', 'true');
  await pressAtOnce(page, 'Expired', 'Failed');
  await expect(page).toHaveURL(new RegExp(`ticket=${ticket}&state=failed$`));
  await page.getByRole('button', { name: 'Invalid serial number 1' }).click();
  await expect(rows).toHaveCount(1);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText('1 of 41 rows', { exact: true })).toBeVisible();

  const [common] = values.types;
  const type = page.getByRole('combobox', { name: 'Type' });
  await type.click();
  await page.getByRole('option', { name: `${common?.value} (${common?.count})`, exact: true }).click();
  await expect(page.getByText('No row matches these filters.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(10);
  await expect(page).toHaveURL(new RegExp(`ticket=${ticket}$`));
  await expect(type).toHaveValue('All types');
  expect(asked, 'once for each time that the page was loaded').toHaveLength(2);

  await goWithin(page, `/dashboard/tracker?ticket=${ticket}&state=failed&reason=Invalid+serial+number`);
  await expect(rows).toHaveCount(1);
  await expect(chip('Failed')).toHaveAttribute('aria-pressed', 'true');
});

test('a row opens by a click, Enter or its address, arrows lead on, and a failed one gives its reason', async ({
  page,
  user,
  signIn,
}) => {
  const imeis = makeImeis(11);
  const ticket = await uploadAndFinish(user, [...imeis, '35-6938 03001 0005']);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const table = page.getByRole('table', { name: 'Serial Data' });
  const open = (position: number) => page.getByRole('dialog', { name: `Row ${position}`, exact: true });
  // Rows that are still to come have the same shape, and nothing to open.
  const second = table.getByRole('row').filter({ hasText: String(imeis[1]) });
  await second.getByRole('cell').nth(4).click();
  await expect(open(2)).toContainText(String(imeis[1]));
  await expect(open(2)).toContainText('Sourcesandbox');
  await expect(open(2)).toContainText('Row of the sheet2');
  await expect(page).toHaveURL(/row=2/);
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await expect(open(1)).toBeVisible();
  await expect(open(1).getByRole('button', { name: 'Previous row' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(open(1)).toHaveCount(0);
  await expect(page).not.toHaveURL(/row=/);

  await page.getByLabel('Rows per page').selectOption('50');
  await table.getByRole('button', { name: 'Open row 11' }).click();
  await expect(open(11)).toContainText(String(imeis[10]));
  await page.keyboard.press('ArrowDown');
  const invalid = open(12);
  await expect(invalid.getByRole('button', { name: 'Next row' })).toBeDisabled();
  await expect(invalid).toContainText('Invalid serial number');
  await expect(invalid).toContainText('The check digit is wrong');
  await expect(invalid).toContainText('Correct the cell in your file and upload it again.');
  await expect(invalid).toContainText('35-6938 03001 0005');
  await page.keyboard.press('ArrowUp');
  await open(11).getByRole('button', { name: 'Previous row' }).click();
  await expect(open(10)).toBeVisible();
  await page.keyboard.press('Escape');
  const failed = table.getByRole('row').nth(12);
  await expect(failed.getByTitle('The check digit is wrong')).toHaveText('Invalid serial number');
  await page.getByLabel('Language').selectOption('id');
  const translated = page.getByRole('table').getByRole('row').nth(12).getByTitle('Digit pemeriksa salah');
  await expect(translated).toHaveText('Nomor seri tidak valid');
  await page.getByLabel('Bahasa', { exact: true }).selectOption('en');
  await table.getByRole('button', { name: 'Open row 11' }).click();
  await expect(open(11)).toContainText(String(imeis[10]));
  await expect(page).toHaveURL(/row=11/);

  // Beside the list where there is room; an address opens a row that is on no page in sight.
  await page.setViewportSize({ width: 1920, height: 1080 });
  await goWithin(page, `/dashboard/tracker?ticket=${ticket}&row=12`);
  const beside = page.getByRole('region', { name: 'Row 12', exact: true });
  await expect(beside).toContainText('The check digit is wrong');
  await table.getByRole('button', { name: 'Open row 3' }).press('Enter');
  const third = page.getByRole('region', { name: 'Row 3', exact: true });
  await expect(third).toContainText(String(imeis[2]));
  await expect(table.locator('[aria-current]')).toContainText(String(imeis[2]));
  await expectAccessible(page);
  await third.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('region', { name: /^Row/ })).toHaveCount(0);
});
