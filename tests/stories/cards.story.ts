import type { Page } from '@playwright/test';
import { runOn } from '#tests/support/browser/geometry.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const widths = [360, 390];

/** Expects rows of a few lines without heads, none of which reaches beside the screen. */
async function expectCards(page: Page, path: string, mostPixels = 100): Promise<void> {
  await page.goto(path);
  await page.setViewportSize({ width: 390, height: 844 });
  // Users come after the open invitations, which other tests may have sent.
  const table = page.getByRole('main').getByRole('table').last();
  await expect(table).toHaveAttribute('aria-busy', 'false');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await expect(table.getByRole('columnheader')).toHaveCount(0);
    const beside = 'return element.scrollWidth - element.clientWidth;';
    await expect.poll(() => runOn<number>(table.locator('..'), beside), path).toBe(0);
    const heights = `return Math.max(...[...element.querySelectorAll('tbody tr')].map((row) => row.offsetHeight))`;
    // A long title, such as an action of the audit log, takes two lines by itself.
    expect(await runOn<number>(table, heights), path).toBeLessThan(mostPixels);
  }
  await takePictures(page, widths);
}

test('on phones, rows of uploads, tickets, entries and users are cards', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  await uploadAndFinish(user, makeImeis(2));
  await signIn(page, user);
  // Rows and failures have a line each.
  await expectCards(page, '/dashboard/uploads', 120);
  const admin = await page.context().newPage();
  await signIn(admin, superadmin);
  for (const screen of ['tickets?view=list', 'audit']) await expectCards(admin, `/dashboard/${screen}`);
  // The role, the company and the last sign-in have a line each.
  await expectCards(admin, '/dashboard/users', 140);
});
