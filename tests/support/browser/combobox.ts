import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

/** Types into an open combobox, and chooses the matching option by Enter. */
export async function chooseTyped(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await expect(findOption(page, text)).toBeVisible();
  await page.keyboard.press('Enter');
}

/** Finds an option of the open combobox. Wait for it before you press a key, because the options may still be loading. */
export function findOption(page: Page, text: string): Locator {
  return page.getByRole('listbox').getByRole('option', { name: text });
}
