import { getStatus } from '#features/operations/operations.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { status } from '#tests/support/browser/made-up-operations.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

test('the status shows processes, queue, database and the last backup', async ({ page, api, open }) => {
  api.answer(getStatus, status);
  await open('/dashboard/status', 'superadmin');
  await expect(page.getByRole('heading', { level: 1, name: 'Status' })).toBeVisible();
  const worker = page.getByRole('row', { name: /1 worker .*worker-with-a-long-name/ });
  await expect(worker.getByRole('cell', { name: '118, 120, 121' })).toBeVisible();
  await expect(worker.getByRole('cell', { name: 'gsx (40), warranty-service (24)' })).toBeVisible();
  await expect(page.getByText('3.1 GB')).toBeVisible();
  await expect(page.getByText('Size on Oct 22, 2026')).toBeVisible();
  await expect(page.getByText('858.3 MB')).toBeVisible();
  await expect(page.getByText('PostgreSQL 18.4')).toBeVisible();
  await expect(page.getByText('In use, 12 KB behind')).toBeVisible();
  await expect(page.getByText('Complete', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('a table of processes wider than the window fades where more of it lies; on a phone each process is a list', async ({
  page,
  api,
  open,
}) => {
  api.answer(getStatus, status);
  await page.setViewportSize({ width: 820, height: 844 });
  await open('/dashboard/status', 'superadmin');
  const processes = page.getByRole('group', { name: 'Running processes' });
  const fade = () =>
    runOn<string>(processes, `return getComputedStyle(element.parentElement, '::after').opacity`);
  await expect(processes).toBeVisible();
  await expect.poll(fade).toBe('1');
  await processes.evaluate((box) => box.scrollTo(box.scrollWidth, 0));
  await expect.poll(fade).toBe('0');
  await page.setViewportSize({ width: 360, height: 740 });
  await expect
    .poll(() => runOn<number>(processes, 'return element.scrollWidth - element.clientWidth;'))
    .toBe(0);
  await expect(processes.getByRole('row', { name: /worker-with-a-long-name/ })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a failed backup is shown with its reason', async ({ page, api, open }) => {
  const backup = {
    last_at: '2026-11-21T20:00:00.000Z',
    size_bytes: null,
    ok: false,
    error: 'ENOSPC: no space left',
  };
  api.answer(getStatus, { ...status, backup, backup_overdue: true });
  await open('/dashboard/status', 'superadmin');
  await expect(page.getByText('The last backup failed')).toBeVisible();
  await expect(page.getByText('ENOSPC: no space left')).toBeVisible();
  await expect(page.getByText('Failed', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('a replica that is behind or lost is shown as such, and a status without a backup says how to get one', async ({
  page,
  api,
  open,
}) => {
  for (const [state, text] of [
    ['behind', 'Too far behind: reads go to the primary'],
    ['lost', 'Lost: reads go to the primary'],
  ] as const) {
    const replica = { state, lag_bytes: null };
    api.answer(getStatus, { ...status, replica, backup: null, backup_scheduled: false });
    await open('/dashboard/status', 'superadmin');
    await expect(page.getByText(text)).toBeVisible();
    await expect(page.getByText('Set BACKUP_DIR for one each day.')).toBeVisible();
  }
});
