import { randomInt } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ListedProgress } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { figuresOf } from '#tests/support/browser/figures.ts';
import { expectWhole } from '#tests/support/browser/geometry.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { setHidden } from '#tests/support/browser/hidden.ts';
import { stepUntil } from '#tests/support/browser/page-clock.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { settled } from '#tests/support/browser/settled.ts';
import { expect } from '#tests/support/browser/test.ts';
import { keepToasts } from '#tests/support/browser/toasts.ts';
import { callApi, makeStandardUser, uploadWorkbook } from '#tests/support/product/client.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { patchAnswers } from '#tests/support/stories/hold.ts';
import { type OwnProduct, test } from '#tests/support/stories/own-sources.ts';

// A model of its own: what was answered to another test is not asked again.
const makeFreshImeis = (count: number) => makeImeis(count, String(randomInt(10_000_000, 99_999_999)));

/** A user's upload whose rows wait until the test lets them go on, the user signed in; the ticket's number. */
async function uploadHeld(
  page: Page,
  own: OwnProduct,
  count: number,
  invalid: string[] = [],
): Promise<string> {
  await own.setPaused(true);
  const user = await makeStandardUser(own, 'Acme');
  await page.addInitScript((token) => localStorage.setItem('token', token), user.token);
  const sheet = makeWorkbook([...makeFreshImeis(count), ...invalid]);
  const { ticket } = await uploadWorkbook(user, new Uint8Array(sheet));
  return ticket.ticket_number;
}

/** One more upload by the user whom `uploadHeld` signed in. */
async function uploadNewer(
  page: Page,
  own: OwnProduct,
  count: number,
  invalid: string[] = [],
): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  const sheet = makeWorkbook([...makeFreshImeis(count), ...invalid]);
  const { ticket } = await uploadWorkbook({ url: own.url, token }, new Uint8Array(sheet));
  return ticket.ticket_number;
}

test.describe.configure({ mode: 'default' });
test.afterEach(async ({ own }) => own.setPaused(false));

test('the open screens of a user and their titles follow a running ticket to its end', async ({
  page,
  own,
}) => {
  const ticket = await uploadHeld(page, own, 400, ['nonsense!']);
  await keepToasts(page);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const main = page.getByRole('main');
  const pending = main.getByRole('table').getByText('Pending', { exact: true });
  await expect(pending).toHaveCount(10);
  await expect(page).toHaveTitle('0% · Data Management · Coverdesk');
  // The indicator of a waiting ticket says so and does not move.
  const words = 'Waiting for Shop check: paused by a superadmin';
  const waiting = page.getByRole('link', { name: `serials.xlsx #${ticket}: ${words}` });
  await expect(waiting).toHaveCSS('color', 'rgb(116, 70, 0)');
  await expect(waiting.locator('span[aria-hidden="true"]')).toHaveCSS('animation-name', 'none');

  const tracker = await page.context().newPage();
  await tracker.goto('/dashboard/tracker');
  const strip = tracker.getByRole('region', { name: 'Running now' }).getByRole('article');
  await expect(strip).toContainText('0 done · 1 failed · 401');
  await strip.getByRole('button', { name: 'serials.xlsx' }).click();
  await expect(tracker).toHaveURL(new RegExp(`ticket=${ticket}$`));
  // The address changes a moment before the screen, whose strips say the same.
  await expect(strip).toHaveCount(0);
  await expect(figuresOf(tracker).filter({ hasText: 'Total Rows' })).toContainText('401');
  const bar = tracker.getByRole('progressbar', { name: 'Progress' });
  await expect(bar).toHaveAttribute('aria-valuenow', '0');

  await tracker.bringToFront();
  await own.setPaused(false);
  // 400 rows at 50 a second: an answer of the polling lies between.
  await expect(bar).toHaveAttribute('aria-valuenow', /^[1-9]\d?$/);
  await expect(bar).toHaveAttribute('aria-valuenow', '100');
  await expect(tracker.getByRole('main').getByText('Completed', { exact: true }).first()).toBeVisible();
  await page.bringToFront();
  await expect(page.getByText(`serials.xlsx #${ticket} is completed.`)).toBeVisible();
  await expect(page).toHaveTitle('Data Management · Coverdesk');
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText('Completed');
  await expect(pending).toHaveCount(0);
});

test('a running ticket shows its waiting reason and time, with a link for those who can fix it', async ({
  page,
  own,
}) => {
  const ticket = await uploadHeld(page, own, 20);
  // Four minutes later, as the page's clock has it.
  await page.clock.install({ time: Date.now() + 4 * 60_000 });
  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  const told = /Waiting for Shop check: paused by a superadmin, \d+ min/;
  await expect(page.getByRole('main').getByText(told)).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('banner').getByRole('link', { name: told })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open Sources' })).toHaveCount(0);
  await goWithin(page, `/dashboard/data?ticket=${ticket}`);
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText(told);

  await page.addInitScript((token) => localStorage.setItem('token', token), own.token);
  await page.goto('/dashboard');
  for (const [screen, title] of [
    ['/dashboard', 'Home'],
    ['/dashboard/tickets', 'Tickets'],
    ['/dashboard/tracker', `(Tracker|.* #${ticket})`],
  ] as const) {
    await goWithin(page, screen);
    await expect(page).toHaveTitle(new RegExp(`${title} · Coverdesk$`));
    await expect(page.getByRole('main').getByText(told).first()).toBeVisible();
  }
  await page.getByRole('main').getByRole('link', { name: 'Open Sources' }).first().click();
  await expect(page).toHaveURL(/\/dashboard\/sources$/);
});

test('a ticket that starts elsewhere appears, and its end is notified outside the page', async ({
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
  await uploadHeld(page, own, 1);
  await own.setPaused(false);
  await page.clock.install();
  await page.goto('/dashboard');
  const last = page.getByRole('region', { name: 'Last tickets' });
  await expect(last.getByText('Completed', { exact: true })).toBeVisible();
  await own.setPaused(true);
  await settled(page);
  const ticket = await uploadNewer(page, own, 20);
  const sign = page.getByRole('link', { name: new RegExp(`serials.xlsx #${ticket}\\b`) });
  await page.getByRole('main').getByRole('link', { name: 'Upload Data' }).click();
  await expect(sign).toBeVisible();

  await setHidden(page, true);
  await own.setPaused(false);
  const words = `serials.xlsx #${ticket} is completed.`;
  const told = () => page.evaluate(() => (globalThis as unknown as { told: string[] }).told);
  await stepUntil(page, 1000, async () => (await told()).includes(words));
  await expect(page.getByText(words)).toBeVisible();
});

test('superadmins retry the failed rows of a stopped ticket on Home', async ({ page, own }) => {
  const number = await uploadHeld(page, own, 3, ['nonsense!']);
  const { data } = await callApi<{ data: { _id: string; ticket_number: string }[] }>(
    own,
    'GET',
    '/tickets/ticket-numbers',
  );
  const id = data.find(({ ticket_number }) => ticket_number === number)?._id;
  await callApi(own, 'POST', `/tickets/${id}/cancel`);
  // The rows are real; that their source did not answer in time is set here.
  await patchAnswers<{ counts: object }>(page, /\/api\/imei\?.*counts=1/, ({ counts }) =>
    Object.assign(counts, { reasons: { 'Source unavailable': 1 } }),
  );
  await patchAnswers<{ data: ListedProgress[] }>(page, /\/api\/tickets\/all-progress/, (answer) => {
    for (const ticket of answer.data)
      if (ticket.ticket_number === number && ticket.status === 'Cancelled')
        Object.assign(ticket, { unavailable: 1 });
  });
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const line = attention.getByRole('listitem').filter({ hasText: `#${number}` });
  await page.goto('/dashboard');
  await expect(line).toContainText('1 row without an answer');
  await settled(page);
  await expect(line.getByRole('button')).toHaveCount(0);
  await page.addInitScript((token) => localStorage.setItem('token', token), own.token);
  await page.goto('/dashboard');
  const retry = line.getByRole('button', { name: 'Retry', exact: true });
  await expect(retry).toHaveAccessibleDescription(`serials.xlsx #${number}`);
  await expectAccessible(page);
  // On its own page, too: among what can be done with it, and beside what failed.
  await goWithin(page, `/dashboard/tickets/${number}`);
  await expect(page.getByRole('main').getByRole('button', { name: 'Retry', exact: true })).toHaveCount(2);
  await goWithin(page, '/dashboard');
  await retry.click();
  await expect(page.getByText(`serials.xlsx #${number} is being processed again.`)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Running tickets' })).toContainText(`#${number}`);
  await expect(line).toHaveCount(0);
});

test.describe('deletion', () => {
  test.use({ allowedComplaints: [/status of 409/] });

  test('the data of a wrong upload are deleted while it runs and after it was stopped, and all screens agree', async ({
    page,
    own,
  }) => {
    const wrong = await uploadHeld(page, own, 20, ['nonsense!', 'wrong']);
    await page.goto('/dashboard/data');
    const banner = page.getByRole('region', { name: 'Current ticket' });
    await expect(banner).toContainText(`Ticket Number${wrong}`);
    await page.getByRole('button', { name: 'Download Data' }).click();
    const dialog = page.getByRole('dialog');
    const newer = await uploadNewer(page, own, 3, ['nonsense!', 'wrong']);
    await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${newer}.`)).toBeVisible();
    const file = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'All Data' }).click();
    expect((await file).suggestedFilename()).toMatch(new RegExp(`^imei_${wrong}_`));
    await expect(dialog).toBeHidden();

    // Only what was uploaded, while it runs.
    await goWithin(page, `/dashboard/data?view=uploaded&ticket=${wrong}`);
    await page.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog).toContainText(`StoppedProcessing of serials.xlsx #${wrong}`);
    await expect(
      dialog.getByRole('radio', { name: '22 uploaded rows, 20 of them without a result' }),
    ).toBeChecked();
    await expect(dialog).toContainText('Kept2 results; the ticket with its counts and price');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    const said = `The uploaded rows of serials.xlsx #${wrong} were deleted. 2 results are kept.`;
    await expect(page.getByText(said).first()).toBeVisible();
    await expect(page.getByText('No data found for this ticket')).toBeVisible();
    await page.getByRole('tab', { name: 'Serial Data' }).click();
    await expect(banner).toContainText('Total Records22');
    await expect(banner).toContainText(said);
    await expect(page.getByRole('table', { name: 'Serial Data' }).getByRole('row')).toHaveCount(3);

    // All of it, after it was stopped.
    await page.goto('/dashboard/data');
    await expect(banner).toContainText(`Ticket Number${newer}`);
    await page.getByRole('button', { name: 'Delete All' }).click();
    const newest = await uploadNewer(page, own, 2);
    await expect(page.getByText(`A newer ticket has arrived: serials.xlsx #${newest}.`)).toBeVisible();
    await expect(dialog).toContainText(`StoppedProcessing of serials.xlsx #${newer}`);
    await expect(dialog).toContainText('Deleted5 uploaded rows and 2 results');
    await expect(dialog).toContainText('KeptThe ticket with its counts and price');
    await expect(dialog).toContainText('Delete All is refused while this ticket is processing.');
    await expect(dialog).toContainText('Its results stay billed after they are deleted.');
    await expect(dialog.getByRole('button').last()).toHaveText('Stop and Delete');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await expect(dialog.getByRole('alert')).toHaveText('This ticket is still processing');
    await dialog.getByRole('button', { name: 'Stop and Delete' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Download Data' })).toBeDisabled();
    await expect(page.getByRole('region', { name: 'Import' })).toHaveCount(0);
    await expect(banner).toContainText(`All data of serials.xlsx #${newer} was deleted.`);
    await expect(banner).toContainText('StatusCancelledTotal Records5');
    await expect(page.getByText('No serial data available')).toBeVisible();
    await page.getByRole('link', { name: `Open ticket ${newest}` }).click();
    await expect(banner).toContainText(
      new RegExp(`Ticket Number${newest}Status(Pending|Processing)Total Records2`),
    );
  });
});

test('a user stops a ticket, and keeps its results', async ({ page, own }) => {
  const ticket = await uploadHeld(page, own, 20, ['nonsense!']);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  const banner = page.getByRole('region', { name: 'Current ticket' });
  await banner.getByRole('button', { name: 'Stop, keep results' }).click();
  const dialog = page.getByRole('dialog', { name: `Cancel serials.xlsx #${ticket}?` });
  await expect(dialog).toContainText('Finished rows keep their results and stay billed.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect(dialog).toHaveCount(0);

  await page.goto(`/dashboard/tracker?ticket=${ticket}`);
  await page.getByRole('button', { name: 'Stop, keep results' }).click();
  await dialog.getByRole('button', { name: 'Stop, keep results' }).click();
  await expect(page.getByText(`serials.xlsx #${ticket} was cancelled.`)).toBeVisible();
  await expect(page.getByText('Processing was cancelled.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop, keep results' })).toHaveCount(0);
});

test('on a phone a user stops a running ticket, and its results stay on screen', async ({ page, own }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  // At 50 rows a second it runs for 20 seconds.
  const ticket = await uploadHeld(page, own, 1000);
  await keepToasts(page);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await own.setPaused(false);
  const table = page.getByRole('table', { name: 'Serial Data' });
  const result = table.getByText('iPhone 15').first();
  await expect(result).toBeVisible();
  await own.setPaused(true);
  const banner = page.getByRole('region', { name: 'Current ticket' });
  await expect(banner).toContainText(/Status(Pending|Processing)/);
  const stop = banner.getByRole('button', { name: 'Stop, keep results' });
  await expectWhole(stop);
  await takePictures(page);
  await stop.click();
  const dialog = page.getByRole('dialog', { name: `Cancel serials.xlsx #${ticket}?` });
  await expect(dialog).toContainText('Finished rows keep their results and stay billed.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Stop, keep results' }).click();
  await expect(page.getByText(`serials.xlsx #${ticket} was cancelled.`)).toBeVisible();
  await expect(banner).toContainText('StatusCancelledTotal Records1,000');
  await expect(stop).toHaveCount(0);
  await expect(result).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await takePictures(page);
});
