import { deleteProxySet, listProxySets, uploadProxies } from '#features/proxies/proxies.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/proxies';
const uploadPath = '/dashboard/upload-proxies';

const textFile = (name: string, content: string | Buffer, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

// A set that expired years ago: no test can wait for one.
const set = {
  _id: '1',
  proxy_set: 'set-20200101-01',
  status: 'Inactive' as const,
  proxies_count: 2,
  date: '2020-01-01T00:00:00.000Z',
  expire_date: '2020-01-31T00:00:00.000Z',
  remaining_time: null,
  proxies: ['203.0.113.1:80', '203.0.113.2:80'],
};

function answerNone(api: FakeApi): void {
  api.answer(listProxySets, { data: [], summary: { total: 0, active: 0, inactive: 0, total_proxies: 0 } });
}

function answerSet(api: FakeApi): void {
  api.answer(listProxySets, {
    data: [set],
    summary: { total: 1, active: 0, inactive: 1, total_proxies: 2 },
  });
}

test('Upload Proxies says why it refuses a file', async ({ page, api, open }) => {
  const useless = 'The file has no usable proxy. Nothing was stored; write one IP:PORT per line.';
  api.refuse(uploadProxies, 422, useless);
  await open(uploadPath, 'superadmin');
  const input = page.locator('input[type=file]');
  // A busy machine may show the shell's own notice, too.
  const alert = page.getByRole('alert').filter({ hasText: /./, hasNotText: 'The server does not answer' });
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(alert).toHaveText('Please select a file to upload');
  await input.setInputFiles(textFile('proxies.csv', '203.0.113.7:8080', 'text/csv'));
  await expect(alert).toHaveText('Please select a valid text file (.txt)');
  await expect(page.getByText('proxies.csv')).toHaveCount(0);
  await page.getByLabel('Language').selectOption('id');
  await expect(alert).toHaveText('Silakan pilih file teks yang valid (.txt)');
  await page.getByLabel('Bahasa').selectOption('en');
  await input.setInputFiles(textFile('large.txt', Buffer.alloc(10 * 1024 * 1024 + 1, '1')));
  await expect(alert).toHaveText('The file is larger than 10MB. Split it and upload the parts one by one.');
  await input.setInputFiles(textFile('PROXIES.TXT', '# nothing', 'application/octet-stream'));
  await expect(alert).toHaveCount(0);
  await input.setInputFiles(textFile('proxies.csv', '# nothing', 'text/csv'));
  await expect(alert).toHaveText('Please select a valid text file (.txt)');
  await input.setInputFiles(textFile('proxies', '# nothing'));
  await expect(alert).toHaveCount(0);
  await input.setInputFiles(textFile('empty.txt', '# nothing'));
  await expect(alert).toHaveCount(0);
  await page.getByRole('button', { name: 'Remove file' }).click();
  await expect(page.getByText('empty.txt')).toHaveCount(0);
  expect(api.bodiesOf(uploadProxies)).toEqual([]);
  await input.setInputFiles(textFile('empty.txt', '# nothing'));
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(alert).toHaveText(useless);
  api.failWordless(uploadProxies);
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(alert).toHaveText('Failed to upload file');
});

test('Proxy Management without any set says how to begin', async ({ page, api, open }) => {
  answerNone(api);
  await open(path, 'superadmin');
  await expect(page.getByText('No proxy sets found', { exact: true })).toBeVisible();
  await expect(page.getByText('Upload your first proxy set to get started', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('link', { name: 'Upload Proxies' }).click();
  await expect(page).toHaveURL(/\/dashboard\/upload-proxies$/);
});

test('Proxy Management offers Retry after a failed read, marks an expired set and shows a failed deletion', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listProxySets);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open(path, 'superadmin');
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
  answerSet(api);
  await page.getByRole('button', { name: 'Retry' }).click();
  const card = page.getByRole('article', { name: set.proxy_set });
  await expect(card.getByText('Inactive', { exact: true })).toBeVisible();
  await expect(card.getByText('January 1, 2020', { exact: true })).toBeVisible();
  await expect(card.getByText('Jan 31, 2020 • 07:00', { exact: true })).toBeVisible();
  await expect(card.getByText('Remaining')).toHaveCount(0);
  await page.getByRole('tab', { name: 'Inactive' }).click();
  await expect(card).toBeVisible();
  await page.getByRole('tab', { name: 'Active', exact: true }).click();
  await expect(card).toHaveCount(0);
  await page.getByRole('tab', { name: 'All Sets' }).click();
  const words = 'Proxy set not found. It may have been deleted; reload the list.';
  api.refuse(deleteProxySet, 404, words);
  await card.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Proxy Set' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(words);
});

test('an open proxy set that is deleted elsewhere stays, and says so', async ({ page, api, open }) => {
  answerSet(api);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: set.proxy_set }).click();
  const dialog = page.getByRole('dialog', { name: set.proxy_set });
  await expect(dialog.getByText('203.0.113.2:80')).toBeVisible();
  answerNone(api);
  await lookAgain(page);
  await expect(dialog.getByRole('status')).toHaveText(
    'This proxy set was deleted. It is no longer used for lookups.',
  );
  await expect(dialog.getByText('203.0.113.2:80')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('the question of a deletion whose answer is lost stays with its message until it is closed', async ({
  page,
  api,
  open,
}) => {
  answerSet(api);
  api.loseAnswer(deleteProxySet);
  await open(path, 'superadmin');
  await page.getByRole('article').getByRole('button', { name: 'Delete' }).click();
  answerNone(api);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete Proxy Set' }).click();
  await expect(page.getByText('No proxy sets found', { exact: true })).toBeAttached();
  await expect(dialog.getByRole('alert')).toContainText('No answer arrived.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
});
