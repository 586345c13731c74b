import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import { makeStandardUser, uploadWorkbook } from '#tests/support/client.ts';
import { makeImeis } from '#tests/support/devices.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { setHidden } from './support/hidden.ts';
import { type OwnProduct, test } from './support/own-sources.ts';
import { expect } from './support/test.ts';

/** A user's upload whose rows wait until the test lets them go on, the user signed in; the ticket's number. */
async function uploadHeld(page: Page, own: OwnProduct, count: number): Promise<string> {
  await own.setPaused(true);
  const user = await makeStandardUser(own, 'Acme');
  await page.addInitScript((token) => localStorage.setItem('token', token), user.token);
  // A model of its own: what was answered to another test is not asked again.
  const serials = makeImeis(count, String(randomInt(10_000_000, 99_999_999)));
  const { ticket } = await uploadWorkbook(user, new Uint8Array(makeWorkbook(serials)));
  return ticket.ticket_number;
}

test.describe.configure({ mode: 'default' });
test.afterEach(async ({ own }) => own.setPaused(false));

test('every screen’s title tells how far, and no longer than the ticket is processed', async ({
  page,
  own,
}) => {
  const ticket = await uploadHeld(page, own, 20);
  await page.goto('/dashboard/upload');
  await expect(page).toHaveTitle('0% · Upload Data · Coverdesk');
  await expect(page.getByRole('link', { name: `Processing ticket ${ticket}` })).toBeVisible();
  await own.setPaused(false);
  await expect(page.getByText(`Ticket ${ticket} is completed.`)).toBeVisible({ timeout: 30_000 });
  await expect(page).toHaveTitle('Upload Data · Coverdesk');
});

test('work that begins elsewhere is noticed, and its end told outside the page', async ({
  page,
  own,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const told: string[] = [];
    const Told = class {
      static permission = 'granted';
      constructor(_title: string, { body }: { body: string }) {
        told.push(body);
      }
    };
    Object.assign(globalThis, { told, Notification: Told });
  });
  const first = await uploadHeld(page, own, 1);
  await own.setPaused(false);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByText(`Ticket ${first} is completed.`).or(page.getByText('Just now'))).toBeVisible();
  await own.setPaused(true);
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await page.waitForLoadState('networkidle');
  const serials = makeImeis(20, String(randomInt(10_000_000, 99_999_999)));
  const { ticket } = await uploadWorkbook({ url: own.url, token }, new Uint8Array(makeWorkbook(serials)));
  const sign = page.getByRole('link', { name: `Processing ticket ${ticket.ticket_number}` });
  await page.getByRole('main').getByRole('link', { name: 'Upload Data' }).click();
  await expect(sign).toBeVisible();

  await setHidden(page, true);
  await own.setPaused(false);
  const words = `Ticket ${ticket.ticket_number} is completed.`;
  const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
  const goOn = async () => {
    await page.clock.runFor(1000);
    return told();
  };
  await expect.poll(goOn, { intervals: [50], timeout: 30_000 }).toContain(words);
  await expect(page.getByText(words)).toBeVisible();
});

test('the data page’s rows fill in', async ({ page, own }) => {
  const ticket = await uploadHeld(page, own, 20);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const pending = page.getByRole('table').getByText('Pending', { exact: true });
  await expect(pending).toHaveCount(10);
  await own.setPaused(false);
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText('Completed', {
    timeout: 30_000,
  });
  await expect(pending).toHaveCount(0);
});

test('the tracker follows it to its end', async ({ page, own }) => {
  const ticket = await uploadHeld(page, own, 400);
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  const bar = page.getByRole('progressbar', { name: 'Progress' });
  await expect(bar).toHaveAttribute('aria-valuenow', '0');
  await own.setPaused(false);
  // 400 rows at 50 a second: an answer of the polling lies between.
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d?$/, { timeout: 30_000 });
  await expect(bar).toHaveAttribute('aria-valuenow', '100', { timeout: 30_000 });
  await expect(page.getByRole('main').getByText('Completed', { exact: true }).first()).toBeVisible();
});

test.describe('deletion', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('its data stay: the server’s words stand in the dialog', async ({ page, own }) => {
    const ticket = await uploadHeld(page, own, 20);
    await page.goto(`/dashboard/data?ticket=${ticket}`);
    await page.getByRole('button', { name: 'Delete All' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('This ticket is still processing');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toBeHidden();
  });
});
