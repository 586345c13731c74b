import { chooseTyped } from '#tests/support/browser/combobox.ts';
import { nextFileChooser } from '#tests/support/browser/file-chooser.ts';
import { signInByKeyboard, tabAndPress, tabTo } from '#tests/support/browser/keyboard.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';

const sheet = {
  name: 'perangkat.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: makeWorkbook(['IMEI', ...makeImeis(15)]),
};

test('from sign-in to the report by keyboard alone, in Indonesian', async ({ page, user }) => {
  const chooser = nextFileChooser(page);
  await page.goto('/login');
  await page.getByLabel('Language').selectOption('id');
  await signInByKeyboard(page, user, 'Kata Sandi');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^Selamat (pagi|siang|sore|malam), /);
  const menu = page.getByRole('navigation', { name: 'Menu utama' });
  await tabAndPress(page, menu.getByRole('link', { name: 'Unggah Data' }));
  await expect(page).toHaveURL(/\/dashboard\/upload$/);

  await tabAndPress(page, page.getByRole('main').getByRole('button', { name: 'Pilih file' }));
  await (await chooser).setFiles(sheet);
  await tabAndPress(page, page.getByRole('button', { name: 'Unggah File' }));
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+$/);
  await expect(page.getByRole('region', { name: 'Tiket saat ini' })).toContainText('Selesai', {
    timeout: 30_000,
  });
  await expect(page.getByText('Sandbox: data simulasi')).toBeVisible();
  await expect(page.getByText('Menampilkan 1 sampai 10 dari 15 entri')).toBeVisible();

  const pages = page.getByRole('navigation', { name: 'Halaman' });
  await tabAndPress(page, pages.getByRole('button', { name: '2' }));
  await expect(page.getByText('Menampilkan 11 sampai 15 dari 15 entri')).toBeVisible();

  const opener = page.getByRole('button', { name: 'Unduh Data' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Unduh Data' });
  await expect(dialog.getByRole('radio', { name: 'Excel (.xlsx)' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio', { name: 'Excel (.xlsx)' })).toBeFocused();
  const file = page.waitForEvent('download');
  await tabAndPress(page, dialog.getByRole('button', { name: 'Semua Data' }));
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);

  await tabAndPress(page, page.getByRole('button', { name: 'Keluar' }));
  await expect(page.getByRole('heading', { name: 'Selamat Datang Kembali!' })).toBeVisible();
});

test('from an order to its price by keyboard alone', async ({ page, user, superadmin }) => {
  await signInByKeyboard(page, superadmin);

  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await tabAndPress(page, menu.getByRole('link', { name: 'Tickets' }));
  await tabAndPress(page, page.getByRole('main').getByRole('button', { name: 'Create Ticket' }));
  await expect(page.getByLabel('Data Count')).toBeFocused();
  await page.keyboard.type('1500');
  await tabAndPress(page, page.getByRole('combobox', { name: 'Company Code' }), 'ArrowDown');
  await chooseTyped(page, String(user.companyCode));
  await tabAndPress(page, page.getByRole('button', { name: 'Create Ticket' }));

  // Found by its company, since others order at the same time.
  await tabAndPress(page, page.getByRole('combobox', { name: 'Filter by code' }), 'ArrowDown');
  await chooseTyped(page, String(user.companyCode));
  const card = page.getByRole('article');
  await expect(card).toHaveCount(1);
  await tabAndPress(page, card.getByRole('button', { name: 'Edit' }));
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByLabel('Discount'));
  await page.keyboard.type('25');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Edit' })).toBeFocused();
  await expect(card.getByText('Discount (25%)', { exact: true })).toBeVisible();

  await tabAndPress(page, card.getByRole('button', { name: 'Cancel Ticket' }));
  await tabAndPress(page, dialog.getByRole('button', { name: 'Cancel Ticket' }));
  await expect(card.getByText('Cancelled', { exact: true })).toBeVisible();
});
