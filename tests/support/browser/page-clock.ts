import type { Page } from '@playwright/test';
import { answered, settled } from './settled.ts';
import { expect } from './test.ts';

type Watch = { open: number; calls: { path: string; at: number }[]; end(): void };
type Watched = typeof globalThis & { watch: Watch };

const step = 250;

/**
 * Goes on with a page whose clock is paused, by that clock alone, for `ms` milliseconds. Returns for each of `paths` of
 * the API at which millisecond calls to it were made. Each quarter second is answered before the next one begins, and
 * the page itself notes the time: a slow machine sees the same calls as a quick one.
 */
export async function watchCalls(page: Page, ms: number, paths: string[]): Promise<number[][]> {
  await settled(page);
  await page.evaluate(beginWatch);
  for (let now = 0; now < ms; now += step) {
    await page.clock.runFor(step);
    const open = () => page.evaluate(() => (globalThis as Watched).watch.open);
    await expect.poll(open, { intervals: [10] }).toBe(0);
  }
  const calls = await page.evaluate(() => {
    const { watch } = globalThis as Watched;
    watch.end();
    return watch.calls;
  });
  return paths.map((path) => calls.filter((call) => call.path === `/api${path}`).map(({ at }) => at));
}

/** Runs in the page: notes each call at the page's time, and counts those whose answers have not arrived whole. */
function beginWatch(): void {
  const { fetch } = globalThis;
  const begun = Date.now();
  const watch: Watch = { open: 0, calls: [], end: () => Object.assign(globalThis, { fetch }) };
  const watched: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://page');
    watch.calls.push({ path: pathname, at: Date.now() - begun });
    watch.open += 1;
    try {
      const answer = await fetch(input, init);
      await answer.clone().arrayBuffer();
      return answer;
    } finally {
      watch.open -= 1;
    }
  };
  Object.assign(globalThis, { watch, fetch: watched });
}

/**
 * Lets a page's clock go on in steps of `ms` milliseconds until something holds. What a step asks for is answered before
 * the next one, so that on a slow machine no deadline of the page passes; what arrives is drawn in the step after.
 */
export async function stepUntil(
  page: Page,
  ms: number,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const look = async () => {
    await page.clock.runFor(ms);
    await answered(page);
    return holds();
  };
  await expect.poll(look, { intervals: [50] }).toBe(true);
}

/** The waits between calls of `watchCalls`, in whole seconds. */
export function secondsBetween(calls: number[] = []): number[] {
  return calls.slice(1).map((at, index) => Math.floor((at - (calls[index] ?? 0)) / 1000));
}

/** Counts the calls to one path of the API from now on, by their query; those for counts are none for rows. */
export function listCalls(page: Page, path: string): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/api${path}` && !search.includes('counts=1')) calls.push(search);
  });
  return calls;
}
