import type { Page } from '@playwright/test';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { uploadAndFinish } from '#tests/support/stories/upload.ts';

const seconds = 1000;

function makeToken(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(payload)}.signature`;
}

test.describe('tokens that are refused', () => {
  test.use({ allowedComplaints: [/status of 401/] });

  test('a token that is cut, unreadable, expired or forged is removed, and sign-in says why', async ({
    page,
  }) => {
    const now = Math.floor(Date.now() / seconds);
    const payload = { sub: '1', email: 'a@b.co', superadmin: '0', new_user: '0' };
    await page.goto('/login');
    for (const [token, reason] of [
      ['only.two', 'Invalid token format'],
      ['not.a token.at all', 'Invalid token format'],
      [makeToken({ exp: now - 1, ...payload }), 'Token expired'],
      // It reads well, so that only the server knows.
      [makeToken({ exp: now + 3600, ...payload }), 'Invalid token format'],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('token', value), token);
      await page.goto('/dashboard');
      await expect(page).toHaveURL(/\/login$/);
      await expect(page.getByRole('alert')).toHaveText(reason);
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
    }
  });

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

test('the session is checked again every 300 seconds, and ends when its token has expired', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '');
  await pauseClock(page, 30 * seconds);
  await page.evaluate(() => localStorage.setItem('token', 'broken'));
  await page.clock.runFor(200 * seconds);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.clock.runFor(70 * seconds);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Invalid token format');

  await page.clock.resume();
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible();
  await page.clock.fastForward('13:00:00');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('alert')).toHaveText('Token expired');
  await page.getByLabel('Language').selectOption('Bahasa Indonesia');
  await expect(page.getByRole('alert')).toHaveText('Token kedaluwarsa');
});

test('after signing out the browser keeps no answer in memory', async ({ page, user, signIn }) => {
  const [serial = ''] = makeImeis(1);
  const ticket = await uploadAndFinish(user, [serial]);
  await signIn(page, user);
  await page.goto(`/dashboard/data?ticket=${ticket}`);
  await expect(page.getByText(serial)).toBeVisible();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  // Shows that a text in memory would be found.
  const kept = 'kept in memory';
  await page.evaluate((text) => Object.assign(globalThis, { kept: text }), kept);
  // The content drawn last is released some frames later.
  await expect.poll(async () => findInMemory(page, [serial, kept])).toEqual([kept]);
});

/** Returns which of `texts` are in the page's memory after a garbage collection. */
async function findInMemory(page: Page, texts: string[]): Promise<string[]> {
  const client = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await client.send('HeapProfiler.collectGarbage');
  await client.send('HeapProfiler.takeHeapSnapshot');
  await client.detach();
  const snapshot = chunks.join('');
  const strings = snapshot.slice(snapshot.indexOf('"strings"'));
  return texts.filter((text) => strings.includes(text));
}
