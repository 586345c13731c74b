import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { admin, call, tokenOf } from '#tests/support/stories/api.ts';
import { uploadAndFinish, uploadSerials } from '#tests/support/stories/upload.ts';

test('the tracker without a ticket keeps the one shown and its selection when a newer one arrives', async ({
  page,
  user,
  signIn,
}) => {
  const first = await uploadAndFinish(user, makeImeis(15));
  await signIn(page, user);
  await page.goto('/dashboard/tracker');
  const heading = page.getByRole('heading', { name: `serials.xlsx #${first}` });
  await expect(heading).toBeVisible();
  const second = await uploadAndFinish(user, makeImeis(3, '86312388'));
  await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${second}.`)).toBeVisible();
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/tracker$/);

  await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`tracker\\?ticket=${first}$`));
  await expect(page.getByRole('button', { name: 'JSON (.json)' })).toBeVisible();
  const third = await uploadAndFinish(user, makeImeis(2, '86312377'));
  await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${third}.`)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select row 2', exact: true })).toBeChecked();
  await page.getByRole('link', { name: `Open ticket ${third}` }).click();
  await expect(page.getByRole('heading', { name: `serials.xlsx #${third}` })).toBeVisible();
  await expect(page.getByText('A newer ticket has arrived')).toHaveCount(0);
});

test('uploaded data keeps the ticket shown and an open dialog when a newer one arrives', async ({
  page,
  user,
  signIn,
}) => {
  const first = await uploadAndFinish(user, makeImeis(12));
  await signIn(page, user);
  await page.goto('/dashboard/data?view=uploaded');
  await page.getByRole('button', { name: 'Delete All' }).click();
  const question = page.getByRole('dialog', { name: `Delete all data of serials.xlsx #${first}` });
  await expect(question).toBeVisible();
  const second = await uploadAndFinish(user, makeImeis(3, '86312388'));
  await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${second}.`)).toBeVisible();
  await expect(question).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  const rows = page.getByRole('table', { name: 'Uploaded Data' }).getByRole('row');
  await expect(rows).toHaveCount(11);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: '2' }).click();
  await expect(page).toHaveURL(new RegExp(`ticket=${first}`));
  await expect(rows).toHaveCount(3);
  await page.getByRole('link', { name: `Open ticket ${second}` }).click();
  await expect(page).toHaveURL(new RegExp(`view=uploaded&ticket=${second}$`));
  await expect(rows).toHaveCount(4);
});

test('Data Management keeps the ticket of an open row, of a selection and in another language when a newer one arrives', async ({
  page,
  user,
  signIn,
}) => {
  const serials = makeImeis(15);
  const first = await uploadAndFinish(user, serials);
  await signIn(page, user);
  await page.goto('/dashboard/data');
  const current = page.getByRole('region', { name: 'Current ticket' });
  // Found by its serial: until the rows are read, empty ones stand in their place.
  const row = page.getByRole('row').filter({ hasText: serials[2] ?? '' });
  await row.getByRole('cell').nth(4).click();
  await expect(page).toHaveURL(/row=3/);
  const second = await uploadAndFinish(user, makeImeis(4, '86312388'));
  const announced = page.getByText(`A newer ticket has arrived: serials.xlsx #${second}.`);
  await expect(announced).toBeVisible();
  await expect(current).toContainText(first);
  await expect(page).toHaveURL(new RegExp(`ticket=${first}&row=3$`));
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: `Open ticket ${second}` }).click();
  await expect(current).toContainText(second);
  await expect(announced).toHaveCount(0);

  await page.getByRole('link', { name: 'Data Management' }).click();
  await expect(page).toHaveURL(/data$/);
  // The newest ticket is read, and the same one is shown before and after.
  await settled(page);
  await expect(current).toContainText(second);
  const third = await uploadAndFinish(user, makeImeis(1, '86312377'));
  await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${third}.`)).toBeVisible();
  const read = page.waitForResponse(/\/api\/imei\?/);
  await page.getByLabel('Language').selectOption('id');
  await read;
  await expect(page.getByRole('columnheader', { name: 'Nomor Seri' })).toBeVisible();
  await expect(page.getByText(`Ada tiket yang lebih baru: serials.xlsx #${third}.`)).toBeVisible();
  await page.getByLabel('Bahasa', { exact: true }).selectOption('en');
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`data\\?ticket=${second}$`));
});

test('an order that is filled while Data Management is open is announced as newer', async ({
  page,
  user,
  signIn,
}) => {
  const shown = await uploadAndFinish(user, makeImeis(12));
  const order = { data_count: 3, company_code: user.companyCode };
  const { ticket } = await call<{ ticket: { ticket_number: string } }>(
    'POST',
    '/tickets',
    order,
    await tokenOf(admin()),
  );
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${shown}`);
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText(shown);
  // The tickets are read, and the order is one of them.
  await settled(page);
  await expect(page.getByText('A newer ticket has arrived')).toHaveCount(0);
  await uploadSerials(user, makeImeis(3, '86312388'), ticket.ticket_number);
  const filled = `A newer ticket has arrived: serials.xlsx #${ticket.ticket_number}.`;
  await expect(page.getByText(filled)).toBeVisible();
});
