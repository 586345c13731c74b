import type { Page } from '@playwright/test';

/** Goes to an address as a link of the app does, without loading the app again, which takes most of the time of a visit. */
export function goWithin(page: Page, path: string): Promise<void> {
  // Code for the page is text, because the tests are compiled without the browser's types.
  return page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}), void dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
