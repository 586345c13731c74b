import type { Page } from '@playwright/test';
import { answered, settled } from './settled.ts';
import { expect } from './test.ts';

type Watch = { open: number; calls: { path: string; at: number }[]; end(): void };
type Watched = typeof globalThis & { watch: Watch };

const step = 250;

/**
 * Pauses a page's clock `ms` milliseconds from now, while nothing is under way: a call whose deadline was skipped would
 * fail. What is due until then is done.
 */
export async function pauseClock(page: Page, ms = 60_000): Promise<void> {
  await settled(page);
  await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + ms);
  await settled(page);
}

/**
 * Advances the paused clock of a page by `ms` milliseconds. Returns the times of the calls to each of `paths` of the API, in
 * milliseconds. The calls of each quarter second are answered before the next one begins, and the page itself notes the
 * times, so the speed of the machine does not matter.
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

/** Runs in the page: notes the time of each call by the page's clock, and counts the calls without a complete answer. */
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
 * Advances a page's clock in steps of `ms` milliseconds until a condition holds. The calls of a step are answered before the
 * next one, so that on a slow machine no deadline of the page passes: a step must be shorter than the 10 seconds within
 * which a poll is answered. The answers are rendered in the next step.
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

/** Lists the queries of all calls to one path of the API from now on, without the calls for counts. */
export function listCalls(page: Page, path: string): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === `/api${path}` && !search.includes('counts=1')) calls.push(search);
  });
  return calls;
}
