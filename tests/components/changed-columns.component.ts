import type { Page } from '@playwright/test';
import {
  type Device,
  getDevice,
  listDevices,
  readDeviceFigures,
  updateDevice,
  updateDevices,
} from '#features/devices/devices.contract.ts';
import { getFields, type OwnField, putFields } from '#features/devices/fields.contract.ts';
import { listViews } from '#features/devices/views.contract.ts';
import { previewSheet, uploadSheet } from '#features/imports/imports.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import type { FakeApi } from '#tests/support/browser/fake-api.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { noFigures } from '#tests/support/browser/no-figures.ts';
import { onePage, pageOf } from '#tests/support/browser/paging.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';
import { chooseFile, openUpload, previewOf, sheetPreview } from '#tests/support/browser/upload-screen.ts';

const employee = { key: 'employee', name: 'Employee' };
const site = { key: 'site', name: 'Site' };

let revision = 0;
/** A colleague changes the own columns, and the screen notices it. */
async function changeColumns(page: Page, api: FakeApi, fields: OwnField[]): Promise<void> {
  revision += 1;
  api.answer(getFields, { fields });
  api.answer(getActivity, { ...quiet, register_revision: String(revision) });
  await lookAgain(page);
}

/** Opens Upload Data with a sheet whose column B has the head Employee and fills it. */
async function openSheet(page: Page, api: FakeApi, open: Parameters<typeof openUpload>[1]): Promise<void> {
  const columns = ['A', 'B', 'C'].map((column) => ({ column, head: '', serials: 2, imeis: 2 }));
  const heads = { B: 'Employee', C: 'Site' };
  api.answer(previewSheet, { ...sheetPreview, columns, heads, fields: { B: 'employee' } });
  api.refuse(uploadSheet, 409, 'Another upload is filling this ticket.');
  await openUpload(api, open);
  await chooseFile(page);
}

async function send(page: Page, api: FakeApi): Promise<string> {
  const before = api.bodiesOf(uploadSheet).length;
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect.poll(() => api.bodiesOf(uploadSheet).length).toBe(before + 1);
  return String(api.bodiesOf(uploadSheet).at(-1));
}

test('an upload leaves out a chosen column that a colleague removed', async ({ page, api, open }) => {
  api.answer(getFields, { fields: [employee, site] });
  await openSheet(page, api, open);
  await previewOf(page).getByLabel('Site').selectOption('C');
  expect(await send(page, api)).toContain('{"B":"employee","C":"site"}');
  await changeColumns(page, api, [employee]);
  await expect(previewOf(page).getByLabel('Site')).toBeHidden();
  expect(await send(page, api)).toContain('{"B":"employee"}');
});

test('an upload fills a column that a colleague added only where the preview says so', async ({
  page,
  api,
  open,
}) => {
  api.answer(getFields, { fields: [employee] });
  await openSheet(page, api, open);
  await expect(previewOf(page).getByLabel('Employee')).toHaveValue('B');
  await changeColumns(page, api, [employee, site]);
  await expect(previewOf(page).getByLabel('Site')).toHaveValue('');
  expect(await send(page, api)).toContain('{"B":"employee"}');
});

const device: Device = {
  _id: '1',
  company_code: 'ACM001',
  serial_number: '353901100000001',
  type: 'Xiaomi Redmi Note 12',
  activation_status: 'unactivated',
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

function answerDevices(api: FakeApi): void {
  api.answer(listDevices, {
    data: [device],
    pagination: onePage(1),
    counts: { all: 1, activated: 0, unactivated: 1, unknown: 0, ending_30: 0, expired: 1 },
  });
  api.answer(readDeviceFigures, noFigures);
  api.answer(listViews, pageOf([]));
  api.answer(getDevice, { device, history: [], tickets: [] });
  api.answer(getFields, { fields: [employee, site] });
}

test('the values of a device are saved without that of a column that a colleague removed', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(updateDevice, { device });
  await open('/dashboard/devices?device=1', 'user');
  const values = page.getByRole('form', { name: 'Own columns' });
  await values.getByLabel('Employee').fill('Siti');
  await values.getByLabel('Site').fill('Solo');
  await changeColumns(page, api, [employee]);
  await expect(values.getByLabel('Site')).toBeHidden();
  await values.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => api.bodiesOf(updateDevice)).toEqual([{ fields: { employee: 'Siti' } }]);
});

test('a value typed while another one is saved, or before the panel closes, stays', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(updateDevice, { device: { ...device, fields: { employee: 'Siti' } } });
  await open('/dashboard/devices?device=1', 'user');
  const values = page.getByRole('form', { name: 'Own columns' });
  const save = values.getByRole('button', { name: 'Save', exact: true });
  await expect(values).toBeVisible();
  const saving = api.hold(updateDevice);
  api.hold(listViews);
  await values.getByLabel('Employee').fill('Siti');
  await values.getByLabel('Employee').press('Enter');
  await values.getByLabel('Site').fill('Solo');
  api.answer(getDevice, {
    ...{ device: { ...device, fields: { employee: 'Siti' } }, history: [], tickets: [] },
  });
  saving.letGo();
  await expect(save).toBeEnabled();
  await expect(values.getByLabel('Site')).toHaveValue('Solo');
  await expect(values.getByLabel('Employee')).toHaveValue('Siti');
  await values.getByLabel('Site').press('Escape');
  await expect(values).toBeHidden();
  await page.getByRole('row').nth(1).click();
  await expect(values.getByLabel('Site')).toHaveValue('Solo');
  const closing = api.hold(updateDevice);
  await save.click();
  await expect
    .poll(() => api.bodiesOf(updateDevice))
    .toEqual([{ fields: { employee: 'Siti' } }, { fields: { site: 'Solo' } }]);

  // What was saved is not typed any more, also if the panel was closed while it was saved.
  await values.getByLabel('Site').press('Escape');
  await expect(values).toBeHidden();
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  closing.letGo();
  await saved;
  const fields = { employee: 'Siti', site: 'Bandung' };
  api.answer(getDevice, { device: { ...device, fields }, history: [], tickets: [] });
  api.answer(getActivity, { ...quiet, register_revision: 'colleague' });
  await lookAgain(page);
  await page.getByRole('row').nth(1).click();
  await expect(values.getByLabel('Site')).toHaveValue('Bandung');
});

test('a value for many devices needs another column once a colleague removed the chosen one', async ({
  page,
  api,
  open,
}) => {
  answerDevices(api);
  api.answer(updateDevices, { message: 'Devices changed: 1' });
  await open('/dashboard/devices?type=Xiaomi', 'user');
  await page.getByRole('button', { name: 'Actions on the list' }).click();
  await page.getByRole('menuitem', { name: 'Set a column of 1 device' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a column of 1 device' });
  const column = dialog.getByLabel('Own column');
  await column.selectOption('Site');
  await dialog.getByLabel('Value').fill('Solo');
  await changeColumns(page, api, [employee]);
  await expect(column).toHaveValue('');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeVisible();
  expect(api.bodiesOf(updateDevices)).toEqual([]);
  // The counts of saved views take long.
  api.hold(listViews);
  await column.selectOption('Employee');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(api.bodiesOf(updateDevices)[0]?.fields).toEqual({ employee: 'Solo' });
});

test('two own columns of the same name are refused at the second one', async ({ page, api, open }) => {
  answerDevices(api);
  await open('/dashboard/devices?columns=1', 'user');
  const dialog = page.getByRole('dialog', { name: 'Own columns' });
  const second = dialog.getByLabel('Name of column 2');
  await second.fill(' employee');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(second).toHaveAccessibleDescription('Another column has this name.');
  expect(api.bodiesOf(putFields)).toEqual([]);
  await second.fill('Site');
  api.answer(putFields, { fields: [employee, site] });
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
});
