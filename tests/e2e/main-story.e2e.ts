import type { Locator, Page } from '@playwright/test';
import { makeImeis } from '#tests/support/devices.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { nextFileChooser } from './support/file-chooser.ts';
import { expect, test } from './support/test.ts';

const sheet = {
  name: 'perangkat.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: makeWorkbook(['IMEI', ...makeImeis(15)]),
};

/** Presses Tab until the focus is where a person wants it; who presses, sees it. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
  }
  throw new Error('no amount of Tab leads there');
}

test('from sign-in to the report by keyboard alone', async ({ page, user }) => {
  const chooser = nextFileChooser(page);
  await page.goto('/login');
  await tabTo(page, page.getByLabel('Email'));
  await page.keyboard.type(user.email);
  await tabTo(page, page.getByLabel('Password'));
  await page.keyboard.type(user.password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
  const menu = page.getByRole('navigation', { name: 'Main menu' });
  await tabTo(page, menu.getByRole('link', { name: 'Upload Data' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/upload$/);

  await tabTo(page, page.getByRole('main').getByRole('button', { name: 'Browse' }));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(sheet);
  await tabTo(page, page.getByRole('button', { name: 'Upload File' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+$/);
  await expect(page.getByRole('region', { name: 'Current ticket' })).toContainText('Completed', {
    timeout: 30_000,
  });

  const pages = page.getByRole('navigation', { name: 'Pages' });
  await tabTo(page, pages.getByRole('button', { name: '2' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Showing 11 to 15 of 15 entries')).toBeVisible();

  const opener = page.getByRole('button', { name: 'Download Data' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Download Data' });
  await expect(dialog.getByRole('radio', { name: 'Excel (.xlsx)' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('radio', { name: 'Excel (.xlsx)' })).toBeFocused();
  const file = page.waitForEvent('download');
  await tabTo(page, dialog.getByRole('button', { name: 'All Data' }));
  await page.keyboard.press('Enter');
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);

  await tabTo(page, page.getByRole('button', { name: 'Logout' }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/login$/);
});

test('the same in Indonesian', async ({ page, user }) => {
  await page.goto('/login');
  await page.getByLabel('Language').selectOption('id');
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Kata Sandi').fill(user.password);
  await page.getByRole('button', { name: 'Masuk' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/^Selamat (pagi|siang|sore|malam), /);
  await page
    .getByRole('navigation', { name: 'Menu utama' })
    .getByRole('link', { name: 'Unggah Data' })
    .click();
  await page.locator('input[type=file]').setInputFiles(sheet);
  await page.getByRole('button', { name: 'Unggah File' }).click();
  await expect(page).toHaveURL(/\/dashboard\/data\?ticket=\d+$/);
  await expect(page.getByRole('region', { name: 'Tiket saat ini' })).toContainText('Selesai', {
    timeout: 30_000,
  });
  await expect(page.getByText('Menampilkan 1 sampai 10 dari 15 entri')).toBeVisible();
  await expect(page.getByText('Sandbox: datanya simulasi')).toBeVisible();
  await page.getByRole('button', { name: 'Unduh Data' }).click();
  const file = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Semua Data' }).click();
  expect((await file).suggestedFilename()).toMatch(/\.xlsx$/);
  await page.getByRole('button', { name: 'Keluar' }).click();
  await expect(page.getByRole('heading', { name: 'Selamat Datang Kembali!' })).toBeVisible();
});
