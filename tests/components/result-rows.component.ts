import type { Locator, Page } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { listResults } from '#features/results/results.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerRows, answerTicket, invalid, makeRows, ticket } from '#tests/support/browser/made-up-rows.ts';
import { onePage } from '#tests/support/browser/paging.ts';
import { takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/data?ticket=7';
const orange = 'rgb(154, 63, 0)';

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Serial Data' }).getByRole('row');

test.beforeEach(({ api }) => answerTicket(api));

test('the cells of a row share one baseline, and their figures are equally wide, unlike those of running text', async ({
  page,
  api,
  open,
}) => {
  answerRows(api, makeRows(3));
  await page.setViewportSize({ width: 1920, height: 900 });
  await open('/dashboard/tracker?ticket=7', 'user');
  const row = rowsOf(page).nth(1);
  const cells = row.getByRole('cell');
  await expect(row.getByRole('checkbox')).toBeVisible();
  const baselineOf = (cell: Locator) =>
    runOn<number>(
      cell,
      `const mark = element.appendChild(document.createElement('span'));
      mark.style.display = 'inline-block';
      const { bottom } = mark.getBoundingClientRect();
      mark.remove();
      return Math.round(bottom);`,
    );
  const baseline = await baselineOf(cells.nth(1));
  expect(await baselineOf(cells.last())).toBe(baseline);
  expect(await baselineOf(cells.first().getByRole('button'))).toBe(baseline);
  const box = await row.getByRole('checkbox').boundingBox();
  const middle = await runOn<number>(
    cells.nth(1),
    'const { top, height } = element.getBoundingClientRect(); return top + height / 2;',
  );
  expect(Math.abs((box?.y ?? 0) + (box?.height ?? 0) / 2 - middle)).toBeLessThanOrEqual(1);

  const tabular = (element: Locator) => expect(element).toHaveCSS('font-variant-numeric', 'tabular-nums');
  await tabular(cells.nth(0));
  await expect(page.getByText('100%', { exact: true }).first()).toBeVisible();
  for (const percent of await page.getByText('100%', { exact: true }).all()) await tabular(percent);
  const [drawn, natural] = await runOn<[number, number]>(
    page.getByText('Auto-refresh', { exact: true }),
    `const range = document.createRange();
    range.selectNodeContents(element);
    const drawn = range.getBoundingClientRect().width;
    element.style.fontVariantNumeric = 'normal';
    return [drawn, range.getBoundingClientRect().width];`,
  );
  expect(drawn).toBe(natural);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('the expiry of a row reads "N/A", "Expired", "Expires today" or "N days", and 30 days or fewer are orange', async ({
  page,
  api,
  open,
}) => {
  const texts = ['N/A', 'Expired', 'Expires today', '1 days', '30 days', '31 days', '1004 days'];
  answerRows(
    api,
    makeRows(texts.length).map((row, index) => ({ ...row, coverage_expires: String(texts[index]) })),
  );
  for (const at of [path, '/dashboard/tracker?ticket=7']) {
    await open(at, 'user');
    const rows = rowsOf(page);
    for (const [index, text] of texts.entries()) {
      const expiry = rows.nth(index + 1).getByText(text, { exact: true });
      const isSoon = index >= 2 && index <= 4;
      await expect(expiry).toHaveCSS('color', isSoon ? orange : /^(?!rgb\(154, 63, 0\))/);
    }
  }
});

test('a row reads the activation in any case and shows its fetch time as "Mon d, yyyy • hh:mm"', async ({
  page,
  api,
  open,
}) => {
  // As other versions of the API wrote them, too.
  const changes: object[] = [
    { activation_status: 'ACTIVATED', timestamp: '2026-11-21T07:05:00.000Z', purchase_date: '2026-11-01' },
    { activation_status: 'Unactivated', timestamp: '21/11/2026, 14.05' },
    { activation_status: null, timestamp: null },
  ];
  answerRows(
    api,
    makeRows(3).map((row, index) => ({ ...row, ...changes[index] })),
  );
  await open(path, 'user');
  const rows = rowsOf(page);
  await expect(rows.nth(1).getByText('Activated', { exact: true })).toBeVisible();
  await expect(rows.nth(1).getByText('Nov 1, 2026', { exact: true })).toBeVisible();
  await expect(rows.nth(2).getByText('Unactivated', { exact: true })).toBeVisible();
  for (const index of [1, 2]) {
    await expect(rows.nth(index).getByRole('cell').last()).toHaveText('Nov 21, 2026 • 14:05');
  }
  await expect(rows.nth(3).getByRole('cell').last()).toHaveText('–');
});

test('the numbers of rows have digit groups, as the pages have', async ({ page, api, open }) => {
  answerRows(
    api,
    makeRows(1).map((row) => ({ ...row, position: 1_000_000 })),
  );
  await open(path, 'user');
  const number = page.getByRole('button', { name: 'Open row 1,000,000' });
  await expect(number).toHaveText('1,000,000');
  // The number and the box that selects its row do not touch.
  const [box, text] = [page.getByRole('checkbox').nth(1), number];
  const gap = async () => {
    const [left, right] = [await box.boundingBox(), await text.boundingBox()];
    return (right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0);
  };
  await expect.poll(gap).toBeGreaterThan(4);
  await number.click();
  await expect(page.getByRole('heading', { name: 'Row 1,000,000' })).toBeVisible();
});

test('on a narrow phone in Indonesian, a badge covers neither the serial nor its copy button', async ({
  page,
  api,
  open,
}) => {
  answerRows(
    api,
    makeRows(3).map((row) => ({ ...row, activation_status: 'unactivated' as const })),
  );
  await open(path, 'user');
  await page.getByLabel('Language').selectOption('id');
  const row = page.getByRole('table', { name: 'Data Nomor Seri' }).getByRole('row').nth(1);
  // The margin within the copy button, around its icon.
  const transparent = 5;
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const badge = await row.locator('[data-badge]').boundingBox();
    for (const part of [row.locator('td:has([data-copy]) > span'), row.locator('[data-copy]')]) {
      const box = await part.boundingBox();
      const right = (box?.x ?? 0) + (box?.width ?? 0) - transparent;
      expect(right, `${width} pixels`).toBeLessThanOrEqual(badge?.x ?? 0);
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  const badge = await row.locator('[data-badge]').boundingBox();
  expect(badge?.height).toBeLessThanOrEqual(22);
});

test('own columns leave types and warranties 120 pixels, and the page no wider than its window', async ({
  page,
  api,
  open,
}) => {
  const own = ['Employee', 'Department', 'Asset number'];
  api.answer(getFields, { fields: own.map((name, index) => ({ key: `own${index}`, name })) });
  answerRows(
    api,
    makeRows(3).map((row) => ({ ...row, fields: { own0: 'Siti Rahma Wulandari', own1: 'Field sales' } })),
  );
  for (const width of [1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await open(path, 'user');
    const table = page.getByRole('table', { name: 'Serial Data' });
    for (const name of ['Type', 'Warranty', ...own]) {
      const head = table.getByRole('columnheader', { name });
      await expect.poll(async () => (await head.boundingBox())?.width, name).toBeGreaterThanOrEqual(120);
    }
    const beside = 'return document.documentElement.scrollWidth - innerWidth;';
    expect(await runOn<number>(table, beside), `${width} px`).toBeLessThanOrEqual(0);
    await takePictures(page, [width]);
  }
});

test('the panel of a row has the own columns, with long values whole', async ({ page, api, open }) => {
  const employee = 'Raden Ajeng Siti Rahma Wulandari Kusumawardhani Notonegoro '.repeat(3).trim();
  api.answer(getFields, {
    fields: [
      { key: 'employee', name: 'Employee' },
      { key: 'site', name: 'Site' },
    ],
  });
  answerRows(
    api,
    makeRows(2).map((row) => ({ ...row, fields: { employee } })),
  );
  await open(path, 'user');
  await page.getByRole('table', { name: 'Serial Data' }).getByRole('row').nth(1).click();
  const panel = page.getByRole('dialog').or(page.getByRole('complementary', { name: /^Row 1/ }));
  const own = panel.getByRole('heading', { name: 'Own columns' }).locator('xpath=following-sibling::dl');
  await expect(own).toHaveText(`Employee${employee}Site–`);
  const value = own.getByRole('definition').first();
  const hidden = 'return element.scrollWidth - element.clientWidth;';
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await runOn<number>(value, hidden)).toBeLessThanOrEqual(0);
  }
  await takePictures(page, [390, 1280]);
});

test('a failed row and an empty ticket ask nobody for what only others can do', async ({
  page,
  api,
  open,
}) => {
  const reasons = ['Invalid serial number', 'Not found', 'Rejected by source'];
  const advice = {
    superadmin: ['Its company can correct', 'Its company can compare', 'Its company can compare'],
    user: ['Correct the cell in your file', 'Compare the number', 'Compare it'],
  };
  api.answer(listCompanyCodes, { data: [] });
  for (const role of ['superadmin', 'user'] as const) {
    answerRows(
      api,
      makeRows(3).map((row, index) => ({ ...row, ...invalid, reason: reasons[index] ?? null })),
    );
    await open('/dashboard/tracker?ticket=7', role);
    for (const [index, text] of advice[role].entries()) {
      await page.getByRole('button', { name: `Open row ${index + 1}` }).click();
      await expect(page.getByRole('heading', { name: `Row ${index + 1}` })).toBeVisible();
      await expect(page.getByText(text)).toBeVisible();
      await page.keyboard.press('Escape');
    }
  }
  answerRows(api, []);
  await open(path, 'user');
  await expect(page.getByText('its results were deleted')).toBeVisible();
});

test('a selection of rows ends when a colleague deletes the data of the ticket', async ({
  page,
  api,
  open,
}) => {
  answerRows(api, makeRows(3));
  await open(path, 'user');
  await page
    .getByRole('checkbox', { name: /^Select row/ })
    .first()
    .check();
  const bar = page.getByRole('region', { name: 'Selection' });
  await expect(bar).toContainText('1 selected');
  api.answer(listResults, {
    data: [],
    pagination: onePage(0),
    ticket: { ...ticket, coverage_deleted: true },
  });
  api.answer(getActivity, { ...quiet, revision: '1' });
  await lookAgain(page);
  await expect(bar).toBeHidden();
});
