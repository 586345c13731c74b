import { randomBytes } from 'node:crypto';
import { readCovered } from '#tests/support/browser/geometry.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, signInByApi } from '#tests/support/stories/api.ts';
import { failWordless } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const sizes = [
  [390, 844],
  [820, 1180],
  [1280, 800],
] as const;

test.describe('a toast', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('a toast covers no control at any width or scroll position', async ({ page, user, signIn }) => {
    const ticket = await uploadAndFinish(user, makeImeis(60));
    await keepToasts(page);
    await signIn(page, user);
    await page.goto(`/dashboard/tracker?ticket=${ticket}`);
    const search = page.getByRole('button', { name: 'Search or jump to' });
    const before = await search.boundingBox();
    await page.getByRole('button', { name: 'JSON (.json)' }).click();
    const done = page.getByRole('status').filter({ hasText: 'The download is complete.' });
    await expect(done).toBeInViewport({ ratio: 1 });
    expect(await search.boundingBox()).toEqual(before);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.getByRole('button', { name: '2', exact: true }).click({ timeout: 10_000 });
    await expect(page.getByText('Showing 11 to 20 of 60 entries')).toBeVisible();

    await failWordless(page, '**/api/imei/download*');
    await page.getByRole('button', { name: 'Excel (.xlsx)' }).click();
    const failed = page.getByRole('alert').filter({ hasText: /./ });
    await expect(failed).toBeInViewport();
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      for (const y of [0, 1e6]) {
        await page.evaluate(`window.scrollTo(0, ${y})`);
        await expect(failed).toBeInViewport({ ratio: 0.9 });
        await expect.poll(() => readCovered(page), `${width} pixels wide, scrolled to ${y}`).toEqual([]);
      }
      await page.getByRole('button', { name: 'Delete All' }).click();
      const dialog = page.getByRole('dialog');
      await expect(failed).toBeInViewport({ ratio: 0.9 });
      await expect.poll(() => readCovered(page), `${width} pixels wide, over a dialog`).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(done).toBeInViewport({ ratio: 1 });
  });
});

test('a toast closes after six seconds, with an action after 20, but not under the pointer or with the focus', async ({
  page,
  superadmin,
  signIn,
}) => {
  const token = await signInByApi(superadmin);
  const name = `Numbat ${randomBytes(4).toString('hex')}`;
  await call('POST', '/clients', { company_name: name }, token);
  await signIn(page, superadmin);
  await page.clock.install();
  await page.goto('/dashboard/clients?limit=1000');
  const change = async () => {
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Change status' }).click();
    await expect(page.getByText(`${name} is now`, { exact: false })).toBeVisible();
  };
  // It is reached by F8.
  const undo = page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Undo' });
  await change();
  await page.clock.runFor(12_000);
  await expect(undo).toBeVisible();
  await page.keyboard.press('F8');
  await expect(undo).toBeFocused();
  await page.clock.runFor(60_000);
  await expect(undo).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  const done = page.getByRole('status').filter({ hasText: 'The change was taken back.' });
  await done.hover();
  await expect(undo).toHaveCount(0);
  await page.clock.runFor(20_000);
  await expect(done).toBeVisible();
  await page.mouse.move(600, 700);
  await page.clock.runFor(7000);
  await expect(done).toHaveCount(0);

  await change();
  await page.clock.runFor(21_000);
  await expect(undo).toHaveCount(0);
});
