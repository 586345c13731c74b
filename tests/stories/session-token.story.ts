import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const seconds = 1000;

async function storeToken(page: Page, token: string): Promise<void> {
  await page.goto('/login');
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.goto('/dashboard');
}

function makeToken(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`;
}

test('a token without three parts signs out: "Invalid token format"', async ({ page }) => {
  await storeToken(page, 'only.two');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Invalid token format');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('a token whose payload cannot be read signs out', async ({ page }) => {
  await storeToken(page, 'not.a token.at all');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Invalid token format');
});

test('an expired token signs out: "Token expired"', async ({ page }) => {
  const past = Math.floor(Date.now() / 1000) - 1;
  await storeToken(page, makeToken({ exp: past, email: 'a@b.co', superadmin: '0', new_user: '0' }));
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Token expired');
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
});

test('the session is checked again every 300 seconds', async ({ page, user, signIn }) => {
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.clock.pauseAt(Date.now() + 30 * seconds);
  await page.evaluate(() => localStorage.setItem('token', 'broken'));
  await page.clock.runFor(200 * seconds);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.clock.runFor(70 * seconds);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Invalid token format');
});

test('a token that expires while the page is open ends the session at the next check', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.clock.fastForward('13:00:00');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Token expired');
});

test.describe('a tab that has not heard of a new session yet', () => {
  test.use({ allowedComplaints: [/status of 401/] });

  test('a tab whose old token is refused continues with the newer session', async ({
    page,
    context,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    // As for a tab that the browser has put to sleep.
    await page.addInitScript({
      content: `addEventListener('storage', (event) => event.stopImmediatePropagation(), true)`,
    });
    await page.goto('/dashboard');
    await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
    const other = await context.newPage();
    await other.goto('/dashboard/change-password');
    await other.getByLabel('Current Password').fill(user.password);
    await other.getByLabel('New Password', { exact: true }).fill('a fresh password');
    await other.getByLabel('Confirm New Password').fill('a fresh password');
    const readToken = () => other.evaluate(() => localStorage.getItem('token'));
    const old = await readToken();
    await other.getByRole('button', { name: 'Change Password' }).click();
    await expect.poll(readToken).not.toBe(old);
    const fresh = await readToken();

    const refused = page.waitForResponse((response) => response.status() === 401);
    await page.getByRole('link', { name: 'Data Management' }).first().click();
    await refused;
    await expect(page.getByText('No serial data available')).toBeVisible();
    expect(await readToken()).toBe(fresh);
    await expect(other.getByRole('button', { name: 'Logout' })).toBeVisible();
  });
});

test('after signing out the browser keeps no answer in memory', async ({ page, user, signIn }) => {
  const [serial = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, [serial]);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await expect(page.getByText(serial)).toBeVisible();
  const keepsSerial = async () => (await readHeap(page)).includes(serial);
  expect(await keepsSerial()).toBe(true);
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  // What is drawn last is let go by the frames after it.
  await expect.poll(keepsSerial).toBe(false);
});

/** Every string of the page's memory, after a garbage collection. */
async function readHeap(page: Page): Promise<string> {
  const client = await page.context().newCDPSession(page);
  let snapshot = '';
  client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    snapshot += chunk;
  });
  await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.takeHeapSnapshot');
  await client.detach();
  return snapshot.slice(snapshot.indexOf('"strings"'));
}
