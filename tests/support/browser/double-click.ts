import type { Locator, Page } from '@playwright/test';

/** Double-clicks a button. @param between runs between the two clicks */
export async function doubleClick(
  page: Page,
  button: Locator,
  between: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await button.hover();
  await page.mouse.down();
  await page.mouse.up();
  await between();
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}
