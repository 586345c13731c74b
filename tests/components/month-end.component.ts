import assert from 'node:assert/strict';
import { getSeller } from '#features/invoices/invoices.contract.ts';
import {
  batchInvoices,
  listMonthEnd,
  type MonthEndLine,
  type MonthEndSums,
} from '#features/invoices/month-end.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { seller } from '#tests/support/browser/made-up-invoices.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/invoices/month-end?month=2026-10';
const line: MonthEndLine = {
  company_code: 'TEL001',
  company_name: 'PT Telekomunikasi Selular Perangkat & Layanan Purna Jual Indonesia',
  statement: { total: 201_600_000 },
  before: { total: 180_000_000 },
  open: 201_600_000,
  invoices: [],
  has_address: true,
};
const silent = { ...line, company_code: 'QUO001', company_name: 'Quokka', has_address: false };
const idle = { ...line, company_code: 'WOM001', company_name: 'Wombat', statement: { total: 0 }, open: 0 };
const draftOf = (of: MonthEndLine, _id: string): MonthEndLine => ({
  ...of,
  open: 0,
  invoices: [{ _id, number: null, status: 'draft', total: of.open, sent: null }],
});
/** Returns the only page of a month. */
function monthOf(lines: MonthEndLine[]) {
  const sumOf = (amountsOf: (line: MonthEndLine) => number[]) => {
    const amounts = lines.map((line) => amountsOf(line).reduce((sum, one) => sum + one, 0));
    const total = amounts.reduce((sum, one) => sum + one, 0);
    return { companies: amounts.filter((one) => one > 0).length, total, ppn: 0 };
  };
  const totalsOf = ({ invoices }: MonthEndLine, areDrafts: boolean) =>
    invoices.filter(({ status }) => (status === 'draft') === areDrafts).map(({ total }) => total);
  const sums: MonthEndSums = {
    open: sumOf(({ open }) => [open]),
    drafts: sumOf((one) => totalsOf(one, true)),
    issued: sumOf((one) => totalsOf(one, false)),
  };
  return { ...pageOf(lines), sums };
}
const made = (company_code: string, _id: string, number: string | null = null) => ({
  company_code,
  invoice: { _id, number, total: 201_600_000 },
  error: null,
});

test('a superadmin drafts, looks through, issues and sends the invoices of a month by the keyboard alone', async ({
  page,
  api,
  open,
}) => {
  api.answer(listMonthEnd, monthOf([line, silent, idle]));
  api.answer(batchInvoices, { data: [made('TEL001', '1'), made('QUO001', '2')] });
  api.answer(getSeller, { ...seller, version: 1 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'Companies' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(table.getByRole('row').nth(1)).toContainText('+Rp 21.600.000');
  await expect(page.getByText('No address for invoices: QUO001')).toBeVisible();
  await expect(page.getByText('Nothing to bill: WOM001')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Issue and send' })).toBeDisabled();
  await expectAccessible(page, allWidths);

  const drafts = [draftOf(line, '1'), draftOf(silent, '2'), idle];
  await tabTo(page, page.getByRole('button', { name: 'Draft all' }));
  api.answer(listMonthEnd, monthOf(drafts));
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 drafts were made.')).toBeVisible();
  expect(api.bodiesOf(batchInvoices)).toEqual([{ month: '2026-10', do: 'draft' }]);
  await expect(table.getByText('Draft', { exact: true })).toHaveCount(2);
  // The button is disabled now.
  await expect(page.getByRole('main')).toBeFocused();

  const issue = page.getByRole('button', { name: 'Issue and send' });
  await tabAndPress(page, issue);
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('1 draft is issued, Rp 201.600.000 in all.');
  await expect(dialog).toContainText('No address for invoices: QUO001');
  await expect(dialog).not.toContainText('The seller’s data are missing.');
  await expectAccessible(page, allWidths);
  const issued: MonthEndLine = {
    ...line,
    open: 0,
    invoices: [
      {
        _id: '1',
        number: 'INV/2026/0001',
        status: 'issued',
        total: 201_600_000,
        sent: { at: '2026-11-02T03:00:00.000Z', to: ['a@b.example'], status: 'queued' },
      },
    ],
  };
  api.answer(listMonthEnd, monthOf([issued, draftOf(silent, '2'), idle]));
  api.answer(batchInvoices, { data: [made('TEL001', '1', 'INV/2026/0001')] });
  // The list behind the dialog follows what a colleague issued meanwhile; the dialog keeps what was looked through.
  await expect(table.getByText('INV/2026/0001')).toBeVisible();
  await expect(dialog).toContainText('1 draft is issued, Rp 201.600.000 in all.');
  await tabAndPress(page, dialog.getByRole('button', { name: 'Issue and send' }));
  await expect(dialog).toHaveCount(0);
  expect(api.bodiesOf(batchInvoices).at(-1)).toEqual({
    month: '2026-10',
    do: 'issue',
    send: true,
    language: 'en',
    totals: { 1: 201_600_000 },
  });
  await expect(table.getByText('Being sent')).toBeVisible();
});

test('companies that a batch leaves out are named, and a batch that fails says so', async ({
  page,
  api,
  open,
}) => {
  api.answer(listMonthEnd, monthOf([line, draftOf(silent, '2')]));
  api.answer(getSeller, { ...seller, name: '', version: 0 });
  api.failWordless(batchInvoices);
  await open(path, 'superadmin');
  const draftAll = page.getByRole('button', { name: 'Draft all' });
  await draftAll.click();
  await expect(page.getByRole('alert')).toContainText('Failed to draft the invoices.');
  api.answer(batchInvoices, { data: [{ company_code: 'TEL001', invoice: null, error: 'already_invoiced' }] });
  await draftAll.click();
  await expect(page.getByText('Left out because something has changed: TEL001')).toBeVisible();

  await page.getByRole('button', { name: 'Issue and send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('The seller’s data are missing.');
  // Without an address, no draft can be sent.
  await expect(dialog.getByRole('button', { name: 'Issue and send' })).toBeDisabled();
  await dialog.getByLabel('Also send it by mail').uncheck();
  await expect(dialog).toContainText('1 draft is issued');
  const sellerForm = dialog.getByRole('link', { name: 'Seller’s data' });
  await expect(sellerForm).toHaveAttribute('href', '/dashboard/invoices?seller=1');
  await takePictures(page, [390, 1280]);
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await expect.poll(() => api.bodiesOf(batchInvoices).at(-1)?.send).toBe(false);

  api.failWordless(listMonthEnd);
  await open(path, 'superadmin');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  api.answer(listMonthEnd, monthOf([]));
  await open(path, 'superadmin');
  await expect(page.getByText('No company to bill')).toBeVisible();
  await expectAccessible(page);
});

test('a batch whose answer is lost reads the list again, and its dialog does not keep old sums', async ({
  page,
  api,
  open,
}) => {
  const mayBeDone = 'No answer arrived. The change may have been made: check before you try again.';
  api.answer(listMonthEnd, monthOf([line]));
  api.answer(getSeller, { ...seller, version: 1 });
  api.loseAnswer(batchInvoices);
  await open(path, 'superadmin');
  const draftAll = page.getByRole('button', { name: 'Draft all' });
  await expect(draftAll).toBeEnabled();
  // Its answer would read the list again, too.
  api.hold(getActivity);
  api.answer(listMonthEnd, monthOf([draftOf(line, '1')]));
  await draftAll.click();
  await expect(page.getByRole('alert').getByRole('paragraph')).toHaveText([
    'Failed to draft the invoices.',
    mayBeDone,
  ]);
  await expect(draftAll).toBeDisabled();

  const issueAll = page.getByRole('button', { name: 'Issue and send' });
  await issueAll.click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('1 draft is issued');
  api.answer(listMonthEnd, monthOf([{ ...line, open: 0 }]));
  await dialog.getByRole('button', { name: 'Issue and send' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to issue the invoices.' })).toContainText(
    mayBeDone,
  );
  await expect(dialog).toHaveCount(0);
  await expect(issueAll).toBeDisabled();
});

test('a batch that made nothing is no success, and names why until the company is billed', async ({
  page,
  api,
  open,
}) => {
  const other = { ...line, company_code: 'ACM001' };
  const costly = { ...line, company_code: 'BIG001' };
  const [invoice] = draftOf(line, '1').invoices;
  const issued = { ...(invoice ?? assert.fail()), number: 'INV/2026/0001', status: 'issued' as const };
  const refused = (company_code: string, error: string) => ({ company_code, invoice: null, error });
  api.answer(listMonthEnd, monthOf([draftOf(line, '1'), draftOf(other, '2'), draftOf(costly, '3')]));
  api.answer(getSeller, { ...seller, version: 1 });
  api.answer(batchInvoices, {
    data: [
      refused('TEL001', 'internal'),
      refused('ACM001', 'other_total'),
      refused('BIG001', 'invoice_too_large'),
    ],
  });
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Issue and send' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue and send' }).click();
  await expect(page.getByRole('alert')).toHaveText('0 invoices were issued.');
  const broken = page.getByText('Something went wrong, please try again: TEL001');
  const changed = page.getByText('Left out because something has changed: ACM001');
  await expect(broken).toBeVisible();
  await expect(changed).toBeVisible();
  await expect(page.getByText(/^The total is too large, .*: BIG001$/)).toBeVisible();
  await expectAccessible(page, allWidths);
  api.answer(listMonthEnd, monthOf([{ ...line, open: 0, invoices: [issued] }, draftOf(other, '2')]));
  await lookAgain(page);
  await expect(broken).toHaveCount(0);
  await expect(changed).toBeVisible();
});

test('all drafts of a company are listed, summed up and issued', async ({ page, api, open }) => {
  const [first = assert.fail()] = draftOf(line, '1').invoices;
  const late = { ...first, _id: '2', total: 400_000 };
  const standing = { ...first, _id: '3', number: 'INV/2026/0007', status: 'paid', total: 8_000 } as const;
  api.answer(listMonthEnd, monthOf([{ ...line, open: 0, invoices: [standing, first, late] }]));
  api.answer(getSeller, { ...seller, version: 1 });
  api.answer(batchInvoices, { data: [made('TEL001', '1', 'INV/2026/0008')] });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'Companies' });
  await expect(table.getByRole('row')).toHaveCount(4);
  await expect(page.getByText('Rp 202.000.000')).toBeVisible();
  await expect(table.getByText('Draft', { exact: true })).toHaveCount(2);
  await expect(page.getByText('Companies 1 to 1 of 1', { exact: true })).toBeVisible();
  await expect(page.getByLabel('Items per page:')).toHaveCount(0);
  const beside = 'return element.scrollWidth - element.clientWidth;';
  expect(await runOn<number>(table.locator('..'), beside)).toBe(0);
  await takePictures(page);
  await page.getByRole('button', { name: 'Issue and send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('2 drafts are issued, Rp 202.000.000 in all.');
  await dialog.getByRole('button', { name: 'Issue and send' }).click();
  await expect.poll(() => api.bodiesOf(batchInvoices).at(-1)?.totals).toEqual({ 1: 201_600_000, 2: 400_000 });
});

test('nothing is issued before the seller’s data are read, which an issued invoice keeps', async ({
  page,
  api,
  open,
}) => {
  api.answer(listMonthEnd, monthOf([draftOf(line, '1')]));
  api.failWordless(getSeller);
  await open(path, 'superadmin');
  await page.getByRole('button', { name: 'Issue and send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog.getByRole('alert')).toContainText('Seller’s data could not be loaded.');
  const issue = dialog.getByRole('button', { name: 'Issue and send' });
  await expect(issue).toBeDisabled();
  await expectAccessible(page);
  api.answer(getSeller, { ...seller, name: '', version: 0 });
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect(dialog).toContainText('The seller’s data are missing.');
  await expect(issue).toBeEnabled();
});

test('a draft of Rp 0 is named as nothing to bill, and is not issued with the others', async ({
  page,
  api,
  open,
}) => {
  const [free] = draftOf({ ...line, company_code: 'ZER001', open: 0 }, '2').invoices;
  const zero = { ...line, company_code: 'ZER001', open: 0, invoices: [free ?? assert.fail()] };
  api.answer(listMonthEnd, monthOf([draftOf(line, '1'), zero]));
  api.answer(getSeller, { ...seller, version: 1 });
  api.answer(batchInvoices, { data: [made('TEL001', '1', 'INV/2026/0001')] });
  await open(path, 'superadmin');
  await expect(page.getByText('Nothing to bill: ZER001')).toBeVisible();
  await page.getByRole('button', { name: 'Issue and send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('1 draft is issued, Rp 201.600.000 in all.');
  await dialog.getByRole('button', { name: 'Issue and send' }).click();
  await expect.poll(() => api.bodiesOf(batchInvoices).at(-1)?.totals).toEqual({ 1: 201_600_000 });
  api.answer(listMonthEnd, monthOf([zero]));
  await open(path, 'superadmin');
  await expect(page.getByText('Nothing to bill: ZER001')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Issue and send' })).toBeDisabled();
});

test('while another month is read, nothing of the month before is drafted or issued', async ({
  page,
  api,
  open,
}) => {
  api.answer(listMonthEnd, monthOf([line, draftOf(silent, '2')]));
  await open(path, 'superadmin');
  const buttons = ['Draft all', 'Issue and send'].map((name) => page.getByRole('button', { name }));
  for (const button of buttons) await expect(button).toBeEnabled();
  const held = api.hold(listMonthEnd);
  await page.getByRole('button', { name: 'Previous month' }).click();
  for (const button of buttons) await expect(button).toBeDisabled();
  await expect(page.getByText('TEL001')).toHaveCount(0);
  held.letGo();
  for (const button of buttons) await expect(button).toBeEnabled();
  await page.goto('/dashboard/invoices/month-end');
  const next = page.getByRole('button', { name: 'Next month' });
  await next.press('Enter');
  await expect(next).toBeDisabled();
  await expect(next).toBeFocused();
});

test('the month stays when the next one begins while its drafts are looked through', async ({
  page,
  api,
  open,
}) => {
  api.answer(getActivity, { ...quiet, today: '2026-11-30' });
  api.answer(listMonthEnd, monthOf([draftOf(line, '1')]));
  api.answer(getSeller, { ...seller, version: 1 });
  api.answer(batchInvoices, { data: [made('TEL001', '1', 'INV/2026/0001')] });
  await open('/dashboard/invoices/month-end', 'superadmin');
  await page.getByRole('button', { name: 'Issue and send' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invoices of Oct 2026' });
  await expect(dialog).toContainText('1 draft is issued');
  api.answer(getActivity, { ...quiet, today: '2026-12-01' });
  const polled = page.waitForResponse(/tickets\/activity/);
  await lookAgain(page);
  await polled;
  await dialog.getByRole('button', { name: 'Issue and send' }).click();
  await expect.poll(() => api.bodiesOf(batchInvoices).at(-1)?.month).toBe('2026-10');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Oct 2026' })).toBeVisible();
});

test('on phones a company has its whole name and all amounts, without heads', async ({ page, api, open }) => {
  api.answer(listMonthEnd, monthOf([draftOf(line, '1')]));
  await page.setViewportSize({ width: 360, height: 844 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'Companies' });
  await expect(table.getByRole('row')).toHaveCount(1);
  await expect(table.getByRole('columnheader')).toHaveCount(0);
  const beside = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(table.locator('..'), beside)).toBe(0);
  const below = 'return element.scrollHeight - element.clientHeight;';
  await expect.poll(() => runOn<number>(table.getByRole('cell').first(), below)).toBe(0);
  for (const head of ['Month before', 'To draft', 'Invoice'])
    await expect(table.locator(`[data-head="${head}"]`)).toBeVisible();
  await takePictures(page);
  const [invoice] = draftOf(line, '1').invoices;
  const sent = { at: '2026-11-02T03:00:00.000Z', to: ['a@b.example'], status: 'failed' as const };
  const total = 1_987_654_321;
  const failed = {
    ...(invoice ?? assert.fail()),
    number: 'INV/2026/0001',
    status: 'issued' as const,
    total,
    sent,
  };
  const statement = { ...line.statement, total };
  api.answer(listMonthEnd, monthOf([{ ...line, statement, open: 0, invoices: [failed] }]));
  await open(path, 'superadmin');
  await expect(table.getByText('Not sent')).toBeVisible();
  await expect.poll(() => runOn<number>(table.getByText('INV/2026/0001'), beside)).toBe(0);
  await takePictures(page);
});

test('amounts say whether they have PPN, those of other pages are summed up, and a draft opens from its row', async ({
  page,
  api,
  open,
}) => {
  const sums: MonthEndSums = {
    open: { companies: 1, total: 1_000_000, ppn: 0 },
    drafts: { companies: 1200, total: 223_776_000, ppn: 22_176_000 },
    issued: { companies: 0, total: 0, ppn: 0 },
  };
  const draft = draftOf({ ...line, open: 223_776_000 }, '4');
  api.answer(listMonthEnd, { ...monthOf([draft, draftOf(silent, '5')]), sums });
  api.answer(getActivity, quiet);
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(path, 'superadmin');
  const cards = page.getByRole('region', { name: 'Month’s end' });
  await expect(cards).toContainText('Rp 1.000.0001 company, without PPN');
  await expect(cards).toContainText('Rp 223.776.0001,200 companies, including PPN of Rp 22.176.000');
  await expect(cards).toContainText('Rp 00 companies');
  await expect(page.getByRole('columnheader', { name: 'Invoice with PPN' })).toBeVisible();
  // Its company is on another page.
  api.answer(batchInvoices, { data: [{ company_code: 'OTH001', invoice: null, error: 'internal' }] });
  await page.getByRole('button', { name: 'Draft all' }).click();
  await expect(page.getByText('Something went wrong, please try again: OTH001')).toBeVisible();
  const table = page.getByRole('table', { name: 'Companies' });
  const name = table.getByText('QUO001 (Quokka)');
  expect(
    await runOn<number>(
      name,
      'const cell = element.closest("td"); return cell.scrollWidth - cell.clientWidth;',
    ),
  ).toBe(0);
  expect((await name.locator('xpath=ancestor::td').boundingBox())?.width).toBeGreaterThan(200);
  const link = table.getByRole('link', { name: 'Rp 223.776.000' });
  await expect(link).toHaveAttribute('href', '/dashboard/invoices?invoice=4');
  await takePictures(page, [390, 1280]);
});

test('the month’s end is in Indonesian, too', async ({ page, api, open }) => {
  api.answer(listMonthEnd, monthOf([line, draftOf(silent, '2'), idle]));
  api.answer(getSeller, { ...seller, version: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(path, 'superadmin');
  await page.getByLabel('Language').selectOption('id');
  await expect(page.getByRole('heading', { name: 'Akhir bulan' })).toBeVisible();
  const table = page.getByRole('table', { name: 'Perusahaan' });
  await expect(table.getByRole('row').nth(1)).toContainText('+Rp 21.600.000');
  await expect(table.getByRole('row').nth(2)).toContainText('Draf');
  await expect(page.getByRole('region', { name: 'Akhir bulan' })).toContainText('1 perusahaan');
  await expect(page.getByText('Tanpa alamat email untuk faktur: QUO001')).toBeVisible();
  await expect(page.getByText('Tidak ada yang ditagih: WOM001')).toBeVisible();
  const beside = 'return element.scrollWidth - element.clientWidth;';
  expect(await runOn<number>(table.locator('..'), beside)).toBe(0);
  await takePictures(page, [390, 1280]);
  await page.getByRole('button', { name: 'Terbitkan dan kirim' }).click();
  const dialog = page.getByRole('dialog', { name: 'Faktur Okt 2026' });
  await dialog.getByLabel('Kirim juga lewat email').uncheck();
  await expect(dialog).toContainText('1 draf diterbitkan, total Rp 201.600.000.');
  await expect(dialog.getByRole('button', { name: 'Terbitkan', exact: true })).toBeEnabled();
  await expectAccessible(page, allWidths);
});
