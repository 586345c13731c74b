import type { Page } from '@playwright/test';
import { expectAccessible, expectContrast } from '#tests/support/browser/accessible.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { allWidths, showIn } from '#tests/support/browser/pictures.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { failWordless } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

/** A screen, and what brings it into the state to be looked at. */
type Visit = { at: string; act?: (page: Page) => Promise<unknown> };

const press = (name: string) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first().click();

/** Axe finds nothing in light and dark; at 320 px nothing has to be scrolled sideways but tables within themselves. */
async function look(page: Page, { at, act }: Visit): Promise<void> {
  await test.step(at, async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await showIn(page, 'light');
    await goWithin(page, at);
    await settled(page);
    await act?.(page);
    await expectAccessible(page, allWidths);
    await showIn(page, 'dark');
    await expectContrast(page);
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    await expect.poll(overflow, { message: 'wider than 320 px' }).toBeLessThanOrEqual(0);
  });
}

/** Looks at one screen after the other, without loading the app again. */
async function lookAt(page: Page, visits: Visit[]): Promise<void> {
  test.slow();
  await page.goto('/');
  for (const visit of visits) await look(page, visit);
}

test('the signed-out screens are accessible', async ({ page }) => {
  await lookAt(page, [
    { at: '/login' },
    { at: '/forgot-password' },
    { at: '/reset-password' },
    { at: '/reset-password/not-a-token' },
    { at: '/invitation/not-a-token' },
  ]);
});

test('the screens and dialogs of a user are accessible, before the first upload and after it', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await lookAt(page, [
    { at: '/dashboard' },
    { at: '/dashboard/data' },
    { at: '/dashboard/tracker' },
    { at: '/dashboard/uploads' },
    { at: '/dashboard/notifications' },
  ]);
  const ticket = await uploadAndFinish(user, [...makeImeis(12), 'no serial at all!']);
  await lookAt(page, [
    { at: '/dashboard' },
    { at: '/dashboard/upload', act: press('Upload File') },
    { at: '/dashboard/uploads' },
    { at: '/dashboard/data' },
    { at: `/dashboard/data?ticket=${ticket}`, act: press('Download Data') },
    { at: '/dashboard/tracker' },
    { at: `/dashboard/data?ticket=${ticket}&page=2`, act: press('Delete All') },
    { at: `/dashboard/tracker?ticket=${ticket}` },
    { at: '/dashboard/data?view=uploaded' },
    { at: '/dashboard/data?q=nothing' },
    { at: `/dashboard/tracker?ticket=${ticket}&view=standalone` },
    { at: '/dashboard/devices?expired=true' },
    { at: '/dashboard/change-password' },
    { at: '/dashboard/tickets' },
    { at: '/dashboard/nowhere' },
    { at: '/dashboard', act: (page) => page.keyboard.press('Control+k') },
  ]);
});

test('the screens and dialogs of a superadmin are accessible', async ({ page, user, superadmin, signIn }) => {
  await uploadAndFinish(user, makeImeis(3));
  await signIn(page, superadmin);
  const code = user.companyCode;
  const openMenu = (page: Page) =>
    page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
  await lookAt(page, [
    { at: '/dashboard' },
    { at: `/dashboard/tickets?code=${code}`, act: press('Create Ticket') },
    { at: '/dashboard/clients', act: press('Add Client') },
    { at: `/dashboard/tickets?code=${code}&view=list` },
    { at: `/dashboard/tickets?code=${code}&status=Cancelled` },
    { at: `/dashboard/tickets?code=${code}&status=Completed`, act: press('Edit') },
    { at: '/dashboard/proxies' },
    { at: '/dashboard/clients', act: openMenu },
    { at: '/dashboard/upload-proxies', act: press('Upload File') },
    { at: '/dashboard/sources', act: press('Try a serial') },
    {
      at: '/dashboard/register',
      act: (page) => page.getByRole('combobox', { name: 'Company Code' }).click(),
    },
    { at: '/dashboard/users', act: press('Invite user') },
    { at: '/dashboard/webhooks', act: press('Create webhook') },
    { at: '/dashboard/status' },
    { at: '/dashboard/invoices/month-end' },
    { at: `/dashboard/clients/${code}` },
    { at: '/dashboard/upload' },
  ]);
});

test.describe('screens whose data cannot be had', () => {
  test.use({ allowedComplaints: [/status of 500/] });

  test('screens whose data cannot be loaded are as accessible', async ({ page, user, signIn }) => {
    await signIn(page, user);
    await failWordless(page, /\/api\/(imei|home|tickets)/);
    await lookAt(page, [{ at: '/dashboard' }, { at: '/dashboard/data' }, { at: '/dashboard/tracker' }]);
  });
});
