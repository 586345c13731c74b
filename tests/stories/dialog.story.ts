import type { Page } from '@playwright/test';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { type Account, call, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';

/** Orders a ticket and opens the list that holds it alone. */
async function openTicket(page: Page, user: Account, superadmin: Account): Promise<void> {
  const body = { data_count: 12, company_code: user.companyCode };
  await call('POST', '/tickets', body, await tokenOf(superadmin));
  await page.goto(`/dashboard/tickets?code=${user.companyCode}`);
}

/** A point of the darkened page beside every dialog. */
const beside = { x: 8, y: 400 };

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('a click beside a dialog or Escape closes it, but neither a drag out of it nor anything while its action runs', async ({
  page,
  user,
  superadmin,
}) => {
  await openTicket(page, user, superadmin);
  const edit = page.getByRole('article').getByRole('button', { name: 'Edit' });
  await edit.click();
  const dialog = page.getByRole('dialog');
  const count = dialog.getByLabel('Data Count');
  await count.fill('1234');
  const box = await count.boundingBox();
  if (box === null) throw new Error('the field is not drawn');
  const inside = { x: box.x + 40, y: box.y + box.height / 2 };
  const drag = async (from: typeof inside, to: typeof inside) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
  };
  await drag(inside, beside);
  await expect(count).toHaveValue('1234');
  await drag(beside, inside);
  await expect(count).toHaveValue('1234');
  await page.mouse.click(beside.x, beside.y);
  await expect(dialog).toHaveCount(0);
  await expect(edit).toBeFocused();

  /** Both keys wait while the page is at work, so that nothing comes between them. */
  const pressBoth = async () => {
    const work = page.evaluate(() => {
      const end = performance.now() + 300;
      while (performance.now() < end);
    });
    await Promise.all([work, page.keyboard.press('Escape'), page.keyboard.press('Enter')]);
  };
  await edit.click();
  await expect(count).toBeFocused();
  // Enter right after Escape opens it again.
  for (let time = 0; time < 2; time += 1) {
    await pressBoth();
    await expect(count).toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(edit).toBeFocused();

  const deletion = await holdRequests(page, 'DELETE', '**/api/tickets/*');
  await goWithin(page, `/dashboard/tickets?code=${user.companyCode}&view=list`);
  const action = page.getByRole('menuitem', { name: 'Edit' });
  // The card that is still shown for a moment has such a button, too.
  await page
    .getByRole('row')
    .getByRole('button', { name: /^Actions for ticket/ })
    .click();
  await expect(action).toBeFocused();
  for (let time = 0; time < 2; time += 1) {
    await pressBoth();
    await expect(action).toBeFocused();
  }
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete Ticket' }).click();
  const busy = dialog.getByRole('button', { name: 'Deleting...' });
  await expect(busy).toBeDisabled();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('Escape');
  await page.mouse.click(beside.x, beside.y);
  await expect(busy).toBeVisible();
  deletion.letGo();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('No tickets found', { exact: true })).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({
    isMobile: true,
    hasTouch: true,
    viewport: { width: 390, height: 1200 },
    allowedComplaints: [/status of 500/],
  });

  test('the back gesture closes dialogs and the menu, and the screen stays', async ({
    page,
    user,
    superadmin,
  }) => {
    // Only the system makes the gesture, so the test asks the watcher to close.
    await page.addInitScript(`
      globalThis.watchers = new Set();
      globalThis.CloseWatcher = class extends CloseWatcher {
        constructor() {
          super();
          watchers.add(this);
          this.addEventListener('close', () => watchers.delete(this));
        }
        destroy() {
          super.destroy();
          watchers.delete(this);
        }
      };
    `);
    const goBack = () => page.evaluate('[...watchers].at(-1).requestClose()');
    await openTicket(page, user, superadmin);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Open menu' }).click();
    await expect(page.getByRole('dialog', { name: 'Main menu' })).toBeVisible();
    await goBack();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
    await expect(dialog).toBeVisible();
    await goBack();
    await expect(dialog).toHaveCount(0);

    const refusal = Promise.withResolvers<void>();
    await page.route('**/api/tickets/*', async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback();
      await refusal.promise;
      await route.fulfill({ status: 500, body: '' });
    });
    await page.getByRole('article').getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Data Count').fill('13');
    await dialog.getByRole('button', { name: 'Update Ticket' }).click();
    const busy = dialog.getByRole('button', { name: 'Updating...' });
    await expect(busy).toBeVisible();
    await goBack();
    await expect(busy).toBeVisible();
    refusal.resolve();
    await expect(dialog.getByRole('alert')).toBeVisible();
    await goBack();
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(/\/dashboard\/tickets\?/);
    expect(await page.evaluate('watchers.size')).toBe(0);
  });
});
