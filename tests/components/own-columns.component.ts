import type { Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { listDevices, readDeviceFigures } from '#features/devices/devices.contract.ts';
import { getFields, putFields } from '#features/devices/fields.contract.ts';
import { listViews } from '#features/devices/views.contract.ts';
import { listResults } from '#features/results/results.contract.ts';
import { getActivity, getProgress } from '#features/tickets/tickets.contract.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import {
  answerFound,
  answerRows,
  answerTicket,
  makeRows,
  progress,
} from '#tests/support/browser/made-up-rows.ts';
import { noFigures } from '#tests/support/browser/no-figures.ts';
import { onePage, pageOf } from '#tests/support/browser/paging.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const employee = { key: 'employee', name: 'Employee' };
const site = { key: 'site', name: 'Site' };
const gone = 'There is no own column "site"; it may have been removed';
const sorted = 'sort=field.site&order=desc';

function answerDevices(api: FakeApi): void {
  api.answer(listDevices, {
    data: [],
    pagination: onePage(3),
    counts: { all: 3, activated: 3, unactivated: 0, unknown: 0, ending_30: 0, expired: 0 },
  });
  api.answer(readDeviceFigures, noFigures);
  api.answer(listViews, pageOf([]));
  api.answer(getFields, { fields: [employee, site] });
}

/** Collects the queries of a list from now on. @returns the last one */
function followQueries(page: Page, path: string): () => URLSearchParams {
  let last = new URLSearchParams();
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === path && url.searchParams.has('sort')) last = url.searchParams;
  });
  return () => last;
}

test('devices filtered by a column that is removed are refused until Clear filters is pressed, and sorted no more', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  const asked = followQueries(page, '/api/devices');
  await open(`/dashboard/devices?${sorted}&own=site%3DSolo`, 'user');
  await expect.poll(() => asked().get('field.site')).toBe('Solo');
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Own columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await dialog.getByRole('button', { name: 'Remove: Site' }).click();
  api.answer(putFields, { fields: [employee] });
  api.answer(getFields, { fields: [employee] });
  api.refuse(listDevices, 400, gone);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => asked().get('sort')).toBe('serial_number');
  expect([asked().get('order'), asked().get('field.site')]).toEqual(['asc', 'Solo']);
  await expect(page.getByText(gone)).toBeVisible();
  await expect(page.getByRole('button', { name: 'site=Solo' })).toBeVisible();
  answerDevices(api);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => asked().get('field.site')).toBeNull();
  await expect(page.getByText(gone)).toBeHidden();
  await expect(page).not.toHaveURL(/own/);
});

test('a save of columns whose answer is lost is repeated on top of what it stored', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Own columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await dialog.getByRole('button', { name: 'Add column' }).click();
  await dialog.getByLabel('Name of column 3').fill('Room');
  api.loseAnswer(putFields);
  const stored = [employee, site, { key: 'room', name: 'Room' }];
  api.answer(getFields, { fields: stored });
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(dialog.getByRole('alert')).toContainText('No answer arrived.');
  await expect(save).toBeEnabled();
  api.answer(putFields, { fields: stored });
  await save.click();
  await expect(dialog).toBeHidden();
  expect(api.bodiesOf(putFields)).toEqual([
    { fields: stored, known: [employee, site] },
    { fields: stored, known: stored },
  ]);
});

test('columns that nobody edits follow a colleague, and keep the focus', async ({ page, api, open }) => {
  answerDevices(api);
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  const first = dialog.getByLabel('Name of column 1');
  await expect(first).toHaveValue('Employee');
  await first.focus();
  const renamed = [{ key: 'employee', name: 'Person' }, site, { key: 'room', name: 'Room' }];
  api.answer(getFields, { fields: renamed });
  api.answer(getActivity, { ...quiet, register_revision: '2' });
  await lookAgain(page);
  await expect(first).toHaveValue('Person');
  await expect(first).toBeFocused();
  await expect(dialog.getByLabel('Name of column 3')).toHaveValue('Room');
  api.answer(putFields, { fields: renamed });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(api.bodiesOf(putFields)).toEqual([{ fields: renamed, known: renamed }]);
});

test("edited columns are merged with a colleague's when they are refused, so that the next save works", async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  const [room, phone] = [
    { key: 'room', name: 'Room' },
    { key: 'phone', name: 'Phone' },
  ];
  const known = [employee, site, room, phone];
  api.answer(getFields, { fields: known });
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  const field = (number: number) => dialog.getByLabel(`Name of column ${number}`);
  await field(2).fill('Branch');
  await dialog.getByRole('button', { name: 'Remove: Phone' }).click();
  await dialog.getByRole('button', { name: 'Add column' }).click();
  await field(4).fill('Desk');
  // The colleague renamed Employee, removed Site and Room, and added Floor.
  const person = { key: 'employee', name: 'Person' };
  const floor = { key: 'floor', name: 'Floor' };
  const stored = [person, phone, floor];
  api.answer(getFields, { fields: stored });
  api.refuse(putFields, 409, 'The own columns were changed.', { code: 'fields_changed' });
  const save = dialog.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await expect(dialog.getByRole('alert')).toContainText('What you changed is kept');
  await takePictures(page);
  const branch = { key: 'site', name: 'Branch' };
  const desk = { key: 'desk', name: 'Desk' };
  const merged = [person, branch, desk, floor];
  for (const [index, { name }] of merged.entries()) await expect(field(index + 1)).toHaveValue(name);
  await expect(field(5)).toHaveCount(0);
  api.answer(putFields, { fields: merged });
  await save.click();
  await expect(dialog).toBeHidden();
  expect(api.bodiesOf(putFields)).toEqual([
    { fields: [employee, branch, room, desk], known },
    { fields: merged, known: stored },
  ]);
});

test('a form that is refused gives the focus back to the button that sent it', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.refuse(putFields, 409, 'Devices have values', { code: 'field_has_values' });
  const refusal = api.hold(putFields);
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: 'Actions on the list' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Own columns' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await dialog.getByRole('button', { name: 'Remove: Site' }).press('Enter');
  await page.setViewportSize({ width: 390, height: 480 });
  await dialog.getByRole('button', { name: 'Add column' }).press('Enter');
  await dialog.getByRole('button', { name: 'Save', exact: true }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Saving' })).toBeDisabled();
  await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(true);
  refusal.letGo();
  await expect(dialog.getByText('Devices have values')).toBeVisible();
  await expect(dialog.getByRole('alert')).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText('Delete the values of removed columns')).toBeInViewport({ ratio: 1 });
  await takePictures(page);
  await expect(dialog.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.locator(':focus')).toHaveCount(1);
});

test('columns are moved, added and removed by repeated keys, on buttons for a thumb', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  const known = [...'ABCDEFGHI'].map((name) => ({ key: name.toLowerCase(), name }));
  api.answer(getFields, { fields: known });
  await page.setViewportSize({ width: 390, height: 800 });
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  const field = (number: number) => dialog.getByLabel(`Name of column ${number}`, { exact: true });
  const button = (name: string) => dialog.getByRole('button', { name, exact: true });
  await expect(field(9)).toBeVisible();
  await takePictures(page, [390, 1280]);
  for (const name of ['Move up: C', 'Move down: C', 'Remove: C']) {
    const box = await button(name).boundingBox();
    expect([box?.width, box?.height], name).toEqual([44, 44]);
  }
  expect((await field(1).boundingBox())?.width).toBeGreaterThan(130);

  await button('Move up: C').focus();
  for (const first of ['A', 'C', 'C']) {
    await page.keyboard.press('Enter');
    await expect(field(1)).toHaveValue(first);
    await expect(button('Move up: C')).toBeFocused();
  }
  await expect(field(2)).toHaveValue('A');
  await expect(field(3)).toHaveValue('B');

  const add = button('Add column');
  await add.press('Enter');
  await expect(field(10)).toBeFocused();
  await expect(field(10)).toBeInViewport({ ratio: 1 });
  await page.keyboard.type('J');
  await expect(add).toBeDisabled();
  await add.press('Enter');
  await button('Remove: J').press('Enter');
  await expect(add).toBeFocused();
  await button('Remove: A').press('Enter');
  await expect(field(2)).toHaveValue('B');
  await expect(field(2)).toBeFocused();
  await expect(field(9)).toHaveCount(0);
});

test('a column that is added after a removal in the same edit has a key of its own', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(getFields, { fields: [{ key: 'field', name: '部門' }] });
  api.answer(putFields, { fields: [{ key: 'field_2', name: '電話番号' }] });
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await dialog.getByRole('button', { name: 'Remove: 部門' }).click();
  await dialog.getByRole('button', { name: 'Add column' }).click();
  await dialog.getByLabel('Name of column 1').fill('電話番号');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(api.bodiesOf(putFields).map(({ fields }) => fields)).toEqual([
    [{ key: 'field_2', name: '電話番号' }],
  ]);
});

test('a dialog that an address opened leaves the focus on the screen', async ({ page, api, open }) => {
  answerDevices(api);
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  await expect(dialog.getByLabel('Name of column 1')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a superadmin who chooses another company leaves the order and filters by own columns', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  const asked = followQueries(page, '/api/devices');
  await open(`/dashboard/devices?company_code=PTN001&type=Nokia&${sorted}&own=site%3DSolo`, 'superadmin');
  await expect.poll(() => asked().get('sort')).toBe('field.site');
  await page.getByRole('combobox', { name: 'Company' }).click();
  await page.getByRole('option', { name: /ACM001/ }).click();
  await expect(page).toHaveURL(/company_code=ACM001/);
  await expect.poll(() => asked().get('company_code')).toBe('ACM001');
  expect([asked().get('sort'), asked().get('field.site'), asked().get('type')]).toEqual([
    'serial_number',
    null,
    'Nokia',
  ]);
  await expect(page).not.toHaveURL(/field|own/);
});

test('devices without filters keep the order by a column of their company', async ({ page, api, open }) => {
  answerDevices(api);
  const asked = followQueries(page, '/api/devices');
  const narrowed = `/dashboard/devices?type=Nokia&${sorted}`;
  for (const name of ['Clear filters', /^All/]) {
    await open(narrowed, 'user');
    await expect.poll(() => asked().get('type')).toBe('Nokia');
    await page.getByRole('button', { name, exact: true }).first().click();
    await expect(page).not.toHaveURL(/type=/);
    await expect.poll(() => asked().get('type')).not.toBe('Nokia');
    expect(asked().get('sort')).toBe('field.site');
  }
});

test('rows without filters keep the order by a column of their company', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  api.answer(listCompanyCodes, { data: [] });
  api.answer(getFields, { fields: [site] });
  const asked = followQueries(page, '/api/imei');
  await open(`/dashboard/tracker?ticket=7&q=359&${sorted}`, 'superadmin');
  await expect.poll(() => asked().get('q')).toBe('359');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/q=/);
  await expect.poll(() => asked().get('q')).not.toBe('359');
  expect(asked().get('sort')).toBe('field.site');
});

test('devices of all companies that an address sorts by a missing column can be shown again', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.refuse(listDevices, 400, gone);
  await open(`/dashboard/devices?${sorted}`, 'superadmin');
  await expect(page.getByText(gone)).toBeVisible();
  answerDevices(api);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page).not.toHaveURL(/sort/);
  await expect(page.getByText(gone)).toBeHidden();
});

test('filters by own columns of all companies are shown as calls write them, and taken away', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(listCompanyCodes, { data: [] });
  const asked = followQueries(page, '/api/devices');
  await open('/dashboard/devices?own=site.contains%3DSolo', 'superadmin');
  await expect.poll(() => asked().get('field.site.contains')).toBe('Solo');
  await page.getByRole('button', { name: 'site.contains=Solo' }).click();
  await expect.poll(() => asked().get('field.site.contains')).toBeNull();
});

test('a filter by an own column without a value narrows nothing, so nothing is done with all devices', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  await open('/dashboard/devices', 'user');
  await page.getByRole('button', { name: 'More filters' }).click();
  await page.getByLabel('Own column').selectOption('Site');
  await expect(page).toHaveURL(/own=site/);
  await expect(page.getByRole('button', { name: 'Clear filters' })).toBeHidden();
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  for (const name of ['Set a column of 3 devices', /^Forget/])
    await expect(page.getByRole('menuitem', { name })).toBeDisabled();
});

test('another ticket is shown without the order by a column that its company may not have', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerFound(api, {}, { _id: '8', ticket_number: '8', file_name: 'fleet.xlsx' });
  api.answer(listCompanyCodes, { data: [] });
  answerRows(api, makeRows(3));
  api.answer(getFields, { fields: [site] });
  const asked = followQueries(page, '/api/imei');
  await open(`/dashboard/tracker?ticket=7&${sorted}`, 'superadmin');
  await expect.poll(() => asked().get('sort')).toBe('field.site');
  api.answer(getFields, { fields: [] });
  api.answer(getProgress, { ...progress, ticket_number: '8', company_code: 'PTN001' });
  await page.getByRole('combobox', { name: 'Ticket' }).click();
  await page.getByRole('option', { name: '8' }).click();
  await expect(page).toHaveURL(/ticket=8/);
  await expect.poll(() => asked().get('ticket_number')).toBe('8');
  expect(asked().get('sort')).toBe('position');
});

test('a saved view by a removed column shows no devices, so none are forgotten for it', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(getFields, { fields: [employee] });
  const view = { name: 'Solo', screen: 'devices' as const, shared: false, company_code: 'ACM001', own: true };
  api.answer(listViews, pageOf([{ ...view, _id: '1', query: 'field.site=Solo', owner: 'Siti' }]));
  await open('/dashboard/devices', 'user');
  const opener = page.getByRole('button', { name: /^Solo/ });
  await expect(opener).toBeVisible();
  api.refuse(listDevices, 400, gone);
  await opener.click();
  await expect(page.getByText(gone)).toBeVisible();
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  for (const name of [/^Set a column/, /^Forget/])
    await expect(page.getByRole('menuitem', { name })).toBeDisabled();
  await page.keyboard.press('Escape');
  answerDevices(api);
  await page.getByRole('button', { name: 'site=Solo' }).click();
  await expect(page.getByText(gone)).toBeHidden();
});

test('rows that an address filters by a removed column are refused until Clear filters is pressed', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  api.answer(getFields, { fields: [employee] });
  const asked = followQueries(page, '/api/imei');
  api.refuse(listResults, 400, gone);
  await open('/dashboard/data?ticket=7&own=site%3DSolo', 'user');
  await expect(page.getByText(gone).first()).toBeVisible();
  await expect(page.getByLabel('Own column')).toHaveValue('site');
  answerRows(api, makeRows(3));
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect.poll(() => asked().get('field.site')).toBeNull();
  await expect(page.getByRole('columnheader', { name: 'Employee' })).toBeVisible();
});

test('rows that an address sorts by a removed column are shown in their order', async ({
  page,
  api,
  open,
}) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  api.answer(listCompanyCodes, { data: [] });
  api.answer(getFields, { fields: [employee] });
  const asked = followQueries(page, '/api/imei');
  await open(`/dashboard/tracker?ticket=7&${sorted}`, 'superadmin');
  await expect.poll(() => asked().get('sort')).toBe('position');
  await expect(page.getByRole('columnheader', { name: 'Employee' })).toBeVisible();
});
