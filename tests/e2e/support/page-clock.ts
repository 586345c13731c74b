import type { Page, Request } from '@playwright/test';
import { expect } from './test.ts';

const step = 250;

/**
 * Goes on with a page whose clock was installed, by its clock alone, for `ms` milliseconds. Returns for each of
 * `paths` of the API at which millisecond calls to it were made. Each quarter second is answered and drawn before
 * the next one, so that a slow machine sees the same calls as a quick one.
 */
export async function watchCalls(page: Page, ms: number, paths: string[]): Promise<number[][]> {
  const calls = paths.map((): number[] => []);
  const open = new Set<Request>();
  let now = 0;
  const onRequest = (request: Request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) return;
    open.add(request);
    calls[paths.indexOf(pathname.slice('/api'.length))]?.push(now);
  };
  const onEnd = (request: Request) => open.delete(request);
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  for (; now < ms; now += step) {
    await page.clock.runFor(step);
    await expect.poll(() => open.size, { intervals: [10] }).toBe(0);
  }
  page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
  return calls;
}

/** The waits between calls of `watchCalls`, in whole seconds. */
export function secondsBetween(calls: number[] = []): number[] {
  return calls.slice(1).map((at, index) => Math.floor((at - (calls[index] ?? 0)) / 1000));
}
