import type { Page } from '@playwright/test';

/** Goes to an address as a link of the app does: the app is not loaded and compiled again, which costs most of a visit. */
export function goWithin(page: Page, path: string): Promise<void> {
  // A text, since the checks of the tests know nothing of browsers.
  return page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}), void dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
