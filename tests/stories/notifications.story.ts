import type { Page } from '@playwright/test';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { patchAnswers } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

/** Opens Home, and waits until it knows what runs: only of what ends afterwards it tells. */
async function openHome(page: Page): Promise<void> {
  const known = page.waitForResponse('**/api/tickets/activity');
  await page.goto('/dashboard');
  await known;
  await settled(page);
}

/** Opens Upload Data, as people do: a screen that opens asks what has ended. */
const openUpload = (page: Page) =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Upload Data' }).click();

test('a browser that refuses notifications, as on Android, shows the end on the page alone', async ({
  page,
  user,
  signIn,
}) => {
  await page.addInitScript(() => {
    const Refusing = class {
      static permission = 'granted';
      constructor() {
        throw new TypeError(
          "Failed to construct 'Notification': Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.",
        );
      }
    };
    Object.assign(globalThis, { Notification: Refusing });
  });
  await signIn(page, user);
  await openHome(page);
  const ticket = await uploadAndFinish(user, makeImeis(1));
  await openUpload(page);
  await expect(page.getByText(`serials.xlsx #${ticket} is completed.`)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Upload Data' })).toBeVisible();

  await page.evaluate("Notification.permission = 'default'");
  // A finished ticket stands still; only its status is set here.
  await patchAnswers<{ data: object[] }>(page, '**/api/tickets/all-progress', ({ data: [first] }) =>
    Object.assign(first ?? {}, { status: 'Processing' }),
  );
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Tracker' }).click();
  await expect(
    page.getByRole('region', { name: `serials.xlsx #${ticket}` }).getByText('Processing', { exact: true }),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Notify me when it is done' })).toHaveCount(0);
});

test('only one of two tabs shows a notification', async ({ page, context, user, signIn }) => {
  const told: string[] = [];
  await keepToasts(context);
  await context.exposeFunction('tell', (body: string) => told.push(body));
  await context.addInitScript(() => {
    const Telling = class {
      static permission = 'granted';
      constructor(_title: string, { body }: { body: string }) {
        (globalThis as unknown as { tell(body: string): void }).tell(body);
      }
    };
    Object.assign(globalThis, { Notification: Telling });
  });
  await signIn(page, user);
  const other = await context.newPage();
  const tabs = [page, other];
  for (const tab of tabs) await openHome(tab);
  const ticket = await uploadAndFinish(user, makeImeis(1));
  const words = `serials.xlsx #${ticket} is completed.`;
  await Promise.all(tabs.map(openUpload));
  for (const tab of tabs) {
    await expect(tab.getByText(words)).toBeVisible();
    // A tab that notifies holds this lock, so no notification is under way after both requests.
    await tab.evaluate("navigator.locks.request('coverdesk.told', () => undefined)");
  }
  expect(told).toEqual([words]);
});
