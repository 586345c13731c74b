import type { Page } from '@playwright/test';
import { m } from '#shared/texts/messages.js';
import { makeImeis } from '#tests/support/devices.ts';
import { makeWorkbook } from '#tests/support/make-workbook.ts';
import { press, refuse, type Scene, stay } from './scene.ts';

const chooseFile = (page: Page, serials = 400) =>
  page.locator('input[type=file]').setInputFiles({
    name: 'devices-november.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: makeWorkbook(makeImeis(serials)),
  });

/** A line on which a workbook takes its time. */
const slowDown = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const bytesPerSecond = 12_000;
  const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytesPerSecond };
  await session.send('Network.emulateNetworkConditions', line);
};

const asUser = { as: 'user' } as const;
const asBeginner = { as: 'beginner' } as const;

/** Upload Data. */
export const uploadScenes: Scene[] = [
  { name: 'upload', ...asUser, at: '/dashboard/upload', docs: ['light'] },
  { name: 'upload-chosen', ...asUser, at: '/dashboard/upload', act: (page) => chooseFile(page) },
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
    act: async (page) => {
      await chooseFile(page, 60_000);
      await slowDown(page);
      await press(page, 'Upload File');
      await page.getByText(/^[1-9]\d+ KB of/).waitFor();
    },
    docs: ['dark'],
  },
  {
    name: 'upload-done',
    ...asUser,
    at: '/dashboard/upload',
    before: async (page) => {
      await stay(page);
      await page.route('**/api/data/upload', (route) => route.fulfill(imported));
    },
    act: async (page) => {
      await chooseFile(page);
      await press(page, 'Upload File');
      await page.getByText('Successfully imported').waitFor();
    },
  },
  {
    name: 'upload-limited',
    ...asUser,
    at: '/dashboard/upload',
    before: refuse('**/api/data/upload', 'too_many_uploads', m.server_too_many_uploads()),
    act: async (page) => {
      await chooseFile(page);
      await press(page, 'Upload File');
      await page.getByRole('main').getByRole('alert').filter({ hasText: /./ }).waitFor();
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
