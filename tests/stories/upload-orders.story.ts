import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { admin, call, tokenOf } from '#tests/support/stories/api.ts';
import { failWordless, holdRequests } from '#tests/support/stories/hold.ts';
import { followMenu, sheetFile, uploadSerials } from '#tests/support/stories/upload.ts';

test.describe('an order that waits for its rows', () => {
  test.use({ allowedComplaints: [/status of (409|500)/] });

  test('orders that could not be read block the upload until Retry; one that a colleague filled stays chosen until another is', async ({
    page,
    user,
    signIn,
  }) => {
    const token = await tokenOf(admin());
    const order = { data_count: 50, company_code: user.companyCode };
    const { ticket } = await call<{ ticket: { _id: string; ticket_number: string } }>(
      'POST',
      '/tickets',
      order,
      token,
    );
    const number = ticket.ticket_number;
    const terms = { data_count: 50, discount: 20, current_dollar_price: 16_000 };
    await call('PUT', `/tickets/${ticket._id}`, terms, token);
    await signIn(page, user);
    const orders = '**/api/tickets/find*';
    // Its answer would repeat the read before Retry is pressed.
    const polls = await holdRequests(page, 'GET', '**/api/tickets/activity*');
    await failWordless(page, orders);
    await page.goto('/dashboard/upload');
    await page.locator('input[type=file]').setInputFiles(sheetFile('order.xlsx', makeImeis(2)));
    await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
    const send = page.getByRole('button', { name: 'Upload File' });
    await expect(send).toBeDisabled();
    await expectAccessible(page);
    await page.unroute(orders);
    await page.getByRole('button', { name: 'Retry' }).click();
    const select = page.getByLabel('Upload into');
    await expect(select).toHaveValue(number);
    await expect(select.getByRole('option')).toHaveText(['New ticket', `Order of 50 #${number}`]);
    await expect(select).toHaveAccessibleDescription('Price per data: Rp 800 · Discount (20%)');
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('Rp 1.280');
    // A change is one since the first poll's answer.
    const polled = page.waitForResponse('**/api/tickets/activity*');
    polls.letGo();
    await polled;
    // Orders that were read before may be filled meanwhile: they do not count once a later read failed.
    await failWordless(page, orders);
    await call('PUT', `/tickets/${ticket._id}`, { ...terms, data_count: 51 }, token);
    await expect(page.getByRole('alert')).toContainText('Failed to fetch data');
    await expect(send).toBeDisabled();
    // Pressed while the read still fails: a poll that succeeds takes the button away.
    const repeated = page.waitForRequest(orders);
    await page.getByRole('button', { name: 'Retry' }).click();
    await repeated;
    await page.unroute(orders);
    await send.click();
    await expect(page.getByText(`Successfully imported 2 records. Ticket: ${number}`)).toBeVisible();

    const next = await call<{ ticket: { ticket_number: string } }>('POST', '/tickets', order, token);
    const filled = next.ticket.ticket_number;
    await page.goto('/dashboard/upload');
    await select.selectOption({ label: `Order of 50 #${filled}` });
    await page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', makeImeis(2)));
    await uploadSerials(user, makeImeis(3), filled);
    await followMenu(page, 'Home');
    await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
    await followMenu(page, 'Upload Data');
    await expect(select.getByRole('option')).toHaveText(['New ticket', `Ticket ${filled}`]);
    await expect(select).toHaveValue(filled);
    await send.click();
    await expect(page.getByRole('alert')).toContainText('a Pending ticket that is still empty');
    await select.selectOption({ label: 'New ticket' });
    await send.click();
    await expect(page.getByText(/^Successfully imported 2 records/)).toBeVisible();
  });
});
