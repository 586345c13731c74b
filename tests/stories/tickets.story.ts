import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { chooseTyped } from '#tests/support/browser/combobox.ts';
import { figuresOf } from '#tests/support/browser/figures.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeUser } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { cardOf, knownSerials, listOf, order } from '#tests/support/stories/tickets.ts';
import { uploadAndFinish, uploadSerials } from '#tests/support/stories/upload.ts';

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('tickets are shown as compact cards or a dense list, with their results and what can be done', async ({
  page,
  user,
}) => {
  const good = await uploadAndFinish(user, knownSerials(3));
  const mixed = await uploadAndFinish(user, [...knownSerials(2), '356938030010005', 'no identifier']);
  await page.goto(listOf(user));
  const whole = cardOf(page, good);
  await expect(whole.getByText('All 3 items were processed successfully.')).toBeVisible();
  await expect(whole.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  await expect(whole.getByRole('button', { name: 'Delete' })).toBeDisabled();
  await expect(whole.getByRole('button', { name: 'Delete' })).toHaveAccessibleDescription(
    `Ticket ${good} Completed tickets cannot be deleted`,
  );
  // Retry cannot be used, so it is only in the menu, with its reason.
  await expect(whole.getByRole('button', { name: 'Retry' })).toHaveCount(0);
  const half = cardOf(page, mixed);
  const counts = '2 done · 2 failed · 4';
  await expect(half.getByText(counts, { exact: true })).toBeVisible();
  await expect.poll(async () => (await half.boundingBox())?.height).toBeLessThan(280);
  await expect(half.getByRole('img')).toHaveCount(0);
  await expect(half.getByRole('table')).toHaveCount(0);
  await expect(half.getByText('2 items failed.', { exact: true })).toBeVisible();
  await expect(half.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '100');
  // One red part of the bar for what failed.
  await expect(half.getByRole('progressbar').locator('> *')).toHaveCount(2);
  await expect(page.getByRole('heading', { level: 2, name: `Ticket ${mixed}` })).toBeVisible();
  await expect(half.getByText('Rp 1.600', { exact: true })).toHaveCount(2);
  // An invalid cell and a device that no source knows stay what they are.
  await half.getByRole('button', { name: `Actions for ticket ${mixed}` }).click();
  const menu = page.getByRole('menuitem');
  const retry = 'RetryThese failures are final; a retry would look up no row';
  await expect(menu).toHaveText([retry, 'Compare']);
  await expect(page.getByRole('menuitem', { name: 'Retry' })).toBeDisabled();
  await page.keyboard.press('Escape');

  await page.getByRole('radiogroup', { name: 'View' }).getByText('List', { exact: true }).click();
  await expect(page.getByRole('radio', { name: 'List' })).toBeChecked();
  const row = page.getByRole('table', { name: 'List of tickets' }).getByRole('row').nth(1);
  await expect(row).toContainText(counts);
  await expect(row.getByTitle('2 items failed.')).toHaveText('2 items failed.');
  const told = page.getByTitle('All 3 items were processed successfully.').getByText(/^All 3/);
  const beside = 'return element.scrollWidth - element.clientWidth;';
  // A narrower list cuts it, with the whole text as a tooltip.
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect.poll(() => runOn<number>(told, beside), 'pixels cut').toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(row).toContainText('Rp 1.600');
  // All of it stands in sight beside the open menu.
  const scroller = page.getByRole('group', { name: 'List of tickets' });
  await expect.poll(() => runOn<number>(scroller, beside)).toBe(0);
  // The choice is remembered.
  await page.goto(listOf(user));
  await expect(row).toContainText('Completed');
  await row.getByRole('button', { name: `Actions for ticket ${mixed}` }).click();
  await expect(menu).toHaveText(['Edit', retry, 'Compare', 'DeleteCompleted tickets cannot be deleted']);
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await expect(page.getByRole('dialog', { name: `Edit Ticket ${mixed}` })).toBeVisible();
});

test('a ticket is deleted after a question; a running one is cancelled and retried before', async ({
  page,
  user,
  superadmin,
}) => {
  const ordered = await order(user, superadmin, 12);
  await page.goto(listOf(user));
  const empty = cardOf(page, ordered);
  await empty.getByRole('button', { name: 'Cancel Ticket' }).click();
  const cancelling = page.getByRole('dialog', { name: `Cancel Order of 12 #${ordered}?` });
  await expect(cancelling).toContainText('No data has been uploaded into this ticket.');
  await expectAccessible(page);
  await cancelling.getByRole('button', { name: 'Keep it' }).click();
  await expect(cancelling).toHaveCount(0);
  await empty.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete Order of 12 #${ordered}?` });
  await expect(dialog.getByText('The ticket has no rows and no results.', { exact: true })).toBeVisible();
  const question = 'Are you sure you want to delete this ticket? This action cannot be undone.';
  await expect(dialog.getByText(question, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(empty).toBeVisible();
  const deletion = await holdRequests(page, 'DELETE', '**/api/tickets/*');
  await empty.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete Ticket' }).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  deletion.letGo();
  await expect(empty).toHaveCount(0);
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();

  const number = await uploadSerials(user, knownSerials(20_000));
  const card = cardOf(page, number);
  await expect(card.getByText('Processing', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Cancel Ticket' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Ticket' }).click();
  await expect(card.getByText('Cancelled', { exact: true })).toBeVisible();
  await expect(card.getByText('Processing was cancelled.', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText(`serials.xlsx #${number} is being processed again.`)).toBeVisible();
  await expect(card.getByRole('button', { name: 'Cancel Ticket' })).toBeVisible();
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Ticket' }).click();
  await expect(card).toHaveCount(0);
});

test('tabs and the company filter narrow the ticket list and are kept in the address', async ({
  page,
  user,
  superadmin,
}) => {
  const other = await makeUser();
  const number = await order(user, superadmin, 5);
  await order(other, superadmin, 6);
  await page.goto('/dashboard/tickets');
  const tabs = page.getByRole('tab');
  await expect(tabs).toHaveText(['All', 'Pending', 'Processing', 'Completed', 'Cancelled']);
  await expect(page.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true');

  const filter = page.getByRole('combobox', { name: 'Filter by code' });
  await expect(filter).toHaveValue('All Code');
  await filter.click();
  await expect(page.getByRole('listbox').getByRole('option').first()).toHaveText('All Code');
  await chooseTyped(page, String(user.companyCode));
  await expect(page).toHaveURL(new RegExp(`code=${user.companyCode}`));
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(cardOf(page, number)).toBeVisible();
  const figures = page.getByRole('region', { name: 'Tickets by status' });
  await expect(figuresOf(figures)).toHaveText(['Total1', 'Pending1', 'Processing0', 'Completed0']);

  await page.getByRole('tab', { name: 'Completed' }).click();
  await expect(page).toHaveURL(/status=Completed/);
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Cancelled' })).toBeFocused();
  await expect(page).toHaveURL(/status=Cancelled/);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`code=${user.companyCode}$`));
  await expect(cardOf(page, number)).toBeVisible();
  await page.reload();
  await expect(cardOf(page, number)).toBeVisible();
});
