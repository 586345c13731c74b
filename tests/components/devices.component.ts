import { listDevices, readDeviceFigures } from '#features/devices/devices.contract.ts';
import { createView, listViews } from '#features/devices/views.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const pagination = {
  page: 1,
  limit: 10,
  totalPages: 0,
  totalItems: 0,
  hasNextPage: false,
  hasPrevPage: false,
};

function answerNothing(api: FakeApi): void {
  api.answer(listDevices, {
    data: [],
    pagination,
    counts: { all: 0, activated: 0, unactivated: 0, unknown: 0, ending_30: 0, expired: 0 },
  });
  api.answer(readDeviceFigures, {
    ending_30: 0,
    ending_60: 0,
    ending_90: 0,
    ending_180: 0,
    covered: 0,
    never_covered: 0,
    changed_7: 0,
    changed_30: 0,
    since_7: '2026-11-18',
    since_30: '2026-10-26',
    types: [],
    warranties: [],
    sources: [],
  });
  api.answer(listViews, { data: [], pagination });
}

test('an empty register says where devices come from, and a refused view keeps its dialog open', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  api.refuse(createView, 409, 'You have 50 views already. Delete one, then save this one.');
  await open('/dashboard/devices', 'user');
  await expect(page.getByText('No devices yet')).toBeVisible();
  await page.getByRole('button', { name: 'Save view' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save view' });
  await dialog.getByLabel('Name').fill('One more');
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/50 views already/);
  await expectAccessible(page);
  await expect(dialog.getByLabel('Name')).toHaveValue('One more');
});
