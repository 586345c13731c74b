import { getOwnCompany, listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { listViews } from '#features/devices/views.contract.ts';
import {
  getRecheck,
  listRecheckChanges,
  putRecheck,
  type Recheck,
  type RecheckChange,
  runRecheck,
} from '#features/rechecks/rechecks.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { describePage } from '#shared/describe-page.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const counts = { activated: 0, extended: 0, ended: 0, not_found: 0, other: 0 };
const recheck: Recheck = {
  active: true,
  cadence: 'monthly',
  view_id: '7',
  view_name: null,
  cap: 100,
  next_on: '2026-12-01',
  version: 3,
  count: 250,
  runs: [
    {
      at: '2026-11-01T00:01:00.000Z',
      due_on: '2026-11-01',
      ticket_number: null,
      status: null,
      refusal: 'too_many_devices',
      count: 240,
    },
  ],
};

function answer(api: FakeApi, change: Partial<Recheck> = {}): void {
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  api.answer(getOwnCompany, {
    client: { _id: '1', company_name: 'Acme', company_code: 'ACM001', status: '1', bill_known: true },
  });
  api.answer(getRecheck, { ...recheck, ...change });
  api.answer(listViews, pageOf([]));
  api.answer(listRecheckChanges, { ...pageOf([]), counts, ticket_number: null });
}

test('saved views that cannot be read say so, with Retry', async ({ page, api, open }) => {
  answer(api);
  api.failWordless(listViews);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/rechecks', 'user');
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText('Saved views could not be loaded.');
  api.answer(listViews, pageOf([]));
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toHaveCount(0);
});

test('more devices than the limit: the run is off, the refused one is told, a failed save keeps what was typed', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  api.refuse(putRecheck, 503, 'The database does not answer');
  await open('/dashboard/rechecks', 'superadmin');
  await expect(page.getByText('Its schedule appears here.')).toBeVisible();
  await page.getByLabel('Company Code').fill('acm001');
  await page.getByRole('option', { name: /ACM001/ }).click();
  await expect(page.getByText(/240 devices were more than the limit/)).toBeVisible();
  await expect(page.getByText(/250 devices .* limit is 100/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
  await expect(page.getByLabel('Devices', { exact: true })).toContainText('Private view of a colleague');
  await expect(page.getByText('No report yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('At most').fill('300');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText(/does not answer/);
  await expect(page.getByLabel('At most')).toHaveValue('300');
});

test('a save names the version that was read last; a stale one keeps what was typed and shows the rest as stored', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  await open('/dashboard/rechecks', 'user');
  const save = page.getByRole('button', { name: 'Save' });
  api.answer(putRecheck, { ...recheck, cap: 300, version: 4 });
  await page.getByLabel('At most').fill('300');
  await save.click();
  await expect(save).toBeEnabled();
  api.refuse(putRecheck, 409, 'These settings were changed by someone else.', { code: 'changed_meanwhile' });
  await page.getByLabel('At most').fill('400');
  api.answer(getRecheck, { ...recheck, cadence: 'quarterly', cap: 350, version: 7 });
  await save.click();
  await expect(page.getByRole('alert')).toHaveText(
    /^Someone else changed these settings\. What you changed is kept/,
  );
  await expect(page.getByLabel('At most')).toHaveValue('400');
  await expect(page.getByLabel('How often')).toHaveValue('quarterly');
  await save.click();
  await expect.poll(() => api.bodiesOf(putRecheck).map(({ version }) => version)).toEqual([3, 4, 7]);
});

test('an untouched form shows what a colleague saved, and is saved on top of it', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  await open('/dashboard/rechecks', 'user');
  const active = page.getByRole('switch');
  await expect(active).toBeChecked();
  answer(api, { active: false, cadence: 'quarterly', version: 4 });
  api.answer(getActivity, { ...quiet, register_revision: '1' });
  await lookAgain(page);
  await expect(active).not.toBeChecked();
  await expect(page.getByLabel('How often')).toHaveValue('quarterly');
  await page.getByLabel('At most').fill('300');
  api.answer(putRecheck, { ...recheck, active: false, cadence: 'quarterly', cap: 300, version: 5 });
  await page.getByRole('button', { name: 'Save' }).click();
  await expect
    .poll(() => api.bodiesOf(putRecheck))
    .toEqual([{ active: false, cadence: 'quarterly', view_id: '7', cap: 300, version: 4 }]);
});

test('the report of a run has its kinds with counts, narrows to one, and shows each change in words', async ({
  page,
  api,
  open,
}) => {
  const run = { due_on: null, refusal: null, count: null };
  answer(api, {
    view_id: null,
    count: 12,
    runs: [
      { ...run, at: '2026-11-24T03:00:00.000Z', ticket_number: '1204', status: 'Processing' },
      { ...run, at: '2026-10-01T00:01:00.000Z', ticket_number: '1117', status: 'Completed' },
    ],
  });
  const data: RecheckChange[] = [
    {
      _id: '1',
      serial_number: '353285100000017',
      kind: 'activated',
      changes: {
        activation_status: ['unactivated', 'activated'],
        coverage_end_date: [null, '2027-11-23'],
        warranty_title: [null, 'AppleCare+ for Business Essentials, 24 months'],
      },
      fields: { employee: 'Siti Rahma' },
    },
    {
      _id: '2',
      serial_number: '353285100000025',
      kind: 'extended',
      changes: { coverage_end_date: ['2026-12-31', '2027-12-31'] },
      fields: {},
    },
    {
      _id: '3',
      serial_number: 'C02ABCD1EFGH',
      kind: 'ended',
      changes: { coverage_end_date: ['2027-01-05', null] },
      fields: {},
    },
    { _id: '4', serial_number: '353285100000041', kind: 'not_found', changes: {}, fields: {} },
    {
      _id: '5',
      serial_number: '353285100000058',
      kind: 'other',
      changes: { type: ['iPhone 15', 'iPhone 15 Pro'] },
      fields: {},
    },
  ];
  const found = { activated: 1, extended: 1, ended: 1, not_found: 1, other: 1 };
  const report = { counts: found, ticket_number: '1204' };
  api.answer(listRecheckChanges, { ...report, ...pageOf(data) });
  api.failWordless(getFields);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/rechecks', 'user');
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: /^Recheck of November/ })).toHaveAttribute('href', /\/1204$/);
  await expect(page.getByLabel('Report of').getByRole('option')).toHaveText([
    /^Recheck of November .*#1204, /,
    /^Recheck of October .*#1117, /,
  ]);
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  await main.getByRole('button', { name: 'Retry' }).click();
  const table = page.getByRole('table', { name: 'Changes' });
  await expect(table.getByRole('row')).toHaveCount(6);
  await expect(table.getByRole('columnheader', { name: 'Employee' })).toBeVisible();
  await expect(table.getByRole('cell', { name: 'Siti Rahma' })).toBeVisible();
  await expect(table).toContainText('Status: Unactivated → Activated');
  await expect(page.getByText('The ticket is still running')).toBeVisible();
  const link = table.getByRole('link', { name: '353285100000025' });
  await expect(link).toHaveAttribute('href', '/dashboard/devices?q=353285100000025&device=2');
  await expectAccessible(page);
  await takePictures(page, allWidths);

  const pagination = describePage(101, 10, 1001);
  api.answer(listRecheckChanges, { ...report, data: data.slice(1, 2), pagination });
  const kinds = page.getByRole('group', { name: 'Show changes' });
  await kinds.getByRole('button', { name: /^Extended/ }).press('Enter');
  await expect(page).toHaveURL(/kind=extended/);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('1,001');
  await page.getByLabel('Report of').selectOption({ index: 1 });
  await expect(page).toHaveURL(/ticket=1117/);
});

test('the report on screen stays with its ticket when a newer run has made one', async ({
  page,
  api,
  open,
}) => {
  const run = { due_on: null, refusal: null, count: null, status: 'Completed' as const };
  const older = { ...run, at: '2026-11-01T00:01:00.000Z', ticket_number: '1118' };
  const newer = { ...run, at: '2026-11-24T03:00:00.000Z', ticket_number: '1119' };
  const report = { ...pageOf([]), counts: { ...counts, extended: 3 } };
  answer(api, { count: 12, runs: [older] });
  api.answer(listRecheckChanges, { ...report, ticket_number: '1118' });
  await open('/dashboard/rechecks', 'user');
  const choice = page.getByLabel('Report of');
  await expect(choice).toHaveValue('1118');
  answer(api, { count: 12, runs: [newer, older] });
  api.answer(listRecheckChanges, { ...report, counts, ticket_number: '1119' });
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/changes')) asked.push(searchParams.get('ticket_number'));
  });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(choice.getByRole('option')).toHaveCount(2);
  await expect(choice).toHaveValue('1118');
  await expect.poll(() => new Set(asked)).toEqual(new Set(['1118']));
  await choice.selectOption('1119');
  await expect.poll(() => asked.at(-1)).toBe('1119');
  await expect(choice).toHaveValue('1119');
});

test('a run that is refused keeps its question open and says why', async ({ page, api, open }) => {
  answer(api, { view_id: null, count: 12, runs: [] });
  api.refuse(runRecheck, 403, 'Your company is Inactive');
  await open('/dashboard/rechecks', 'user');
  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run now' });
  await expect(dialog).toContainText('12 devices');
  await dialog.getByRole('button', { name: 'Make ticket' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/Inactive/);
  await expectAccessible(page);
});

test('the question before a run has the present number of devices, and the run names it', async ({
  page,
  api,
  open,
}) => {
  answer(api, { view_id: null, count: 12, cap: 1000, runs: [] });
  await open('/dashboard/rechecks', 'user');
  await expect(page.getByText('would check now: 12')).toBeVisible();
  api.answer(getRecheck, { ...recheck, view_id: null, cap: 1000, runs: [] });
  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run now' });
  await expect(dialog).toContainText('250 devices');
  api.refuse(runRecheck, 409, 'Another number of devices is to be checked now (251).');
  api.answer(getRecheck, { ...recheck, view_id: null, cap: 1000, count: 251, runs: [] });
  await dialog.getByRole('button', { name: 'Make ticket' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(/\(251\)/);
  await expect(dialog).toContainText('A ticket with 251 devices');
  expect(api.bodiesOf(runRecheck)).toEqual([{ count: 250 }]);

  api.answer(getRecheck, { ...recheck, view_id: null, cap: 100, runs: [] });
  await dialog.getByRole('button', { name: 'Make ticket' }).click();
  await expect(dialog).toContainText('limit is 100');
  await expect(dialog.getByRole('button', { name: 'Make ticket' })).toBeDisabled();
});

test('a run whose answer is lost is sent again under its key with its count, also if it is another by now', async ({
  page,
  api,
  open,
}) => {
  const before = { view_id: null, cap: 1000, runs: [] };
  answer(api, { ...before, count: 12 });
  await open('/dashboard/rechecks', 'user');
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run now' });
  const make = dialog.getByRole('button', { name: 'Make ticket' });
  api.failWordless(runRecheck, 502);
  answer(api, { ...before, count: 11 });
  await make.click();
  await expect(dialog.getByRole('alert')).toContainText('No answer arrived');
  await expect(page.getByText('would check now: 11')).toBeVisible();
  await expect(dialog).toContainText('A ticket with 12 devices');
  api.refuse(runRecheck, 409, 'Another number of devices is to be checked now (11).');
  await make.click();
  await expect(dialog.getByRole('alert')).toHaveText(/\(11\)/);
  await expect(dialog).toContainText('A ticket with 11 devices');
  await make.click();
  await expect.poll(() => api.bodiesOf(runRecheck)).toEqual([{ count: 12 }, { count: 12 }, { count: 11 }]);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

test('a deleted view is named, and nothing can be run', async ({ page, api, open }) => {
  answer(api, { count: null, runs: [] });
  await open('/dashboard/rechecks', 'user');
  await expect(page.getByLabel('Devices', { exact: true })).toContainText('Deleted view');
  await expect(
    page.getByText('Its view, or a column in its filter, was deleted. Choose another view and save.'),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run now' })).toBeDisabled();
});
