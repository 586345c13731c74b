import { type BrowserContext, expect, type Page, type Request } from '@playwright/test';

const underWay = new WeakMap<Page, Set<Request>>();

/** Starts to track the running requests of a context's pages. */
export function followRequests(context: BrowserContext): void {
  const follow = (page: Page) => {
    const open = new Set<Request>();
    underWay.set(page, open);
    const onEnd = (request: Request) => open.delete(request);
    page.on('request', (request) => {
      // The previous document's requests are gone.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) open.clear();
      open.add(request);
    });
    page.on('requestfinished', onEnd).on('requestfailed', onEnd);
  };
  context.pages().forEach(follow);
  context.on('page', follow);
}

/**
 * Waits until a page has loaded and none of its requests is running. Playwright's "networkidle" alone covers only the first
 * load of the page.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  let quiet = 0;
  const look = async () => {
    // A busy page answers late, and may send more requests afterwards. A closed one never answers.
    await page.evaluate('0').catch(() => undefined);
    quiet = underWay.get(page)?.size ? 0 : quiet + 1;
    return quiet;
  };
  // The events of the newest requests may still be on their way.
  await expect.poll(look, { intervals: [50] }).toBeGreaterThan(3);
}

/** Waits until all known requests of a page are answered. */
export async function answered(page: Page): Promise<void> {
  await expect.poll(() => underWay.get(page)?.size ?? 0, { intervals: [10] }).toBe(0);
}
