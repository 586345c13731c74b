import { getFields } from '#features/devices/fields.contract.ts';
import {
  type Comparison,
  compareTickets,
  downloadTicketChanges,
  listTicketChanges,
  type TicketChange,
} from '#features/results/results.contract.ts';
import { findTickets, getActivity, getTicket } from '#features/tickets/tickets.contract.ts';
import { describePage } from '#shared/describe-page.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerFound, answerRows, makeRows, ticket } from '#tests/support/browser/made-up-rows.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

const newer = {
  ...ticket,
  kind: 'upload' as const,
  imported: true,
  total: 118_204,
  done: 118_120,
  failed: 84,
  file_name: 'Laporan garansi seluruh perangkat kuartal keempat 2026.xlsx',
};
const older = { ...newer, _id: '6', ticket_number: '6', file_name: 'fleet-2026-q3.xlsx', total: 118_197 };
const counts = {
  ...{ all: 118_204, activated: 101_382, unactivated: 15_020, unknown: 1718, failed: 84, pending: 0 },
  ...{ ending_30: 2204, expired: 31_377, reasons: { 'Not found': 84 } },
};
const comparison: Comparison = {
  first: { ticket: older, counts },
  second: { ticket: newer, counts: { ...counts, all: 118_197 } },
  serials: { both: 117_902, only_first: 302, only_second: 295 },
};
const lost = {
  type: ['iPhone 15', null],
  activation_status: ['activated', null],
  coverage_end_date: ['2027-01-05', null],
} satisfies TicketChange['changes'];
const data: TicketChange[] = [
  {
    _id: '7-1',
    serial_number: '353285100000017',
    kind: 'activated',
    changes: {
      activation_status: ['unactivated', 'activated'],
      warranty_title: [null, 'AppleCare+ for Business Essentials, 24 months'],
      coverage_end_date: [null, '2027-11-23'],
    },
    fields: { employee: 'Siti Rahma' },
  },
  {
    _id: '7-2',
    serial_number: '353285100000025',
    kind: 'extended',
    changes: { coverage_end_date: ['2026-12-31', '2027-12-31'] },
    fields: {},
  },
  {
    _id: '7-3',
    serial_number: 'C02ABCD1EFGH',
    kind: 'ended',
    changes: { coverage_end_date: ['2027-01-05', null] },
    fields: {},
  },
  { _id: '7-4', serial_number: '353285100000041', kind: 'not_found', changes: lost, fields: {} },
  {
    _id: '7-5',
    serial_number: '353285100000058',
    kind: 'other',
    changes: { type: ['iPhone 15', 'iPhone 15 Pro'] },
    fields: {},
  },
  {
    _id: '7-6',
    serial_number: '353285100000066',
    kind: 'added',
    changes: { type: [null, 'Galaxy S24 Ultra'], activation_status: [null, 'unactivated'] },
    fields: {},
  },
  { _id: '6-9', serial_number: '353285100000074', kind: 'removed', changes: lost, fields: {} },
];
const found = {
  activated: 1204,
  extended: 87,
  ended: 310,
  not_found: 12,
  other: 5,
  added: 295,
  removed: 302,
};
const none = { activated: 0, extended: 0, ended: 0, not_found: 0, other: 0, added: 0, removed: 0 };

function answer(api: FakeApi, change: Partial<Comparison> = {}): void {
  api.answer(getTicket, { ticket: newer });
  answerFound(api, older);
  api.answer(compareTickets, { ...comparison, ...change });
  api.answer(listTicketChanges, { ...pageOf(data), counts: found });
}

test('a comparison lists each change in words, narrows to one kind, and says why there is none', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  const loading = api.hold(listTicketChanges);
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  await open('/dashboard/tickets/7/compare', 'user');
  await expect(page.getByRole('heading', { level: 1, name: 'Compare tickets 6 and 7' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Compare with' })).toHaveValue(/6/);
  const table = page.getByRole('table', { name: 'Changed devices' });
  await expect(table).toHaveAttribute('aria-busy', 'true');
  loading.letGo();
  await expect(table.getByRole('row')).toHaveCount(8);
  const row = (serial: string) => table.getByRole('row', { name: serial });
  await expect(row('353285100000017')).toContainText('Status: Unactivated → Activated');
  await expect(table.getByRole('columnheader', { name: 'Employee' })).toBeVisible();
  await expect(row('353285100000017').getByRole('cell', { name: 'Siti Rahma' })).toBeVisible();
  await expect(row('353285100000066')).toContainText('Type: Galaxy S24 Ultra; Status: Unactivated');
  await expect(row('353285100000074').getByRole('link')).toHaveAttribute(
    'href',
    '/dashboard/tickets/6?view=results&q=353285100000074',
  );
  await expectAccessible(page);
  await takePictures(page, allWidths);

  api.refuse(downloadTicketChanges, 503, 'The disk is full');
  const file = api.hold(downloadTicketChanges);
  const excel = page.getByRole('button', { name: 'Excel (.xlsx)' });
  await excel.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
  file.letGo();
  await expect(page.getByText('The disk is full')).toBeVisible();
  await expect(excel).toBeFocused();

  const kinds = page.getByRole('group', { name: 'Show changes' });
  const atEnd = { data: data.slice(1, 2), pagination: describePage(101, 10, 1001) };
  api.answer(listTicketChanges, { ...atEnd, counts: found });
  await kinds.getByRole('button', { name: 'Extended 87' }).press('Enter');
  await expect(page).toHaveURL(/kind=extended$/);
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText('1,001');

  api.refuse(listTicketChanges, 503, 'The database does not answer');
  // The answer of the running tickets would repeat the failed read before Retry is pressed.
  api.hold(getActivity);
  await kinds.getByRole('button', { name: /^Added/ }).click();
  await expect(page.getByText('The database does not answer')).toBeVisible();
  api.answer(listTicketChanges, { ...pageOf([]), counts: none });
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('No changes', { exact: true })).toBeVisible();
  await expect(page.getByText('Both tickets have the same answers.')).toHaveCount(0);
  await kinds.getByRole('button', { name: /^All changes/ }).click();
  await expect(page.getByText(/^Both tickets have the same answers\./)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Excel (.xlsx)' })).toBeDisabled();
  await takePictures(page, allWidths);
});

test('a comparison shows values of own columns that a colleague changes', async ({ page, api, open }) => {
  answer(api);
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  await open('/dashboard/tickets/7/compare', 'user');
  const row = page.getByRole('table', { name: 'Changed devices' }).getByRole('row').nth(1);
  await expect(row).toContainText('Siti Rahma');
  const changed = data.slice(0, 1).map((change) => ({ ...change, fields: { employee: 'Tuti' } }));
  api.answer(listTicketChanges, { ...pageOf(changed), counts: found });
  api.answer(getActivity, { ...quiet, register_revision: '1', fields_revision: '1' });
  await lookAgain(page);
  await expect(row).toContainText('Tuti');
});

test('a comparison of two companies needs no own columns', async ({ page, api, open }) => {
  answer(api, { first: { ticket: { ...older, company_code: 'QUO001' }, counts } });
  api.failWordless(getFields);
  await open('/dashboard/tickets/7/compare', 'superadmin');
  await expect(page.getByRole('table', { name: 'Changed devices' }).getByRole('row')).not.toHaveCount(0);
  await settled(page);
  await expect(page.getByText('Own columns could not be loaded.')).toHaveCount(0);
});

test('rows that an address sorts by an own column of another company keep the order of their sheet', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  answerRows(api, makeRows(3));
  api.answer(getFields, { fields: [] });
  const asked = page.waitForRequest(/\/api\/imei\?.*sort=position/);
  await open('/dashboard/tickets/7/compare?part=only_first&sort=field.employee', 'user');
  await asked;
  await expect(page.getByRole('row')).not.toHaveCount(0);
});

test('the kind of a change is not shortened in Indonesian, whose words are longer', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  await open('/dashboard/tickets/7/compare', 'user');
  await page.getByLabel('Language').selectOption('id');
  await page.setViewportSize({ width: 820, height: 1180 });
  const table = page.getByRole('table', { name: 'Perangkat yang berubah' });
  for (const kind of ['Tidak ditemukan', 'Tidak ada lagi']) {
    const word = table.locator('[data-badge] > span', { hasText: kind });
    const isShortened = await runOn<boolean>(word, 'return element.scrollWidth > element.clientWidth;');
    expect(isShortened, kind).toBe(false);
  }
});

test('what changed is shown whole, on a phone too, where no row opens', async ({ page, api, open }) => {
  answer(api);
  const changes: TicketChange['changes'] = {
    type: [null, 'iPhone 15 Pro Max'],
    activation_status: ['unactivated', 'activated'],
    purchase_date: [null, '2026-11-23'],
    warranty_title: [null, 'AppleCare+ for Business Essentials, 24 months'],
    coverage_start_date: [null, '2026-11-23'],
    coverage_end_date: [null, '2028-11-22'],
  };
  const [first] = data;
  if (first) api.answer(listTicketChanges, { ...pageOf([{ ...first, changes }]), counts: found });
  await open('/dashboard/tickets/7/compare', 'user');
  const row = page.getByRole('table', { name: 'Changed devices' }).getByRole('row').last();
  const cut = `const cell = element.closest('td');
    return [element, cell].map((e) => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]).flat();`;
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => runOn<number[]>(row.getByText(/Coverage End/), cut)).toEqual([0, 0, 0, 0]);
  }
  await takePictures(page, [390, 1280]);
});

test('long names of files and users leave the figures within a phone', async ({ page, api, open }) => {
  const file_name = `${'Laporan_garansi_seluruh_perangkat_'.repeat(3)}.xlsx`;
  const uploaded_by = { name: 'Abdurrahmannurhidayatullahkusumawardhana', email: 'm@example.test', _id: '9' };
  const sideOf = (compared: typeof older) => ({ ticket: { ...compared, file_name, uploaded_by }, counts });
  answer(api, { first: sideOf(older), second: sideOf(newer) });
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/dashboard/tickets/7/compare', 'user');
  const figures = page.getByRole('table').filter({ hasText: 'Total Price' });
  await expect(figures).toBeVisible();
  const beside = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(figures.locator('..'), beside)).toBe(0);
  await takePictures(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('a comparison with deleted results says so, and a running ticket may still bring changes', async ({
  page,
  api,
  open,
}) => {
  const running = { ...newer, status: 'Processing' as const };
  answer(api, {
    first: { ticket: { ...older, coverage_deleted: true }, counts },
    second: { ticket: running, counts },
  });
  api.answer(listTicketChanges, { ...pageOf([]), counts: none });
  await open('/dashboard/tickets/6/compare?with=7', 'superadmin');
  await expect(page.getByRole('heading', { level: 1, name: 'Compare tickets 6 and 7' })).toBeVisible();
  for (const words of [
    'The results of fleet-2026-q3.xlsx #6 were deleted. 118,197 uploaded rows are kept.',
    'The results of ticket 6 were deleted, so its changes are not known.',
    'The ticket is still running',
  ]) {
    await expect(page.getByText(words)).toBeVisible();
  }
});

test('the counts of a ticket that was stopped by deleting its uploaded rows link to no other rows', async ({
  page,
  api,
  open,
}) => {
  const stopped = {
    ...older,
    status: 'Cancelled' as const,
    serial_deleted: true,
    done: 40,
    remaining: 118_073,
  };
  const left = { ...counts, all: 124, activated: 40, unactivated: 0, unknown: 0 };
  answer(api, { first: { ticket: stopped, counts: left } });
  await open('/dashboard/tickets/6/compare?with=7', 'user');
  const cellOf = (figure: string) => page.getByRole('row', { name: figure }).getByRole('cell').first();
  await expect(cellOf('Total Rows')).toHaveText('118,197');
  await expect(cellOf('Pending')).toHaveText('118,073');
  for (const figure of ['Total Rows', 'Pending']) {
    await expect(cellOf(figure).getByRole('link')).toHaveCount(0);
  }
  await expect(cellOf('Completed').getByRole('link')).toHaveText('40');
});

test('without an earlier check, or if it cannot be read, the ticket to compare with is chosen', async ({
  page,
  api,
  open,
}) => {
  answer(api);
  answerFound(api);
  await open('/dashboard/tickets/7/compare', 'user');
  await expect(page.getByRole('heading', { level: 1, name: 'Compare ticket 7' })).toBeVisible();
  await expect(page.getByText('Choose the ticket to compare with')).toBeVisible();
  api.refuse(findTickets, 503, 'The disk is full');
  await page.reload();
  await expect(page.getByText('Choose the ticket to compare with')).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The disk is full');
});
