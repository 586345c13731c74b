import { expect, test } from '#tests/support/browser/test.ts';
import { startReceiver } from '#tests/support/webhooks/receiver.ts';

test('a superadmin creates a webhook, sends a test, and sees it arrive', async ({
  page,
  superadmin,
  signIn,
}) => {
  const receiver = await startReceiver();
  try {
    await signIn(page, superadmin);
    await page.goto('/dashboard/webhooks');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const form = page.getByRole('dialog', { name: 'Create a webhook' });
    await form.getByLabel('Address').fill(receiver.url);
    await form.getByRole('button', { name: 'Create webhook' }).click();
    const shown = page.getByRole('dialog', { name: 'The new secret of your webhook' });
    await expect(shown.getByText(/^whsec_/)).toBeVisible();
    await shown.getByRole('button', { name: 'Done' }).click();
    const host = new URL(receiver.url).host;
    await page.getByRole('button', { name: `Actions for ${host}` }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    const list = page.getByRole('list', { name: 'Deliveries' });
    await expect(list).toContainText('Delivered', { timeout: 15_000 });
    await expect(list).toContainText('Answer 204');
    // Tickets of other companies may end at the same time.
    await expect.poll(() => receiver.received.map(({ json }) => json.type)).toContain('webhook.test');
    await page.goto(`/dashboard/audit?object_name=${host}`);
    const entries = page.getByRole('table', { name: 'Audit Log' }).getByRole('row');
    await expect(entries.nth(1)).toContainText(`Webhook tested${host}`);
    await expect(entries.nth(1)).toContainText('Event: Test');
  } finally {
    await receiver.close();
  }
});
