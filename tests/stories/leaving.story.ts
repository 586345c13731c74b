import type { Page } from '@playwright/test';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

/** Follows a link of the menu and keeps the page at work for so long that what waits for less is due at once. */
async function leaveWhileBusy(page: Page, link: string): Promise<void> {
  await page.evaluate(`(() => {
    [...document.querySelectorAll('nav a')].find((a) => a.textContent === ${JSON.stringify(link)}).click();
    const end = performance.now() + 400;
    while (performance.now() < end);
  })()`);
}

test('text that is still being typed into a search does not lead back from the next screen', async ({
  page,
  user,
  signIn,
}) => {
  const [serial = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, [serial]);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const field = page.getByRole('searchbox', { name: 'Search serial number' });
  // Once while the next screen has to be fetched, and once when it is there.
  for (const path of [`/dashboard/data?ticket=${ticket}`, `/dashboard/tracker?ticket=${ticket}`]) {
    await goWithin(page, path);
    await settled(page);
    await field.fill(serial.slice(-4));
    await leaveWhileBusy(page, 'Upload Data');
    await expect(page.getByRole('heading', { name: 'Upload Data', level: 1 })).toBeVisible();
    await settled(page);
    await expect(page).toHaveURL(/\/dashboard\/upload$/);
  }
});

const isScript = /\.js$/;

/** Goes to the tracker, which has to be fetched first, while two seconds of the page's clock go by. */
async function leaveMeanwhile(page: Page): Promise<void> {
  const held = await holdRequests(page, 'GET', isScript);
  const asked = page.waitForRequest(isScript);
  await page.getByRole('link', { name: 'Tracker' }).first().click();
  await asked;
  await page.clock.runFor(2100);
  held.letGo();
  await expect(page.getByRole('heading', { name: 'Tracker', level: 1 })).toBeVisible();
  await settled(page);
  await expect(page).toHaveURL(/\/dashboard\/tracker$/);
}

test('a finished upload or password change does not redirect a user who is leaving the screen', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard/upload');
  const file = { name: 'devices.xlsx', mimeType: '', buffer: makeWorkbook(makeImeis(1)) };
  await page.locator('input[type=file]').setInputFiles(file);
  await pauseClock(page);
  await page.getByRole('button', { name: 'Upload File' }).click();
  const done = page.getByRole('main').getByText(/^Successfully imported 1 records/);
  await expect(done).toBeVisible();
  await leaveMeanwhile(page);
  // The result stays.
  await page.goBack();
  await expect(done).toBeVisible();

  await page.clock.resume();
  await page.goto('/dashboard/change-password');
  await page.getByLabel('Current Password').fill(user.password);
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
  await pauseClock(page);
  await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
  await expect(page.getByRole('main').getByRole('status')).toBeVisible();
  await leaveMeanwhile(page);
});
