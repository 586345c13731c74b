import type { Locator, Page } from '@playwright/test';
import { expect } from './test.ts';

/** Types into an open combobox, and takes by Enter what its list has of it. */
export async function chooseTyped(page: Page, text: string): Promise<void> {
  await page.keyboard.type(text);
  await expect(findOption(page, text)).toBeVisible();
  await page.keyboard.press('Enter');
}

/** An option of the open combobox. A key chooses what the list has: wait for the option, which may still be on its way. */
export function findOption(page: Page, text: string): Locator {
  return page.getByRole('listbox').getByRole('option', { name: text });
}
