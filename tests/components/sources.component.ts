import { listSources, pauseSource, resumeSource, trySource } from '#features/sources/sources.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { doubleClick } from '#tests/support/browser/double-click.ts';
import { source } from '#tests/support/browser/made-up-operations.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const nothing = {
  type: null,
  activation_status: null,
  purchase_date: null,
  warranty_title: null,
  coverage_start_date: null,
  coverage_end_date: null,
};

test('a try shows why a field could not be read, beside what was found', async ({ page, api, open }) => {
  const reason = 'Found "2024.12.16". Accepted: an ISO date';
  api.answer(listSources, { data: [source], processes: [] });
  api.answer(trySource, {
    serial: '356938030010004',
    kind: 'imei',
    exchanges: [],
    outcome: 'found',
    details: null,
    row: nothing,
    problems: [{ path: 'fields.purchase_date', reason }],
  });
  await open('/dashboard/sources', 'superadmin');
  await page.getByRole('button', { name: 'Try a serial' }).click();
  const dialog = page.getByRole('dialog', { name: 'Try a serial at Shop check' });
  await dialog.getByLabel('Serial').fill('356938030010004');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByText('found', { exact: true })).toBeVisible();
  const problems = dialog.getByRole('region', { name: 'Could not be read' });
  await expect(problems.getByRole('term')).toHaveText('fields.purchase_date');
  await expect(problems.getByRole('definition')).toHaveText(reason);
  await expectAccessible(page);
});

test('a double click pauses a source and does not resume it', async ({ page, api, open }) => {
  api.answer(listSources, { data: [source], processes: [] });
  api.answer(pauseSource, { source });
  api.answer(resumeSource, { source });
  await open('/dashboard/sources', 'superadmin');
  const main = page.getByRole('main');
  const resume = main.getByRole('button', { name: 'Resume' });
  await doubleClick(page, main.getByRole('button', { name: 'Pause' }), async () => {
    api.answer(listSources, { data: [{ ...source, state: 'off', reason: 'paused' }], processes: [] });
    await expect(resume).toBeEnabled();
  });
  await resume.click();
  await expect.poll(() => api.bodiesOf(resumeSource)).toHaveLength(1);
  expect(api.bodiesOf(pauseSource)).toHaveLength(1);
});

test('a failed read, try or pause of a source shows its reason where it happened', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listSources);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/sources', 'superadmin');
  await expect(page.getByText('Failed to fetch data', { exact: true })).toBeVisible();
  // Held back, so that no poll ends the failure before Retry is pressed.
  api.answer(listSources, { data: [source], processes: [] });
  const held = api.hold(listSources);
  await page.getByRole('button', { name: 'Retry' }).click();
  held.letGo();
  const words = 'This is not a valid IMEI, MEID or serial number';
  api.refuse(trySource, 400, words);
  await page.getByRole('button', { name: 'Try a serial' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Serial').fill('356938030010005');
  await dialog.getByRole('button', { name: 'Ask' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(words);
  await page.keyboard.press('Escape');
  api.failWordless(pauseSource);
  await page.getByRole('main').getByRole('button', { name: 'Pause' }).click();
  await expect(
    page.getByText('Failed to pause Shop check. It is still asked; please try again.'),
  ).toBeVisible();
});

test('the dialog of an own list says how many devices the list has now, also after another upload', async ({
  page,
  api,
  open,
}) => {
  const listed = (devices: number) => ({
    data: [{ ...source, kind: 'registry', registry: { devices, uploaded_at: '2026-11-23T08:30:00.000Z' } }],
    processes: [],
  });
  api.answer(listSources, listed(120));
  await open('/dashboard/sources', 'superadmin');
  await page.getByRole('button', { name: 'Replace the list' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a list for Shop check' });
  await expect(dialog).toContainText('120');
  api.answer(listSources, listed(2400));
  await expect(dialog).toContainText('2,400');
  api.answer(listSources, { data: [], processes: [] });
  await expect(page.getByText('No sources are configured')).toBeAttached();
  await expect(dialog).toBeVisible();
});
