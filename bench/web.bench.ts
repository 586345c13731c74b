import type { Bench, Row } from './support/bench.ts';
import { startRealProduct } from './support/real-product.ts';
import { launchBrowser } from './web/browser.ts';
import { measureFirstLoads } from './web/first-load.ts';
import { measureLargeTable } from './web/large-table.ts';
import { measureLayoutShift } from './web/layout-shift.ts';

/** How the web app feels in a real browser. */
export const bench: Bench = { title: 'The web app: first loads, large tables, layout shift', run };

async function run(): Promise<Row[]> {
  const product = await startRealProduct();
  const browser = await launchBrowser();
  try {
    return [
      ...(await measureFirstLoads(browser, product)),
      ...(await measureLargeTable(browser, product)),
      ...(await measureLayoutShift(browser, product)),
    ];
  } finally {
    await browser.close();
    await product.stop();
  }
}
