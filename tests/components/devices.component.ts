import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import {
  forgetDevice,
  forgetDevices,
  getDevice,
  listDevices,
  readDeviceFigures,
  updateDevices,
} from '#features/devices/devices.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { createView, deleteView, listViews, updateView } from '#features/devices/views.contract.ts';
import { importSerials } from '#features/imports/imports.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { describePage } from '#shared/describe-page.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { imported, ticket } from '#tests/support/browser/made-up-rows.ts';
import { noFigures } from '#tests/support/browser/no-figures.ts';
import { onePage, pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const device = {
  _id: '1',
  company_code: 'PTN001',
  serial_number: '353901100000001',
  type: 'Xiaomi Redmi Note 12',
  activation_status: 'unactivated' as const,
  purchase_date: '2023-09-21',
  warranty_title: 'Business Protection Plan',
  coverage_start_date: '2023-09-21',
  coverage_end_date: '2026-09-21',
  coverage_expires: 'Expired',
  source: 'sandbox',
  first_seen: '2026-11-25T12:35:00.000Z',
  last_checked: '2026-11-25T12:35:00.000Z',
  changed_at: null,
  fields: {},
};

const view = {
  _id: '1',
  name: 'Ends soon',
  screen: 'devices' as const,
  query: 'ends_within=30',
  shared: false,
  company_code: 'PTN001',
  own: true,
  owner: 'Siti',
};

const noDevices = {
  data: [],
  pagination: onePage(0),
  counts: { all: 0, activated: 0, unactivated: 0, unknown: 0, ending_30: 0, expired: 0 },
};

function answerNothing(api: FakeApi): void {
  api.answer(listDevices, noDevices);
  api.answer(readDeviceFigures, noFigures);
  api.answer(listViews, pageOf([]));
}

function answerDevices(api: FakeApi, ...data: (typeof device)[]): void {
  const all = data.length;
  api.answer(listDevices, {
    data,
    pagination: onePage(all),
    counts: { all, activated: 0, unactivated: all, unknown: 0, ending_30: 0, expired: all },
  });
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

test('saved views, own columns and choices of filters that cannot be read say so, each with Retry', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  for (const endpoint of [readDeviceFigures, listViews, getFields]) api.failWordless(endpoint);
  // The answer of the running tickets would repeat the failed reads before Retry is pressed.
  api.hold(getActivity);
  await open('/dashboard/devices?type=Nokia', 'user');
  const alerts = page.getByRole('main').getByRole('alert');
  await expect(alerts).toContainText([
    'Saved views could not be loaded.',
    'Own columns could not be loaded.',
    'Type, Warranty, Source could not be loaded.',
  ]);
  await expectAccessible(page, allWidths);
  await takePictures(page, allWidths);
  api.answer(readDeviceFigures, noFigures);
  api.answer(listViews, pageOf([]));
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  for (const left of [2, 1, 0]) {
    await alerts.first().getByRole('button', { name: 'Retry' }).click();
    await expect(alerts).toHaveCount(left);
  }
  await expect(page.getByLabel('Own column', { exact: true })).toBeVisible();
});

test('at most 1,000 devices are selected at once, and the selection says so', async ({ page, api, open }) => {
  answerNothing(api);
  const many = Array.from({ length: 1001 }, (_, n) => ({ ...device, _id: String(1_000_000 + n) }));
  answerDevices(api, ...many);
  await open('/dashboard/devices?size=1000', 'user');
  await page.getByRole('checkbox', { name: 'Select all rows' }).click();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toContainText('1,000 selected. More cannot be selected at once.');
});

test('a selection outlives a search without matches and a page that fails', async ({ page, api, open }) => {
  const two = [device, { ...device, _id: '2', serial_number: '353901100000019' }];
  answerNothing(api);
  // Each answer of it repeats failed reads, without a press of Retry.
  api.hold(getActivity);
  const answerPage = (number: number, ...data: (typeof device)[]) =>
    api.answer(listDevices, { ...noDevices, data, pagination: describePage(number, 50, 52) });
  answerPage(1, ...two);
  await open('/dashboard/devices', 'user');
  const bar = page.getByRole('region', { name: 'Selection' });
  const main = page.getByRole('main');
  const ticked = main.getByRole('row').getByRole('checkbox', { name: /^Select row/, checked: true });
  await main.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  await expect(bar).toContainText('2 selected');
  answerNothing(api);
  const search = page.getByRole('searchbox', { name: 'Search serial numbers' });
  await search.fill('35390999');
  await expect(page.getByText('No device matches')).toBeVisible();
  await expect(bar).toContainText('2 selected (2 not on this page)');
  await expectAccessible(page, allWidths);
  await takePictures(page, allWidths);
  answerPage(1, ...two);
  await search.fill('');
  await expect(ticked).toHaveCount(2);

  api.failWordless(listDevices);
  await main.getByRole('button', { name: '2', exact: true }).click();
  const retry = main.getByRole('button', { name: 'Retry' });
  await expect(retry).toBeVisible();
  await expect(bar).toContainText('2 selected (2 not on this page)');
  answerPage(2, { ...device, _id: '3', serial_number: '353901100000027' });
  await retry.click();
  await expect(main.getByRole('row', { name: /353901100000027/ })).toBeVisible();
  await expect(bar).toContainText('2 selected (2 not on this page)');
});

test('a chip without the day that it chooses cannot be pressed, and its figures are read again', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  api.failWordless(readDeviceFigures);
  api.hold(getActivity);
  await open('/dashboard/devices', 'user');
  const chip = page.getByRole('button', { name: /^Changed in 7 days/ });
  await expect(chip).toBeDisabled();
  const alert = page.getByRole('main').getByRole('alert');
  await expect(alert).toContainText(
    'Never covered, Changed in 7 days, Changed in 30 days could not be loaded.',
  );
  await expectAccessible(page, allWidths);
  api.answer(readDeviceFigures, noFigures);
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toHaveCount(0);
  await chip.click();
  await expect(page).toHaveURL(/changed_since=/);
});

test('a selected device that is gone does not stay selected, and the others can be changed', async ({
  page,
  api,
  open,
}) => {
  const devices = [1, 2, 3, 4, 5].map((n) => ({
    ...device,
    _id: `${n}`,
    serial_number: `35390110000001${n}`,
  }));
  answerNothing(api);
  answerDevices(api, ...devices);
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  api.answer(getDevice, { device, history: [], tickets: [] });
  api.answer(forgetDevice, { message: 'The device was forgotten' });
  await open('/dashboard/devices', 'user');
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await page.getByRole('button', { name: 'Open row 1', exact: true }).click();
  await page.getByRole('button', { name: 'Forget device' }).click();
  answerDevices(api, ...devices.slice(1));
  const question = page.getByRole('dialog', { name: 'Forget device' });
  await question.getByRole('button', { name: 'Forget device' }).click();
  await expect(bar).toContainText('4 selected');
  await expect(page.getByText('1 device was forgotten.')).toBeVisible();

  const refuse = (endpoint: typeof forgetDevices | typeof updateDevices) =>
    api.refuse(endpoint, 409, 'The filter finds another number of devices now.', { code: 'other_count' });
  const confirm = async (name: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name }).click();
    await expect(dialog.getByRole('alert')).toContainText('another number');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  };
  refuse(updateDevices);
  // The refusal is shown also if the devices that are gone cannot be found.
  api.failWordless(listDevices);
  await bar.getByRole('button', { name: 'Set a column' }).click();
  await confirm('Save');
  await expect(bar).toContainText('4 selected');

  answerDevices(api, ...devices.slice(2));
  await bar.getByRole('button', { name: 'Set a column' }).click();
  await confirm('Save');
  await expect(bar).toContainText('3 selected');

  refuse(forgetDevices);
  answerDevices(api, ...devices.slice(3));
  await bar.getByRole('button', { name: 'Forget' }).click();
  await confirm('Forget');
  await expect(bar).toContainText('2 selected');

  api.answer(forgetDevices, { message: 'Devices forgotten: 2' });
  await bar.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await expect(bar).toHaveCount(0);
  await expect(page.getByText('2 devices were forgotten.')).toBeVisible();
  expect(api.bodiesOf(forgetDevices).at(-1)).toEqual({ filter: 'ids=4,5', count: 2 });
});

test('of a chosen company all devices are shown at one press; a selection ends with the company', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  api.answer(listCompanyCodes, { data: [{ company_code: 'PTN001', company_name: 'PT Nusantara' }] });
  await open('/dashboard/devices?company_code=PTN001&expired=true', 'superadmin');
  const all = page.getByRole('button', { name: /^All/ });
  await all.click();
  await expect(page).toHaveURL(/company_code=PTN001/);
  await expect(page).not.toHaveURL(/expired/);
  await expect(all).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('checkbox', { name: /^Select row/ }).check();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect(selection).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page).not.toHaveURL(/company_code/);
  await expect(selection).toHaveCount(0);
});

test('views are shown before their devices are counted, and types are asked for with their choices', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  api.answer(listViews, pageOf([view]));
  await open('/dashboard/devices', 'user');
  await expect(page.getByRole('button', { name: /^Ends soon/ })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Devices' })).toBeVisible();
  const figures = () =>
    asked.filter((url) => url.includes('/devices/figures')).map((url) => new URL(url).search);
  expect(figures()).toEqual(['?values=0']);
  await page.getByRole('button', { name: 'More filters' }).click();
  await expect.poll(figures).toEqual(['?values=0', '?values=1']);
});

test('a view that is opened shows its filters, also after Back, until they are folded', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  const query = 'type=iPhone 15&checked_before=2026-01-01';
  api.answer(listViews, pageOf([view, { ...view, _id: '2', name: 'Old phones', query }]));
  await open('/dashboard/devices', 'user');
  const type = page.getByRole('combobox', { name: 'Type', exact: true });
  const further = page.getByRole('button', { name: 'More filters' });
  await expect(further).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('button', { name: /^Old phones/ }).click();
  await expect(type).toHaveValue('iPhone 15');
  await further.click();
  await expect(type).toHaveCount(0);
  await page.getByRole('button', { name: /^Ends soon/ }).click();
  await expect(page).toHaveURL(/ends_within=30/);
  // The address changes before the screen does.
  await expect(page.getByRole('button', { name: /^Ends soon/ })).toHaveAttribute('aria-pressed', 'true');
  await expect(type).toHaveCount(0);
  await page.goBack();
  await expect(type).toHaveValue('iPhone 15');
  // It stays open under the hand that takes its last filter away.
  await page.getByLabel('Checked before').clear();
  await type.selectOption('');
  await expect(page).not.toHaveURL(/type=/);
  await expect(type).toHaveValue('');
});

test('a view that was saved in another tab appears with its count', async ({ page, api, open }) => {
  answerNothing(api);
  answerDevices(api, device);
  api.answer(listViews, pageOf([view]));
  await open('/dashboard/devices', 'user');
  await expect(page.getByRole('button', { name: /^Ends soon/ })).toBeVisible();
  api.answer(listViews, pageOf([view, { ...view, _id: '2', name: 'In Solo', count: 7 }]));
  api.answer(getActivity, { ...quiet, register_revision: '2' });
  await lookAgain(page);
  await expect(page.getByRole('button', { name: /^In Solo.*7/ })).toBeVisible();
});

test('each filter that a program saved in a view narrows the list, and is shown as a chip that takes it away', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  const saved = {
    ids: ['7,12,1', '3 chosen devices'],
    ends_within: ['3650', 'Ends within 3,650 days'],
    expired: ['false', 'Not expired'],
    never_covered: ['false', 'End of coverage known'],
  };
  const query = Object.entries(saved).map(([name, [value]]) => `${name}=${value}`);
  const view = { name: 'Ours', screen: 'devices' as const, shared: false, company_code: 'ACM001', own: true };
  api.answer(listViews, pageOf([{ ...view, _id: '1', query: query.join('&'), owner: 'Siti' }]));
  let asked = new URLSearchParams();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/devices') asked = url.searchParams;
  });
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: /^Ours/ }).click();
  await expect.poll(() => asked.get('ids')).toBe('7,12,1');
  await expectAccessible(page, allWidths);
  await takePictures(page, allWidths);
  for (const [name, [value = '', label = '']] of Object.entries(saved)) {
    expect(asked.get(name)).toBe(value);
    await page.getByRole('button', { name: label, exact: true }).press('Enter');
    await expect.poll(() => asked.get(name)).toBeNull();
    await expect(page.getByRole('main')).toBeFocused();
  }
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeHidden();
});

test('at 1280 px a superadmin sees every column whole in both languages, and that answers are simulated', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  await open('/dashboard/devices', 'superadmin');
  const table = page.getByRole('table');
  const beside = () => table.locator('..').evaluate((box) => box.scrollWidth - box.clientWidth);
  for (const [language, simulated, expired] of [
    ['en', 'Sandbox: the data is simulated', 'Expired'],
    ['id', 'Sandbox: data simulasi', 'Kedaluwarsa'],
  ] as const) {
    await page.getByLabel(/^(Language|Bahasa)$/).selectOption(language);
    await expect(page.getByText(simulated)).toBeVisible();
    await expect.poll(beside, `pixels out of sight (${language})`).toBe(0);
    const end = table.getByRole('cell', { name: expired, exact: true });
    await expect.poll(() => end.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBe(0);
  }
  await page.getByLabel('Bahasa').selectOption('en');
});

for (const [width, place] of [
  [390, 'over'],
  [1920, 'beside'],
] as const) {
  test(`keys in a dialog leave the device open that is ${place} the list`, async ({ page, api, open }) => {
    answerNothing(api);
    answerDevices(api, device, { ...device, _id: '2', serial_number: '353901100000019' });
    api.answer(getDevice, { device, history: [], tickets: [] });
    api.answer(forgetDevice, { message: 'The device was forgotten' });
    const forgetting = api.hold(forgetDevice);
    await page.setViewportSize({ width, height: 800 });
    await open('/dashboard/devices?device=1', 'user');
    const forget = page.getByRole('button', { name: 'Forget device' });
    await forget.click();
    const dialog = page.getByRole('dialog', { name: 'Forget device' });
    await expect(dialog).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await expect(page).toHaveURL(/device=1/);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(forget).toBeFocused();
    await expect(page).toHaveURL(/device=1/);
    await forget.click();
    await dialog.getByRole('button', { name: 'Forget device' }).click();
    await expect(dialog.getByRole('button', { name: 'Forgetting...' })).toBeDisabled();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeVisible();
    await expect(page).toHaveURL(/device=1/);
    forgetting.letGo();
    await expect(dialog).toHaveCount(0);
    await expect(page).not.toHaveURL(/device=1/);
    await expect(page.locator(':focus')).toHaveCount(1);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
}

test('a changed view keeps the name that it got in another tab', async ({ page, api, open }) => {
  answerNothing(api);
  answerDevices(api, device);
  api.answer(listViews, pageOf([view]));
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: view.name }).click();
  await page.getByRole('button', { name: 'Change view' }).click();
  const dialog = page.getByRole('dialog');
  const renamed = { ...view, name: 'Ends in 30 days' };
  api.answer(listViews, pageOf([renamed]));
  api.answer(getActivity, { ...quiet, register_revision: '2' });
  await lookAgain(page);
  await expect(dialog.getByLabel('Name')).toHaveValue(renamed.name);
  await dialog.getByLabel(/^Share/).check();
  api.answer(updateView, { view: { ...renamed, shared: true } });
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(updateView).map(({ query: _, ...settings }) => settings)).toEqual([{ shared: true }]);
});

test('the question of a deleted view whose answer is lost stays with its message', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  api.answer(listViews, pageOf([view]));
  api.loseAnswer(deleteView);
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: view.name }).click();
  await page.getByRole('button', { name: 'Change view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  api.answer(listViews, pageOf([]));
  await dialog.getByRole('button', { name: 'Delete view' }).click();
  await expect(page.getByText(view.name, { exact: true })).toHaveCount(0);
  await expect(dialog.getByRole('alert')).toContainText('No answer arrived.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);
});

test('entries of a history that have one instant are shown once each, after a later change too', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  api.answer(getFields, {
    fields: [
      { key: 'employee', name: 'Employee' },
      { key: 'site', name: 'Site' },
    ],
  });
  const at = '2026-11-25T12:35:00.000Z';
  const change = (changes: Record<string, [null, string]>) => ({
    at,
    source: null,
    ticket_number: null,
    changes,
  });
  const history = [change({ 'field.employee': [null, 'Ani'] }), change({ 'field.site': [null, 'Solo'] })];
  api.answer(getDevice, { device, history, tickets: [] });
  await open('/dashboard/devices?device=1', 'user');
  const entries = page.getByRole('heading', { name: 'History' }).locator('xpath=following-sibling::ol/li');
  await expect(entries).toHaveText([/Site/, /Employee/]);
  // The database sorts keys by length.
  const later = {
    ...change({ 'field.site': [null, 'Bali'], 'field.employee': [null, 'Budi'] }),
    at: '2026-11-26T12:35:00.000Z',
  };
  api.answer(getDevice, { device, history: [...history, later], tickets: [] });
  api.answer(getActivity, { ...quiet, register_revision: '2' });
  await lookAgain(page);
  await expect(entries).toHaveText([/Employee.*Budi.*Site.*Bali/, /Solo/, /Ani/]);
});

test('the history shows values of an own column whose key ends with a date as they are', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  api.answer(getFields, { fields: [{ key: 'handover_date', name: 'Handover' }] });
  const changes = { 'field.handover_date': [null, 'Rack 12'] satisfies [null, string] };
  const history = [{ at: device.first_seen, source: null, ticket_number: null, changes }];
  api.answer(getDevice, { device, history, tickets: [] });
  await open('/dashboard/devices?device=1', 'user');
  await expect(page.getByText('Handover: – → Rack 12')).toBeVisible();
});

test('a refused check of chosen devices says why and keeps the selection; superadmins have none', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device, { ...device, _id: '2', serial_number: '353901100000019' });
  api.refuse(importSerials, 409, 'The monthly budget would be exceeded.');
  await open('/dashboard/devices', 'user');
  const select = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  await select.check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByRole('alert')).toContainText('The monthly budget would be exceeded.');
  await expect(bar).toContainText('2 selected');
  await expectAccessible(page);
  await open('/dashboard/devices', 'superadmin');
  await select.check();
  await expect(bar.getByRole('button', { name: 'Check again' })).toHaveCount(0);
  await expect(bar.getByRole('button', { name: 'Forget' })).toBeVisible();
});

test('a check that is repeated after a lost answer has the same key, one after any answer has another', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/data/serials')) keys.push(request.headers()['idempotency-key']);
  });
  await open('/dashboard/devices', 'user');
  const select = page.getByRole('checkbox', { name: 'Select all rows of this page' });
  await select.check();
  const checkAgain = page
    .getByRole('region', { name: 'Selection' })
    .getByRole('button', { name: 'Check again' });
  const sendFor = async (count: number) => {
    await checkAgain.click();
    await expect.poll(() => keys.length).toBe(count);
    await expect(checkAgain).toBeEnabled();
  };
  api.failWordless(importSerials);
  await sendFor(1);
  await sendFor(2);
  api.refuse(importSerials, 409, 'The monthly budget would be exceeded.');
  await sendFor(3);
  await sendFor(4);
  api.answer(importSerials, { ...imported, ticket });
  for (const count of [5, 6]) {
    await select.check();
    await checkAgain.click();
    await expect.poll(() => keys.length).toBe(count);
    await expect(checkAgain).toHaveCount(0);
    await expect(select).not.toBeChecked();
  }
  const [first, ...later] = keys;
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(later.slice(0, 2)).toEqual([first, first]);
  expect(new Set(keys).size).toBe(4);
});

test('on a phone one box selects the page, and the list is sorted, by an own column too', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  answerDevices(api, device, { ...device, _id: '2', serial_number: '353901100000019' });
  api.answer(getFields, { fields: [{ key: 'employee', name: 'Employee' }] });
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/dashboard/devices', 'user');
  const box = await page.getByRole('checkbox', { name: 'Select row 1' }).boundingBox();
  expect([box?.width, box?.height]).toEqual([24, 24]);
  await page.getByText('Select all rows of this page').click();
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('2 selected');
  await expectAccessible(page);
  await takePictures(page, allWidths);
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).uncheck();
  await expect(bar).toHaveCount(0);
  const sort = page.getByRole('combobox', { name: 'Sort by' });
  await expect(sort).toHaveValue('serial_number asc');
  const room = `const { font, paddingLeft, paddingRight } = getComputedStyle(element);
    const context = document.createElement('canvas').getContext('2d');
    context.font = font;
    const inside = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return Math.floor(inside - context.measureText(element.selectedOptions[0].text).width);`;
  for (const order of ['desc', 'asc']) {
    await sort.selectOption(`serial_number ${order}`);
    expect(await runOn<number>(sort, room)).toBeGreaterThanOrEqual(0);
  }
  await sort.selectOption('Employee, descending');
  await expect(page).toHaveURL(/sort=field\.employee&order=desc/);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(sort).toBeHidden();
  await expect(page.getByText('Select all rows of this page')).toBeHidden();
  await expect(page.getByRole('columnheader', { name: 'Employee' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
});

test('on a phone the buttons of Devices are in sight in Indonesian, below a view with a long name', async ({
  page,
  api,
  open,
}) => {
  answerNothing(api);
  const name = 'Perangkat yang garansinya berakhir tahun ini di kantor cabang Jakarta';
  api.answer(listViews, pageOf([{ ...view, name }]));
  answerDevices(api, device);
  await open('/dashboard/devices', 'user');
  await page.getByLabel('Language').selectOption('id');
  await page.setViewportSize({ width: 360, height: 800 });
  for (const name of ['Filter lainnya', 'Simpan tampilan', 'Tindakan untuk daftar']) {
    await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  }
  await expect(page.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByLabel('Bahasa').selectOption('en');
});

test('on a phone the chips of Devices fold until Filters is pressed', async ({ page, api, open }) => {
  answerNothing(api);
  answerDevices(api, device);
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/dashboard/devices', 'user');
  const chips = page.getByRole('group', { name: 'Show devices' });
  await expect(page.getByRole('table', { name: 'Devices' })).toBeVisible();
  await expect(chips).toBeHidden();
  const filters = page.getByRole('button', { name: 'Filters', exact: true });
  await filters.click();
  await expect(chips).toBeVisible();
  await filters.click();
  await expect(chips).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(chips).toBeVisible();
});
