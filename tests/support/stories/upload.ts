import { expect, type Page } from '@playwright/test';
import { uploadWorkbook } from '#tests/support/product/client.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { type Account, call, tokenOf } from './api.ts';
import { readStage } from './stage.ts';

/** Uploads serials as an account, into an order if one is given. @returns the number of their ticket */
export async function uploadSerials(account: Account, serials: string[], order?: string): Promise<string> {
  const token = await tokenOf(account);
  const content = new Uint8Array(makeWorkbook(serials));
  const { ticket } = await uploadWorkbook({ url: readStage().url, token }, content, order);
  return ticket.ticket_number;
}

/** Uploads serials and waits until their ticket is Completed. @returns its number */
export async function uploadAndFinish(account: Account, serials: string[]): Promise<string> {
  const ticket = await uploadSerials(account, serials);
  const token = await tokenOf(account);
  const readStatus = async () =>
    (await call<{ status: string }>('GET', `/tickets/progress?ticket_number=${ticket}`, undefined, token))
      .status;
  await expect.poll(readStatus, { timeout: 60_000 }).toBe('Completed');
  return ticket;
}

/** Waits until the register has a device of the account's company. */
export async function waitUntilRegistered(account: Account, serial: string): Promise<void> {
  const token = await tokenOf(account);
  const count = async () =>
    (await call<{ data: unknown[] }>('GET', `/devices?q=${serial}`, undefined, token)).data.length;
  await expect.poll(count, { timeout: 60_000 }).toBe(1);
}

/** A sheet to be chosen in the browser. */
export const sheetFile = (name: string, serials: string[]) => ({
  name,
  mimeType: xlsxType,
  buffer: makeWorkbook(serials),
});

/** The media type of an .xlsx file. */
export const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Follows a link of the menu, which does not load the page again. */
export const followMenu = (page: Page, entry: string): Promise<void> =>
  page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: entry }).click();
