import type { Page } from '@playwright/test';
import { type Account, tokenOf } from '#tests/support/stories/api.ts';

/** Lists accounts, each with the width of a phone and of a laptop. */
export const onBothWidths = (...accounts: Account[]) =>
  accounts.flatMap((account) => [390, 1280].map((width) => [account, width] as const));

/** Opens a screen as another account than so far. The page has to show the product already. */
export async function openAs(page: Page, account: Account, path: string, width = 1280): Promise<void> {
  const token = await tokenOf(account);
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(path);
}
