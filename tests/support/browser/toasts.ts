import type { BrowserContext, Page } from '@playwright/test';

/** Lets toasts stay for as long as a test looks at them: on a slow machine six seconds are over soon. */
export async function keepToasts(pages: Page | BrowserContext): Promise<void> {
  await pages.addInitScript(`{
    const start = window.setTimeout;
    window.setTimeout = (run, ms, ...rest) => start(run, ms === 6000 ? 600000 : ms, ...rest);
  }`);
}
