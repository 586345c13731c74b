import { chromium } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../tests/support/browser/chromium.ts';
import { makeStandardUser } from '../../tests/support/product/client.ts';
import { startProduct } from '../../tests/support/product/product-process.ts';
import type { Goal } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';

const kilobyte = 1024;

export const goals: Goal[] = [
  { figure: '/login', unit: 'KB', better: 'smaller', goal: 120 },
  { figure: '/dashboard/data', unit: 'KB', better: 'smaller', goal: 245 },
];

/** Measures the scripts and styles of a first visit. The limits are in docs/decisions/008. */
export async function measure({ figures }: Stage): Promise<void> {
  const product = await startProduct();
  const user = await makeStandardUser(product.admin, 'Bench');
  const executablePath = findChromium();
  const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) });
  const weigh = async (path: string, token = ''): Promise<void> => {
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
    figures.add(path, 'ours', await sizeOf([...files]));
  };
  try {
    await weigh('/login');
    await weigh('/dashboard/data', user.token);
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function sizeOf(files: string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) {
    const { headers } = await fetch(file, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    bytes += Number(headers.get('content-length'));
  }
  return bytes / kilobyte;
}
