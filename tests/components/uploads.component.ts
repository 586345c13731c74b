import { findTickets, getActivity, type TicketMatch } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerFound } from '#tests/support/browser/made-up-rows.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/uploads';
const rina = { _id: '3', name: 'Rina Wulandari Kusumawardhani', email: 'rina@example.com' };

const running: Partial<TicketMatch> = {
  _id: '104831',
  ticket_number: '104831',
  file_name:
    'Inventaris perangkat Kantor Wilayah Jawa Tengah dan DI Yogyakarta 2026-Q3 (final revisi 2).xlsx',
  status: 'Processing',
  kind: 'upload',
  imported: true,
  uploaded_by: rina,
  total: 120_000,
  done: 68_112,
  failed: 1_204,
  percent: 57,
  total_amount: 54_489_600,
};
const finished: Partial<TicketMatch> = { ...running, status: 'Completed', percent: 100, failed: 12 };
const all: Partial<TicketMatch>[] = [
  running,
  {
    ...finished,
    _id: '9',
    ticket_number: '9',
    file_name: null,
    kind: 'paste',
    total: 26,
    total_amount: 11_200,
  },
  { ...finished, _id: '8', ticket_number: '8', file_name: 'recheck_ACM001_2026-01-05', kind: 'recheck' },
  {
    ...{ _id: '7', ticket_number: '7', kind: 'order', status: 'Pending', imported: false },
    ...{ total: 100, done: 0, failed: 0, percent: 0, total_amount: 0 },
  },
  {
    ...running,
    _id: '6',
    ticket_number: '6',
    file_name: 'fleet.xlsx',
    status: 'Cancelled',
    uploaded_by: null,
  },
];

test('uploads have the names that people know, and follow a running ticket', async ({ page, api, open }) => {
  answerFound(api, ...all);
  await open(path, 'user');
  const table = page.getByRole('table', { name: 'List of uploads' });
  const links = table.getByRole('link').filter({ hasText: /./ });
  await expect(links).toHaveText([
    /^Inventaris perangkat/,
    'Pasted, 26 serials',
    'Recheck of January 2026',
    'Order of 100',
    'fleet.xlsx',
  ]);
  await expectAccessible(page, allWidths);
  const row = page.getByRole('row', { name: /^Inventaris/ });
  await expect(row).toContainText('57%');
  answerFound(api, { ...running, percent: 100, status: 'Completed' });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(row).toContainText('100%');
  await expect(row.getByRole('button', { name: /^Stop/ })).toHaveCount(0);
  // The list of superadmins has it in a menu.
  const compare = row.getByRole('link', { name: /^Compare Inventaris/ });
  await expect(compare).toHaveAttribute('href', '/dashboard/tickets/104831/compare');
});

test('on phones the rows, progress and failures of an upload are not cut off, in both languages', async ({
  page,
  api,
  open,
}) => {
  const order = { ...all[3], total: 1_000_000 };
  answerFound(api, running, order);
  await open(path, 'user');
  const rows = page.getByRole('cell').filter({ hasText: /^[\d.,]+$/ });
  for (const language of ['id', 'en']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel(/Bahasa|Language/).selectOption(language);
    await page.setViewportSize({ width: 360, height: 844 });
    await expect(rows).toHaveCount(4);
    for (const cell of await rows.all()) {
      await expect
        .poll(() => runOn<number>(cell, 'return element.scrollWidth - element.clientWidth;'))
        .toBe(0);
    }
    const upload = page.getByRole('row', { name: /^Inventaris/ });
    await expect(upload.getByText('57%', { exact: true })).toBeInViewport({ ratio: 1 });
    await expect(upload.getByText(language === 'id' ? '1.204' : '1,204', { exact: true })).toBeVisible();
    await expectAccessible(page, allWidths);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a first visit leads to the upload', async ({ page, api, open }) => {
  answerFound(api);
  await open(path, 'company-admin');
  await expect(page.getByText('Upload your first sheet')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Upload Data' })).toBeVisible();
  await expectAccessible(page);
});

test('uploads that cannot be read are not shown as none', async ({ page, api, open }) => {
  api.failWordless(findTickets);
  await open(path, 'user');
  await expect(page.getByRole('alert')).toHaveText('Failed to fetch data');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(page.getByText('Upload your first sheet')).toHaveCount(0);
});

test('superadmins have Tickets instead', async ({ page, open }) => {
  await open(path, 'superadmin');
  await expect(page.getByRole('heading', { level: 1, name: 'Access Denied' })).toBeVisible();
});
