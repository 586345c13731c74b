import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { readNewestMail } from '#tests/support/stories/outbox.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

// The mail is made up to a minute after the end of the ticket.
test.setTimeout(240_000);

test('a user asks for mails about small uploads, and the mail leads to the ticket', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/notifications');
  const told = page.getByRole('switch', { name: 'Tell me when my upload is done' });
  const rows = page.getByLabel('From so many rows on');
  await expect(told).toBeChecked();
  await expect(rows).toHaveValue('1000');
  await expectAccessible(page, allWidths);
  await rows.fill('2');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  await page.reload();
  await expect(rows).toHaveValue('2');

  const ticket = await uploadAndFinish(user, makeImeis(2));
  const mail = await readNewestMail(user.email, `Your check is done: serials.xlsx #${ticket}`);
  expect(mail.attachments).toHaveLength(1);
  const link = /https?:\S+/.exec(mail.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await expect(page.getByText(`#${ticket}`).first()).toBeVisible();

  await page.goto('/dashboard/notifications');
  await told.uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Notifications saved')).toBeVisible();
  await page.reload();
  await expect(told).not.toBeChecked();
});
