import type { Browser, CDPSession, Page } from '@playwright/test';
import { makeImeis } from '../../tests/support/devices.ts';
import { waitFor } from '../../tests/support/wait.ts';
import { quantile, type Row } from '../support/bench.ts';
import type { RealProduct } from '../support/real-product.ts';
import { uploadAndAwait } from '../support/upload-and-await.ts';
import { serveBarePage, withPage } from './browser.ts';

const serials = 9000;
const rounds = 7;
const scrollSteps = 120;
const pageChanges = 50;
const allowedGrowth = 1.1;
const columns = [
  'position',
  'serial_number',
  'type',
  'activation_status',
  'purchase_date',
  'warranty_title',
  'coverage_start_date',
  'coverage_end_date',
  'coverage_expires',
  'timestamp',
];

/** A table of 1000 rows by ten columns, and what paging leaves behind. */
export async function measureLargeTable(browser: Browser, product: RealProduct): Promise<Row[]> {
  const ticket = await uploadAndAwait(product.user, makeImeis(serials));
  return [...(await measureTable(browser, product, ticket)), await measureMemory(browser, product, ticket)];
}

async function measureTable(browser: Browser, { url, user }: RealProduct, ticket: string): Promise<Row[]> {
  const drawn: number[] = [];
  const drawnBare: number[] = [];
  const frames: number[] = [];
  const framesBare: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await withPage(browser, { url, token: user.token }, async (page) => {
      await page.goto(`/dashboard/data?ticket=${ticket}`);
      await page.locator('.table-footer select').waitFor();
      await page.waitForLoadState('networkidle');
      drawn.push(
        await page.evaluate<number>(
          `bench.timeChoice(document.querySelector('.table-footer select'), '1000', () => document.querySelectorAll('tbody tr').length === 1000)`,
        ),
      );
      frames.push(...(await scroll(page, '.table-scroll')));
    });
    await withPage(browser, { url, token: user.token }, async (page) => {
      await page.goto(await serveBarePage(page, '<div></div>'));
      const address = `/api/imei?ticket_number=${ticket}&limit=1000`;
      const list = JSON.stringify([address, user.token, columns]).slice(1, -1);
      drawnBare.push(await page.evaluate<number>(`bench.drawBareTable(${list})`));
      framesBare.push(...(await scroll(page, 'div')));
    });
  }
  const beside = 'a bare table of the same cells';
  const reference = quantile(drawnBare, 0.5);
  return [
    {
      what: '1000 rows chosen: painted after',
      unit: 'ms',
      measured: quantile(drawn, 0.5),
      beside,
      reference,
      goal: Math.round(Math.min(400, 1.5 * reference)),
    },
    {
      what: 'scrolling 1000 rows: p95 of a frame',
      unit: 'ms',
      measured: quantile(frames, 0.95),
      beside,
      reference: quantile(framesBare, 0.95),
      goal: 20,
    },
  ];
}

function scroll(page: Page, selector: string): Promise<number[]> {
  return page.evaluate<number[]>(`bench.scroll(document.querySelector('${selector}'), ${scrollSteps})`);
}

/** What the page keeps after going through many pages, once the cache of reads has let go of them. */
async function measureMemory(browser: Browser, { url, user }: RealProduct, ticket: string): Promise<Row> {
  const [before, after] = await withPage(browser, { url, token: user.token }, async (page, context) => {
    await page.goto(`/dashboard/data?ticket=${ticket}&size=100`);
    await page.locator('.table-range').waitFor();
    const session = await context.newCDPSession(page);
    // The scripts are compiled while they are first used: code that stays is no leak.
    await turnPages(page, 30);
    const settled = await readLowestHeap(session);
    await turnPages(page, pageChanges);
    return [settled, await readLowestHeap(session, settled * allowedGrowth)];
  });
  return {
    what: `memory after ${pageChanges} page changes`,
    unit: 'MB',
    measured: after,
    beside: 'before them',
    reference: before,
    goal: Math.round(before * allowedGrowth * 10) / 10,
  };
}

async function turnPages(page: Page, times: number): Promise<void> {
  const range = page.locator('.table-range');
  for (let i = 0; i < times; i += 1) {
    const before = await range.textContent();
    await page.getByRole('button', { name: 'Next page' }).click();
    await waitFor('the next page', async () => (await range.textContent()) !== before);
    await page.waitForLoadState('networkidle');
  }
}

/** Megabytes in use after collecting, the least within the time in which the cache lets go, or the first below `enough`. */
async function readLowestHeap(session: CDPSession, enough = 0): Promise<number> {
  const until = Date.now() + 15_000;
  let lowest = Number.POSITIVE_INFINITY;
  while (Date.now() < until && lowest > enough) {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    lowest = Math.min(lowest, usedSize / 1024 / 1024);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return lowest;
}
