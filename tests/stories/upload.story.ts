import { readFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { nextFileChooser } from '#tests/support/browser/file-chooser.ts';
import { goWithin } from '#tests/support/browser/go-within.ts';
import { openAs } from '#tests/support/browser/open-as.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeSheets } from '#tests/support/sheets/make-workbook.ts';
import { call, makeUser, tokenOf } from '#tests/support/stories/api.ts';
import {
  followMenu,
  sheetFile,
  uploadAndFinish,
  waitUntilRegistered,
  xlsxType,
} from '#tests/support/stories/upload.ts';

const seconds = 1000;

test('a sheet that is browsed for and uploaded becomes a ticket and leads to its data after 2 seconds', async ({
  page,
  user,
  signIn,
}) => {
  await signIn(page, user);
  await page.clock.install();
  const chooser = nextFileChooser(page);
  await page.goto('/dashboard/upload');
  await expect(page.getByText('Please delete your previous data before adding new data.')).toBeVisible();
  await expect(page.getByText('Harap hapus data sebelumnya sebelum menambahkan data baru.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'How it works' }).getByRole('listitem')).toHaveCount(4);

  const [first = ''] = makeImeis(1);
  const file = sheetFile('devices.xlsx', ['IMEI', ...makeImeis(3), first, '123']);
  await expect(page.locator('input[type=file]')).toHaveAttribute('accept', '.xlsx,.xls');
  await page.getByRole('button', { name: 'Browse' }).click();
  await (await chooser).setFiles(file);
  await expect(page.getByText('devices.xlsx', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove file' })).toBeVisible();
  await expect(page.getByText(`${(file.buffer.length / 1024).toFixed(2)} KB`)).toBeVisible();
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(preview).toContainText('3 to check · 1 to fix · 1 duplicate · Rp 2.400');
  await expect(preview.getByRole('row', { name: /^A6 123 / })).toBeVisible();
  await expect(page.getByLabel('Upload into')).toHaveCount(0);
  await pauseClock(page);
  await page.getByRole('button', { name: 'Upload File' }).click();
  const message = page.getByText(/^Successfully imported 4 records\. Ticket: \d+$/);
  await expect(message).toBeVisible();
  await expect(page.getByText('1 duplicate was left out.')).toBeVisible();
  await expect(page.getByText('1 cell is not a valid serial number')).toBeVisible();
  const ticket = (await message.textContent())?.split('Ticket: ')[1];

  await page.clock.runFor(1.9 * seconds);
  await expect(page).toHaveURL(/\/dashboard\/upload$/);
  await page.clock.runFor(0.2 * seconds);
  await expect(page).toHaveURL(new RegExp(`/dashboard/data\\?ticket=${ticket}$`));
});

test('a list that is pasted again after its upload is read again, and known to its company', async ({
  page,
  user,
  administrator,
  signIn,
}) => {
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  const serials = makeImeis(3);
  const list = serials.join('\n');
  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill(list);
  await expect(preview).toContainText('3 to check');
  await expect(preview).not.toContainText('as ticket');
  await page.getByRole('button', { name: 'Upload Serial Numbers' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+$/);
  await followMenu(page, 'Upload Data');
  await page.getByLabel('Serial numbers', { exact: true }).fill(list);
  await expect(preview).toContainText('as ticket');

  for (const serial of serials) await waitUntilRegistered(user, serial);
  for (const [account, width, name] of [
    [user, 390, 'You'],
    [administrator, 390, user.name],
    [administrator, 1280, user.name],
  ] as const) {
    await openAs(page, account, '/dashboard/upload', width);
    await page.getByRole('tab', { name: 'Paste' }).click();
    await page.getByLabel('Serial numbers', { exact: true }).fill(list);
    await expect(preview).toContainText(`${name} checked these serial numbers`);
    for (const button of ['Reuse its answers', 'Check again'])
      await expect(preview.getByRole('button', { name: button })).toBeVisible();
    await expect(preview.getByRole('link', { name: 'Open' })).toBeVisible();
  }
});

test('an upload takes young answers from the register, and its ticket says so', async ({
  page,
  user,
  signIn,
}) => {
  const serials = makeImeis(3);
  await uploadAndFinish(user, serials);
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  await page.locator('input[type=file]').setInputFiles(sheetFile('again.xlsx', serials));
  await page.getByLabel('Reuse answers from the last').fill('7');
  await page.getByRole('button', { name: 'Upload File' }).click();
  await expect(page.getByText('3 rows were answered from the register and are not looked up.')).toBeVisible();
  const ticket = page.getByRole('region', { name: 'Current ticket' });
  await expect(ticket).toContainText('3 from the register');
  await expect(ticket).toContainText('Completed');
  await expectAccessible(page, allWidths);
  const number = new URL(page.url()).searchParams.get('ticket');
  await goWithin(page, `/dashboard/tickets/${number}?view=import`);
  await expect(page.getByText('From the register, not looked up')).toBeVisible();
  await page.getByRole('tab', { name: 'Price' }).click();
  await expect(page.getByLabel('Pricing')).toContainText('Billed rows3');
  await expectAccessible(page, allWidths);
});

test('a preview offers a likelier sheet and column, and the upload reads what was chosen', async ({
  page,
  user,
  signIn,
}) => {
  const [first = '', second = '', third = '', fourth = ''] = makeImeis(4);
  const phones = [
    ['Owner', 'IMEI of the phone'],
    ['ANNA1985', first],
    ['BUDI1990', second],
    ['CITRA2001', third],
    ['DEWI2002', '353901'],
  ];
  const sheets = [
    { name: 'Notes', rows: [['How to read this workbook']] },
    { name: 'Phones', rows: phones },
  ];
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  const file = { name: 'phones.xlsx', mimeType: xlsxType, buffer: makeSheets(sheets) };
  await page.locator('input[type=file]').setInputFiles(file);
  const preview = page.getByRole('region', { name: 'Preview' });
  await expect(
    preview.getByText('Sheet "Notes" has no serial numbers, but sheet "Phones" has.'),
  ).toBeVisible();
  await preview.getByRole('button', { name: 'Use sheet "Phones"' }).click();
  await expect(
    preview.getByText('Column B is read, because it looks more like IMEIs than column A.'),
  ).toBeVisible();
  await expect(preview.getByLabel('Sheet')).toHaveValue('Phones');
  await expectAccessible(page, allWidths);
  await preview.getByRole('button', { name: 'Use column A' }).press('Enter');
  await expect(preview.getByLabel('Column')).toHaveValue('A');
  await expect(preview.getByText('Column B looks more like IMEIs than column A.')).toBeVisible();
  await preview.getByRole('button', { name: 'Use column B' }).press('Enter');
  await expect(preview.getByRole('row', { name: /^B5 353901 / })).toBeVisible();
  await expect(preview.getByLabel('Column')).toHaveValue('B');
  await expect(preview.getByLabel('Column')).toBeFocused();
  await expect(preview.getByRole('button', { name: /^Use / })).toHaveCount(0);
  const download = page.waitForEvent('download');
  await preview.getByRole('button', { name: 'Download invalid cells' }).click();
  const csv = await readFile(await (await download).path(), 'utf8');
  expect(csv).toBe('\uFEFF"Cell","Value","Reason"\r\n"B5","353901","Not an IMEI, MEID or serial number"\r\n');
  await preview.getByLabel('Correct cell B5').fill(fourth);
  await expect(preview.getByRole('row', { name: `B5 ${fourth} Corrected: ${fourth}` })).toBeVisible();
  await page.getByRole('button', { name: 'Upload File' }).click();
  const message = page.getByText(/^Successfully imported 4 records\. Ticket: \d+$/);
  await expect(message).toBeVisible();
  const ticket = (await message.textContent())?.split('Ticket: ')[1];
  const { data } = await call<{ data: { serial: string }[] }>(
    'GET',
    `/data/${ticket}`,
    undefined,
    await tokenOf(user),
  );
  expect(data.map(({ serial }) => serial)).toEqual([first, second, third, fourth]);
});

test.describe('what the server refuses', () => {
  test.use({ allowedComplaints: [/status of (415|422)/] });

  test('a refused sheet shows the reason, one without serial numbers that of each cell; pasted serials become a ticket', async ({
    page,
    user,
    signIn,
  }) => {
    await signIn(page, user);
    await page.goto('/dashboard/upload');
    const input = page.locator('input[type=file]');
    await input.setInputFiles({
      name: 'fake.xlsx',
      mimeType: xlsxType,
      buffer: Buffer.from('no workbook at all'),
    });
    const send = page.getByRole('button', { name: 'Upload File' });
    await send.click();
    const alert = page.getByRole('main').getByRole('alert');
    await expect(alert).toHaveText(
      'This file is not an Excel file (.xlsx or .xls). Save it as one of these and upload it again.',
    );
    await expect(send).toBeEnabled();

    const cells = ['3.53901E+14', '8901234567890123456'];
    await input.setInputFiles(sheetFile('lost.xlsx', cells));
    await send.click();
    await expect(alert.getByRole('listitem')).toHaveText([
      'A1 · 3.53901E+14: Written with an exponent, its digits are lost',
      'A2 · 8901234567890123456: An ICCID (SIM card), not a device',
    ]);
    await expectAccessible(page);

    const [first = '', second = ''] = makeImeis(2);
    await page.getByRole('tab', { name: 'Paste' }).press('Enter');
    await page.getByLabel('Serial numbers', { exact: true }).fill(`${first}; ${second}\n${first}\nunknown`);
    await page.getByRole('button', { name: 'Upload Serial Numbers' }).click();
    await expect(page.getByText(/^Successfully imported 3 records\. Ticket: \d+$/)).toBeVisible();
    await expect(page.getByText('1 duplicate was left out.')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+$/);
  });
});

test('pasted serials survive a reload and the end of the session, but not another user', async ({
  page,
  user,
  signIn,
}) => {
  const signInByForm = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByLabel('Password').press('Enter');
  };
  // As if another tab had signed out.
  const endSession = () =>
    page.evaluate(
      "localStorage.removeItem('token'); dispatchEvent(new StorageEvent('storage', { key: 'token' }))",
    );
  const [serial = ''] = makeImeis(1);
  await signIn(page, user);
  await page.goto('/dashboard/upload');
  await page.getByRole('tab', { name: 'Paste' }).click();
  const field = page.getByRole('textbox', { name: 'Serial numbers' });
  await field.fill(serial);
  await page.reload();
  await expect(field).toHaveValue(serial);
  await endSession();
  await signInByForm(user);
  await expect(page).toHaveURL(/\/dashboard\/upload$/);
  await expect(field).toHaveValue(serial);
  await endSession();
  await signInByForm(await makeUser());
  await goWithin(page, '/dashboard/upload');
  await expect(page.getByRole('tab', { name: 'File' })).toHaveAttribute('aria-selected', 'true');
});
