import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** The factor by which the browser computes slower, and the maximum delay of a call in milliseconds. */
const slowness = { cpu: 2, longestWait: 1000 };

/**
 * Makes the browser as slow as on a busy machine if SLOW_MACHINE is set. This reveals stories that depend on speed.
 * `SLOW_MACHINE=1 npm run test:browser`
 */
export async function slowDown(page: Page): Promise<void> {
  if (!process.env.SLOW_MACHINE) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpu });
  await page.context().route('**/api/**', async (route) => {
    await sleep(randomInt(slowness.longestWait));
    // The screen may have cancelled the call.
    await route.fallback().catch(() => undefined);
  });
}
