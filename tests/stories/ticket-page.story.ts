import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { figuresOf } from '#tests/support/browser/figures.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { onBothWidths, openAs } from '#tests/support/browser/open-as.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { patchAnswers } from '#tests/support/stories/hold.ts';
import { sheetFile, uploadAndFinish, uploadSerials } from '#tests/support/stories/upload.ts';

test('a ticket’s page has progress, results, uploaded rows, import report, price and history', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const serials = makeImeis(3);
  const [first = ''] = serials;
  const number = await uploadAndFinish(user, [...serials, first, 'no serial at all!']);
  await signIn(page, user);
  await page.goto(`/dashboard/tickets/${number}`);
  await expect(page.getByRole('heading', { level: 1, name: `serials.xlsx #${number}` })).toBeVisible();
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveText(['Overview', 'Results', 'Uploaded', 'Import report', 'Price', 'History']);
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '100');
  // As the workbook tells it.
  await expect(figuresOf(page).filter({ hasText: 'Total Price' })).toContainText(/Rp\s\d/);
  await expectAccessible(page);
  // Each reason of failures links to its rows.
  const failures = page.getByRole('region', { name: 'Failed rows' });
  await expect(failures).toContainText(/^[1-4] failed: /);
  await failures.getByRole('link', { name: 'Invalid serial number 1', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+&state=failed&reason=Invalid/);
  const rows = page.getByRole('table', { name: 'Serial Data' });
  await expect(rows.getByRole('row', { name: 'no serial at all!' })).toBeVisible();
  await expect(rows.getByRole('row', { name: first })).toHaveCount(0);
  await page.goBack();
  const failed = page.waitForEvent('download');
  await failures.getByRole('button', { name: 'Download' }).click();
  expect((await failed).suggestedFilename()).toMatch(/_failed_/);

  await tabs.getByText('Results').click();
  await expect(
    page.getByRole('table', { name: 'Serial Data' }).getByRole('row', { name: first }),
  ).toBeVisible();
  await tabs.getByText('Uploaded').click();
  await expect(
    page.getByRole('table', { name: 'Uploaded Data' }).getByRole('row', { name: first }),
  ).toBeVisible();
  await tabs.getByText('Import report').click();
  await expect(page.getByText('3 valid · 1 invalid · 1 duplicate', { exact: true })).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download invalid and duplicate cells' }).click();
  await saved;
  await tabs.getByText('History').click();
  await expect(page.getByRole('definition').filter({ hasText: /\d/ })).toHaveCount(4);
  await expect(page.getByRole('img', { name: /rows finished/i })).toBeVisible();
  await page.getByText('Show as table').click();
  await expect(page.getByRole('columnheader', { name: 'Rows finished' })).toBeVisible();
  await expectAccessible(page);

  // The same address, read by a superadmin.
  await openAs(page, superadmin, `/dashboard/tickets/${number}`);
  const total = figuresOf(page).filter({ hasText: 'Total Price' }).getByRole('link');
  await expect(total).toHaveText(/^Rp\s[\d.]+$/);
  // An invalid cell stays what it is: nothing of this ticket would be looked up again.
  await settled(page);
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry', exact: true })).toHaveCount(0);
  await total.click();
  await expect(page.getByRole('tab', { name: 'Price' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('Subtotal')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Edit' })).toBeVisible();
});

test('a ticket is compared with the check before in two presses from Home, the older one first', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  const [left = '', both = '', joined = ''] = makeImeis(3);
  const older = await uploadAndFinish(user, [left, both]);
  const newer = await uploadAndFinish(user, [both, joined]);
  await signIn(page, user);
  await page.goto('/dashboard');
  await page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: `#${newer}` })
    .first()
    .getByRole('link', { name: 'serials.xlsx' })
    .click();
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: `Compare tickets ${older} and ${newer}` }),
  ).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Changes' })).toHaveAttribute('aria-selected', 'true');
  const rows = page.getByRole('table', { name: 'Changed devices' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: left })).toContainText('Removed');
  await expect(rows.filter({ hasText: joined })).toContainText('Added');
  await page.getByRole('button', { name: 'Added 1' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/compare\?kind=added$/);
  await expectAccessible(page);
  for (const [format, ending] of [
    ['Excel (.xlsx)', 'xlsx'],
    ['JSON', 'json'],
  ] as const) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: format }).click();
    expect((await saved).suggestedFilename()).toBe(`changes_${older}_${newer}.${ending}`);
  }
  await rows.getByRole('link', { name: joined }).click();
  await expect(page).toHaveURL(new RegExp(`/tickets/${newer}\\?view=results&q=${joined}$`));
  await expect(
    page.getByRole('table', { name: 'Serial Data' }).getByRole('row', { name: joined }),
  ).toBeVisible();

  for (const [account, width] of [[user, 390], ...onBothWidths(administrator, superadmin)] as const) {
    await openAs(page, account, `/dashboard/tickets/${newer}/compare`, width);
    await expect(rows.filter({ hasText: left })).toContainText('Removed');
    await expect(rows.filter({ hasText: joined })).toContainText('Added');
    // A card has no row of heads.
    await expect(rows).toHaveCount(width === 390 ? 2 : 3);
    const kinds = page.getByRole('group', { name: 'Show changes' });
    await expect(kinds.getByRole('button', { name: 'Added 1' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Excel (.xlsx)' })).toBeVisible();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    if (account !== superadmin) continue;
    // Only users check devices again.
    await rows.filter({ hasText: joined }).getByRole('checkbox').check();
    const selection = page.getByRole('region', { name: 'Selection' });
    await expect(selection).toBeVisible();
    await expect(selection.getByRole('button', { name: 'Check again' })).toHaveCount(0);
  }
});

test('two tickets are compared, with counts that link to their rows, and the price', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const serials = makeImeis(4);
  const [one = '', two = '', three = '', four = ''] = serials;
  const october = await uploadAndFinish(user, [...serials.slice(0, 3), 'no serial at all!']);
  const november = await uploadAndFinish(user, serials.slice(2));
  await signIn(page, user);
  await page.goto(`/dashboard/tickets/${october}`);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Compare ticket ${october}` })).toBeVisible();
  await expect(page.getByText('Choose the ticket to compare with')).toBeVisible();
  await page.getByRole('combobox', { name: 'Compare with' }).click();
  await page.getByRole('option', { name: `serials.xlsx #${november}` }).click();
  await expect(page).toHaveURL(new RegExp(`/tickets/${october}/compare\\?with=${november}$`));
  await expect(
    page.getByRole('heading', { level: 1, name: `Compare tickets ${october} and ${november}` }),
  ).toBeVisible();
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  await expect(row('Total Rows').getByRole('cell')).toHaveText(['4', '2', '−2']);
  await expect(row('Total Price').getByRole('cell').first()).toHaveText(/^Rp\s\d/);
  const shared = page.getByRole('region', { name: 'Shared serial numbers' });
  await expect(shared.getByRole('term')).toHaveText([
    `Only in ticket ${october}`,
    'In both tickets',
    `Only in ticket ${november}`,
  ]);
  await expect(shared.getByRole('definition')).toHaveText(['2', '1', '1']);
  await expectAccessible(page);
  const rows = page.getByRole('table', { name: 'Serial Data' });
  await page.getByRole('tab', { name: 'In both tickets' }).click();
  await expect(rows.getByRole('row')).toHaveCount(2);
  await expect(rows.getByRole('row', { name: three })).toBeVisible();
  await page.getByRole('tab', { name: `Only in ticket ${october}` }).click();
  await expect(rows.getByRole('row', { name: one })).toBeVisible();
  await expect(rows.getByRole('row', { name: two })).toBeVisible();
  await expect(rows.getByRole('row')).toHaveCount(3);
  const part = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Excel (.xlsx)' }).click();
  expect((await part).suggestedFilename()).toMatch(new RegExp(`^imei_${october}_.*xlsx$`));
  await page.getByRole('tab', { name: `Only in ticket ${november}` }).click();
  await expect(rows.getByRole('row', { name: four })).toBeVisible();
  await row('Failed').getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(`/tickets/${october}\\?view=results&state=failed$`));
  await expect(
    page.getByRole('table', { name: 'Serial Data' }).getByRole('row', { name: 'no serial at all!' }),
  ).toBeVisible();

  // The same comparison, read by a superadmin.
  // Opened from the newer one, the older stands first nevertheless.
  await openAs(page, superadmin, `/dashboard/tickets/${november}/compare?with=${october}`);
  await expect(
    page.getByRole('heading', { level: 1, name: `Compare tickets ${october} and ${november}` }),
  ).toBeVisible();
  await expect(row('Total Rows').getByRole('cell')).toHaveText(['4', '2', '−2']);
  await expect(shared.getByRole('definition')).toHaveText(['2', '1', '1']);

  // On a phone, long names of their files are shown whole.
  const file = 'Laporan garansi seluruh perangkat kuartal keempat.xlsx';
  await patchAnswers<{ first: { ticket: { file_name: string } } }>(
    page,
    '**/api/tickets/compare?*',
    (answer) => {
      answer.first.ticket.file_name = file;
    },
  );
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const name = page.getByText(file);
  await expect.poll(() => name.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
});

test.describe('a ticket that is not there', () => {
  test.use({ allowedComplaints: [/status of 40[04]/] });

  test('a missing ticket is called missing, without a Retry that cannot succeed', async ({
    page,
    user,
    signIn,
  }) => {
    const ticket = await uploadSerials(user, makeImeis(1));
    await signIn(page, user);
    await page.goto('/dashboard/change-password');
    for (const path of ['abc', '999999/compare']) {
      await goWithin(page, `/dashboard/tickets/${path}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
      await expect(page.getByText(`There is no ticket ${path.split('/')[0]}.`)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    }
    await goWithin(page, `/dashboard/tickets/${ticket}/compare?with=999999`);
    await expect(page.getByText('There is no ticket 999999. It may have been deleted.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    for (const [place, number] of [
      ['tracker?', 'abc'],
      ['tracker?view=standalone&', '999999'],
      ['data?', '999999'],
      ['data?view=uploaded&', 'abc'],
    ]) {
      await goWithin(page, `/dashboard/${place}ticket=${number}`);
      await expect(page.getByText(`There is no ticket ${number}. It may have been deleted.`)).toBeVisible();
      await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0);
    }
  });
});

test('a ticket’s page on a narrow phone shows all tabs, which keys choose without history entries, and a long file name', async ({
  page,
  user,
  signIn,
}) => {
  const ticket = await uploadSerials(user, makeImeis(1));
  await signIn(page, user);
  await patchAnswers<{ ticket: { file_name: string } }>(page, '**/api/tickets/by-number?*', (answer) => {
    answer.ticket.file_name = `laporan_garansi_${'perangkat_'.repeat(8)}2026.xlsx`;
  });
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(`/dashboard/tickets/${ticket}?view=history`);
  const tabs = page.getByRole('tablist', { name: 'Views of the ticket' }).getByRole('tab');
  await expect(tabs).toHaveCount(6);
  for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBe(0);

  const chosen = page.getByRole('tab', { selected: true });
  await expect(chosen).toHaveText('History');
  await page.getByRole('tab', { name: 'Uploaded' }).click();
  await expect(chosen).toHaveText('Uploaded');
  for (const [key, name] of [
    ['End', 'History'],
    ['ArrowRight', 'Overview'],
    ['ArrowLeft', 'History'],
    ['Home', 'Overview'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(chosen).toHaveText(name);
    await expect(chosen).toBeFocused();
  }
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toBeVisible();
  await page.goBack();
  await expect(chosen).toHaveText('History');
});

test('a ticket with a long file name makes no screen wider than a phone', async ({ page, user, signIn }) => {
  const file = `Laporan ${'garansi perangkat '.repeat(6)}2026.xlsx`;
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  await page.locator('input[type=file]').setInputFiles(sheetFile(file, makeImeis(1)));
  await page.getByRole('button', { name: 'Upload File', exact: true }).click();
  await expect(page).toHaveURL(/ticket=\d+/);
  const ticket = new URL(page.url()).searchParams.get('ticket');
  for (const screen of ['', `/tracker?ticket=${ticket}`, `/tickets/${ticket}`]) {
    await page.goto(`/dashboard${screen}`);
    await expect(page.getByRole('main').getByText(file).first()).toBeVisible();
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    await expect.poll(overflow, { message: `pixels out of sight on ${screen}` }).toBeLessThanOrEqual(0);
  }
});
