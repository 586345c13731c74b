import type { Locator, Page } from '@playwright/test';

/** Returns the cards of figures: the name of each, its value, and perhaps a hint. */
export function figuresOf(within: Page | Locator): Locator {
  return within.locator('div:has(> p:first-child + p)');
}
