import type { Page } from '@playwright/test';

/** Makes a page poll at once, as it does when its tab is shown again. */
export const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate("dispatchEvent(new Event('visibilitychange'))");
