import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** How much slower the browser computes, and the longest wait before a call leaves it, in milliseconds. */
const slowness = { cpu: 2, longestWait: 1000 };

/**
 * Makes the browser as slow as on a crowded machine, when SLOW_MACHINE is set: whatever a story takes for granted
 * because it is usually quick then shows itself. `SLOW_MACHINE=1 npm run test:browser`
 */
export async function slowDown(page: Page): Promise<void> {
  if (!process.env.SLOW_MACHINE) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness.cpu });
  await page.context().route('**/api/**', async (route) => {
    await sleep(randomInt(slowness.longestWait));
    // A call that the screen gave up meanwhile is gone.
    await route.fallback().catch(() => undefined);
  });
}
