import { getNotifications, putNotifications } from '#features/notifications/notifications.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
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

test('a save keeps what was changed in another tab, whether the screen has read it or not', async ({
  page,
  api,
  open,
}) => {
  api.answer(getNotifications, { completed: true, from_rows: 1000 });
  await open('/dashboard/notifications', 'user');
  const form = page.getByRole('main');
  const completed = form.getByLabel('Tell me when my upload is done');
  await expect(completed).toBeChecked();
  await form.getByLabel('From so many rows on').fill('50');
  api.answer(getNotifications, { completed: false, from_rows: 1000 });
  api.answer(putNotifications, { completed: false, from_rows: 50 });
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  await expect(completed).not.toBeChecked();
  expect(api.bodiesOf(putNotifications)).toEqual([{ completed: false, from_rows: 50 }]);
  api.answer(getNotifications, { completed: true, from_rows: 20 });
  await expect(async () => {
    await lookAgain(page);
    await expect(completed).toBeChecked({ timeout: 500 });
  }).toPass();
  await expect(form.getByLabel('From so many rows on')).toHaveValue('20');
});
