import type { Page } from '@playwright/test';
import { makeImeis } from '../../tests/support/devices.ts';
import { makeWorkbook } from '../../tests/support/make-workbook.ts';
import { hold, press, type Scene } from './scene.ts';

const chooseFile = (page: Page) =>
  page.locator('input[type=file]').setInputFiles({
    name: 'devices-november.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: makeWorkbook(makeImeis(400)),
  });

const asUser = { as: 'user' } as const;
const asBeginner = { as: 'beginner' } as const;

/** Upload Data. */
export const uploadScenes: Scene[] = [
  { name: 'upload', ...asUser, at: '/dashboard/upload', docs: ['light'] },
  { name: 'upload-chosen', ...asUser, at: '/dashboard/upload', act: chooseFile },
  {
    name: 'upload-missing',
    ...asBeginner,
    at: '/dashboard/upload',
    act: (page) => press(page, 'Upload File'),
  },
  {
    name: 'upload-busy',
    ...asUser,
    at: '/dashboard/upload',
    loading: true,
    before: hold('**/api/data/upload'),
    act: async (page) => {
      await chooseFile(page);
      await press(page, 'Upload File');
      await page.getByRole('progressbar').waitFor();
    },
    docs: ['dark'],
  },
  {
    name: 'upload-done',
    ...asUser,
    at: '/dashboard/upload',
    before: (page) => page.route('**/api/data/upload', (route) => route.fulfill(imported)),
    act: async (page) => {
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await chooseFile(page);
      await press(page, 'Upload File');
      await page.getByText('Successfully imported').waitFor();
    },
  },
  {
    name: 'upload-refused',
    ...asUser,
    at: '/dashboard/upload',
    act: async (page) => {
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'photo.xlsx', mimeType: 'image/png', buffer: Buffer.from('no workbook') });
      await press(page, 'Upload File');
      await page.getByRole('main').getByRole('alert').filter({ hasText: /./ }).waitFor();
    },
  },
];

/** The answer of an import; a real one would make a ticket for every picture. */
const imported = {
  status: 201,
  json: {
    message: 'Successfully imported 400 records. Ticket: 12',
    imported_count: 400,
    invalid_count: 3,
    duplicate_count: 7,
    header_skipped: true,
    duplicates: [],
    invalid: [],
    ticket: { _id: '12', ticket_number: '12' },
  },
};
