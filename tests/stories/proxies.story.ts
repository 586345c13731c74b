import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { figuresOf } from '#tests/support/browser/figures.ts';
import { nextFileChooser } from '#tests/support/browser/file-chooser.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { admin, call, tokenOf } from '#tests/support/stories/api.ts';
import { holdRequests } from '#tests/support/stories/hold.ts';
import { readStage } from '#tests/support/stories/stage.ts';

const textFile = (name: string, lines: string[], mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(lines.join('\n')),
});

async function uploadSet(lines: string[]): Promise<string> {
  const form = new FormData();
  form.set('file', new Blob([lines.join('\n')], { type: 'text/plain' }), 'proxies.txt');
  const response = await fetch(`${readStage().url}/api/proxies/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await tokenOf(admin())}` },
    body: form,
  });
  return ((await response.json()) as { data: { proxy_set: string } }).data.proxy_set;
}

const cardOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true });

test.beforeEach(async ({ page, superadmin, signIn }) => signIn(page, superadmin));

test('a superadmin drops or chooses a proxy file, uploads it, sees the result and the sets, and deletes one after a question', async ({
  page,
}) => {
  const chooser = nextFileChooser(page);
  // As texts: the checks of the tests know no browser's words.
  const drop = (name: string) => `{
    const files = new DataTransfer();
    files.items.add(new File(['203.0.113.8:8080'], '${name}'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  }`;
  await page.addInitScript(`new MutationObserver((changes, observer) => {
    if (!document.body?.textContent.includes('Drag and drop a .txt file here, or')) return;
    observer.disconnect();
    ${drop('proxies.pdf')}
  }).observe(document, { childList: true, subtree: true })`);
  await page.goto('/dashboard/upload-proxies');
  // Dropped onto the page as soon as it appears.
  await expect(page.getByText('Please select a valid text file (.txt)')).toBeVisible();
  await expect(page.getByText('.txt only, one IP:PORT per line, max 10MB')).toBeVisible();
  await page.evaluate(drop('proxies.txt'));
  await expect(page.getByText('proxies.txt', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Browse' }).click();
  const lines = [
    '# Jakarta',
    '203.0.113.7:8080',
    '[2001:db8::7]:1080',
    '',
    '10.0.0.1:80',
    'nonsense',
    '203.0.113.7:8080',
  ];
  await (await chooser).setFiles(textFile('jakarta.txt', lines));
  await expect(page.getByText('jakarta.txt', { exact: true })).toBeVisible();
  await expect(page.getByText('0.08 KB', { exact: true })).toBeVisible();
  const upload = await holdRequests(page, 'POST', '**/api/proxies/upload');
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled();
  upload.letGo();

  const panel = page.getByRole('region', { name: 'Upload Proxies' });
  await expect(panel.getByRole('status').filter({ hasText: 'uploaded' })).toHaveText(
    'Proxies uploaded successfully',
  );
  const made = panel.getByText(/^set-\d{8}-\d\d$/);
  await expect(made).toBeVisible();
  const name = String(await made.textContent());
  const facts = panel.getByRole('definition');
  await expect(facts.nth(1)).toHaveText('2');
  const day = name.replace(/^set-(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3');
  const expiry = new Date(Date.parse(`${day}T12:00:00+07:00`) + 30 * 86_400_000);
  await expect(facts.nth(2)).toContainText(
    expiry.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Asia/Jakarta' }),
  );
  await expect(panel.getByText('203.0.113.7:8080', { exact: true })).toBeVisible();
  await expect(facts.nth(3)).toHaveText('1');
  await expect(panel.locator('div[role="status"]')).toContainText('2 lines could not be used');
  await expect(panel.getByText('Line 5: Loopback and private addresses are not accepted')).toBeVisible();
  await expect(panel.getByText('Line 6: Not IP:PORT')).toBeVisible();
  await expect(page.getByText('jakarta.txt')).toHaveCount(0);
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'View proxy sets' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Proxy Management' })).toBeVisible();

  const summary = page.getByRole('region', { name: 'Proxy sets in numbers' });
  await expect(figuresOf(summary)).toHaveText([
    /^Total Sets\d+$/,
    /^Active\d+$/,
    'Inactive0',
    /^Total Proxies\d+$/,
  ]);
  await expect(page.getByRole('tab')).toHaveText(['All Sets', 'Active', 'Inactive']);
  await page.getByRole('tab', { name: 'Active', exact: true }).click();
  await expect(cardOf(page, name)).toBeVisible();
  await page.getByRole('tab', { name: 'Inactive' }).click();
  await expect(page).toHaveURL(/status=Inactive/);
  await expect(page.getByText('No proxy sets found', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'All Sets' }).click();

  await cardOf(page, name).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
  const question = 'Are you sure you want to delete this proxy set? This action cannot be undone.';
  await expect(dialog.getByText(question, { exact: true })).toBeVisible();
  await expect(dialog.getByText('2 proxies will be deleted.', { exact: true })).toBeVisible();
  await expectAccessible(page);
  const deletion = await holdRequests(page, 'DELETE', `**/api/proxies/${name}`);
  await dialog.getByRole('button', { name: 'Delete Proxy Set' }).click();
  await expect(page.getByRole('button', { name: 'Deleting...' })).toBeDisabled();
  deletion.letGo();
  await expect(cardOf(page, name)).toHaveCount(0);
  const { data } = await call<{ data: { proxy_set: string }[] }>(
    'GET',
    '/proxies/sets',
    undefined,
    await tokenOf(admin()),
  );
  expect(data.map((set) => set.proxy_set)).not.toContain(name);
});

test('a set shows its proxies, to be copied one by one or all at once, also where the browser refuses its clipboard', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const proxies = Array.from({ length: 130 }, (_, index) => `198.51.100.${index}:${8000 + index}`);
  const name = await uploadSet(proxies);
  await page.clock.install();
  await page.goto('/dashboard/proxies');
  const card = cardOf(page, name);
  await expect(card.getByText('Active', { exact: true })).toBeVisible();
  await expect(card.getByText('130', { exact: true })).toBeVisible();
  await expect(card.getByText(/^29 days 23 hours$/)).toBeVisible();
  await card.click({ position: { x: 150, y: 60 } });

  const dialog = page.getByRole('dialog', { name });
  await expect(dialog.getByText('130 proxies')).toBeVisible();
  await expect(dialog.getByRole('listitem')).toHaveCount(100);
  await dialog.getByRole('button', { name: 'Show 30 more' }).press('Enter');
  await expect(dialog).toBeFocused();
  await expect(dialog.getByRole('listitem')).toHaveCount(130);
  await expectAccessible(page);

  await pauseClock(page);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  await dialog.getByRole('button', { name: 'Copy 198.51.100.3:8003' }).click();
  await expect(dialog.getByText('Copied!', { exact: true })).toBeVisible();
  expect(await clipboard()).toBe('198.51.100.3:8003');
  await page.clock.runFor(1900);
  await expect(dialog.getByText('Copied!', { exact: true })).toBeVisible();
  await page.clock.runFor(200);
  await expect(dialog.getByText('Copied!', { exact: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Copy All' }).click();
  await expect(dialog.getByText('Copied!', { exact: true })).toBeVisible();
  expect(await clipboard()).toBe(proxies.join('\n'));
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name })).toBeFocused();

  // As text: the checks of the tests know no browser's words.
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', {
    value: { writeText: () => Promise.reject(new Error('not allowed')) },
  })`);
  await page.clock.runFor(2100);
  await card.click({ position: { x: 150, y: 60 } });
  await expect(dialog.getByText('130 proxies')).toBeVisible();
  await expect(dialog.getByText('Copied!', { exact: true })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Copy All' }).click();
  await expect(dialog.getByRole('button', { name: 'Copied!' })).toBeFocused();
});
