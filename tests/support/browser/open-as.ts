import type { Page } from '@playwright/test';
import { type Account, tokenOf } from '#tests/support/stories/api.ts';

/** Opens a screen as another account than so far. The page has to show the product already. */
export async function openAs(page: Page, account: Account, path: string, width = 1280): Promise<void> {
  const token = await tokenOf(account);
  await page.evaluate((value) => localStorage.setItem('token', value), token);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(path);
}
