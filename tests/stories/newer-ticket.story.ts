import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

test('the tracker without a ticket keeps the one shown and its selection when a newer one arrives', async ({
  page,
  user,
  signIn,
}) => {
  const first = await uploadAndFinish(user, makeImeis(15));
  await signIn(page, user);
  await page.goto('/dashboard/tracker');
  const heading = page.getByRole('heading', { name: `Ticket ${first}`, exact: true });
  await expect(heading).toBeVisible();
  const second = await uploadAndFinish(user, makeImeis(3, '86312388'));
  await expect(page.getByText(`A newer ticket has arrived: ${second}.`)).toBeVisible();
  await expect(heading).toBeVisible();
  await expect(page).toHaveURL(/tracker$/);

  await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`tracker\\?ticket=${first}$`));
  await expect(page.getByRole('button', { name: 'JSON (.json)' })).toBeVisible();
  const third = await uploadAndFinish(user, makeImeis(2, '86312377'));
  await expect(page.getByText(`A newer ticket has arrived: ${third}.`)).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Select row 2', exact: true })).toBeChecked();
  await page.getByRole('link', { name: `Open ticket ${third}` }).click();
  await expect(page.getByRole('heading', { name: `Ticket ${third}`, exact: true })).toBeVisible();
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
  const question = page.getByRole('dialog', { name: `Delete all data of ticket ${first}` });
  await expect(question).toBeVisible();
  const second = await uploadAndFinish(user, makeImeis(3, '86312388'));
  await expect(page.getByText(`A newer ticket has arrived: ${second}.`)).toBeVisible();
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

test('a selection puts its ticket into the address of Data Management', async ({ page, user, signIn }) => {
  const ticket = await uploadAndFinish(user, makeImeis(3));
  await signIn(page, user);
  await page.goto('/dashboard/data');
  await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
  await expect(page).toHaveURL(new RegExp(`data\\?ticket=${ticket}$`));
});
