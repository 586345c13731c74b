import type { Page } from '@playwright/test';
import { getBudget } from '#features/clients/budgets.contract.ts';
import { getOwnCompany } from '#features/clients/clients.contract.ts';
import { getUpload, type SheetPreview } from '#features/imports/imports.contract.ts';
import type { Answer, Endpoint } from '#shared/endpoint.ts';
import { sheetFile } from '#tests/support/stories/upload.ts';
import type { FakeApi } from './fake-api.ts';
import { answerFound } from './made-up-rows.ts';

const path = '/dashboard/upload';

/** Cells without a serial number, from A2 on. */
export const invalidCells = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    row: index + 2,
    value: `no serial ${index}`,
    reason: 'Not an IMEI, MEID or serial number',
  }));

/** The preview of a sheet whose first cells are invalid. */
export const sheetPreview: SheetPreview = {
  sheet: 'Sheet1',
  sheets: ['Sheet1'],
  suggested_sheet: null,
  column: 'A',
  default_column: 'A',
  suggested_column: null,
  columns: [{ column: 'A', head: 'IMEI', serials: 2000, imeis: 2000 }],
  rows: 12_345,
  valid_count: 12_000,
  invalid_count: 145,
  duplicate_count: 200,
  header_skipped: true,
  heads: {},
  fields: {},
  known_count: 800,
  known_ages: [
    { days: 5, count: 300 },
    { days: 20, count: 500 },
  ],
  seen: null,
  price_total: 9_600_000,
  exceeds_budget: false,
  price_per_data: 800,
  discount: 0,
  estimate_seconds: 600,
  seconds_per_row: 0.05,
  invalid: invalidCells(3),
};

/** A user's company. */
export const company = {
  _id: '1',
  company_name: 'Acme',
  company_code: 'ACM001',
  status: '1' as const,
  bill_known: true,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

/** Opens Upload Data as a user. By default, the company has no budget and pays for rows of the register. */
export async function openUpload(
  api: FakeApi,
  open: (path: string, role: 'user') => Promise<void>,
  change: Partial<Answer<typeof getOwnCompany>['client']> = {},
  budget: { monthly_rupiah: number | null; used: number } = { monthly_rupiah: null, used: 0 },
  /** The calls that fail. */
  failing: Endpoint[] = [],
): Promise<void> {
  answerFound(api);
  api.answer(getOwnCompany, { client: { ...company, ...change } });
  api.answer(getBudget, { ...budget, month: '2026-11' });
  // A slow machine asks how far a refused upload is.
  api.answer(getUpload, { phase: 'receiving', rows: 0 });
  for (const endpoint of failing) api.failWordless(endpoint);
  await open(path, 'user');
}

/** Chooses a file in the upload form. */
export const chooseFile = (page: Page) =>
  page.locator('input[type=file]').setInputFiles(sheetFile('devices.xlsx', ['123']));

/** The counts, price and time of the preview in one line. */
export const verdictOf = (page: Page) => previewOf(page).locator('[aria-live=polite]').first();

/** The preview of the chosen file. */
export const previewOf = (page: Page) => page.getByRole('region', { name: 'Preview' });
