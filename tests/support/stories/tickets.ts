import type { Locator, Page } from '@playwright/test';
import { deviceOf } from '#features/sources/server/sandbox/devices.ts';
import { computeCheckDigit } from '#shared/identifier.ts';
import { type Account, admin, call, tokenOf } from './api.ts';

/** Returns the address of the list of an account's tickets. */
export const listOf = (account: Account) => `/dashboard/tickets?code=${account.companyCode}`;

/** The card of a ticket in the list. */
export const cardOf = (page: Page, number: string): Locator =>
  page.getByRole('article', { name: `Ticket ${number}`, exact: true });

/** Orders a ticket for an account's company. @returns its number */
export async function order(account: Account, superadmin: Account, count: number): Promise<string> {
  const { ticket } = await call<{ ticket: { ticket_number: string } }>(
    'POST',
    '/tickets',
    { data_count: count, company_code: account.companyCode },
    await tokenOf(superadmin),
  );
  return ticket.ticket_number;
}

/** Reads the day on which the newest ticket of a user's company was made, as a screen shows it. */
export async function readNewestDay(
  { companyCode }: Account,
  locale: string,
  style: 'short' | 'long',
): Promise<string> {
  const path = `/tickets?company_code=${companyCode}`;
  const { data } = await call<{ data: { date: string }[] }>('GET', path, undefined, await tokenOf(admin()));
  const made = new Date(data[0]?.date ?? '');
  return made.toLocaleDateString(locale, { dateStyle: style, timeZone: 'Asia/Jakarta' });
}

/** IMEIs that the sandbox knows. */
export function knownSerials(count: number): string[] {
  const serials: string[] = [];
  for (let number = 0; serials.length < count; number += 1) {
    const first14 = `35328510${String(number).padStart(6, '0')}`;
    const serial = first14 + computeCheckDigit(first14);
    if (deviceOf(serial)) serials.push(serial);
  }
  return serials;
}
