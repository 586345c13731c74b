import type { Page } from '@playwright/test';

/** Has a page poll at once, as it does when its user looks at it again. */
export const lookAgain = (page: Page): Promise<unknown> =>
  page.evaluate("dispatchEvent(new Event('visibilitychange'))");
