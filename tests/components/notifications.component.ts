import { getNotifications, putNotifications } from '#features/notifications/notifications.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

test('a user sets from how many rows on an upload is told; a failed save keeps what was typed', async ({
  page,
  api,
  open,
}) => {
  api.answer(getNotifications, { completed: true, from_rows: 1000 });
  api.refuse(putNotifications, 503, 'The database does not answer');
  await open('/dashboard/notifications', 'user');
  const form = page.getByRole('main');
  const rows = form.getByLabel('From so many rows on');
  await expect(form.getByLabel('Tell me when my upload is done')).toBeChecked();
  await rows.fill('50');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('The database does not answer')).toBeVisible();
  await expect(rows).toHaveValue('50');
  api.answer(putNotifications, { completed: false, from_rows: 50 });
  await form.getByLabel('Tell me when my upload is done').uncheck();
  await expectAccessible(page, [390, 1280]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  expect(api.bodiesOf(putNotifications).at(-1)).toEqual({ completed: false, from_rows: 50 });
});

test('a superadmin, who uploads nothing, is told of orders', async ({ page, api, open }) => {
  api.answer(getNotifications, { completed: true, from_rows: 1000 });
  await open('/dashboard/notifications', 'superadmin');
  const screen = page.getByRole('main');
  await expect(screen.getByRole('heading', { name: 'Orders' })).toBeVisible();
  await expect(screen.getByLabel('Tell me when an order that I made is done')).toBeChecked();
  await expect(screen.getByText(/upload/i)).toHaveCount(0);
});
