import type { BrowserContext, Page } from '@playwright/test';

/** Keeps toasts on screen, because on a slow machine a test may need more than their six seconds. */
export async function keepToasts(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(`{
    const start = window.setTimeout;
    window.setTimeout = (run, ms, ...rest) => start(run, ms === 6000 ? 600000 : ms, ...rest);
  }`);
}
