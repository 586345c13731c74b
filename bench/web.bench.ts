import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../tests/support/browser/chromium.ts';
import { makeStandardUser } from '../tests/support/product/client.ts';
import { startProduct } from '../tests/support/product/product-process.ts';
import type { Bench, Row } from './support/bench.ts';

const kilobyte = 1024;

/** Measures the size of a first visit. The limits are in docs/decisions/008. */
export const bench: Bench = { title: 'Scripts and styles of the first screens', run };

async function run(): Promise<Row[]> {
  const product = await startProduct();
  const user = await makeStandardUser(product.admin, 'Bench');
  const executablePath = findChromium();
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) });
  const weigh = async (path: string, goal: number, token = ''): Promise<Row> => {
    const context = await browser.newContext({ baseURL: product.url });
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const page = await context.newPage();
    const files = new Set<string>();
    page.on('response', (response) => {
      if (/\.(js|css)$/.test(response.url())) files.add(response.url());
    });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await context.close();
    const [measured, reference] = [await sizeOf([...files], 'gzip'), await sizeOf([...files], 'identity')];
    return { what: path, unit: 'KB', measured, beside: 'not compressed', reference, goal };
  };
  try {
    return [await weigh('/login', 125), await weigh('/dashboard/data', 260, user.token)];
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function sizeOf(files: string[], encoding: string): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const { headers } = await fetch(file, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
    bytes += Number(headers.get('content-length'));
  }
  return bytes / kilobyte;
}
