import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { chromiumArgs, findChromium } from '../../tests/stories/support/chromium.ts';

const inPage = fileURLToPath(new URL('./in-page.js', import.meta.url));

/** A real browser, as the browser tests use it. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  return chromium.launch({ args: chromiumArgs, ...(executablePath ? { executablePath } : {}) });
}

/** Uses a page of a browser without any cache, signed in with a token or not; `bench` stands in it. */
export async function withPage<T>(
  browser: Browser,
  { url, token }: { url: string; token?: string },
  use: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const viewport = { width: 1280, height: 800 };
  const context = await browser.newContext({ baseURL: url, viewport, timezoneId: 'Asia/Jakarta' });
  try {
    if (token) await context.addInitScript((value) => localStorage.setItem('token', value), token);
    await context.addInitScript({ path: inPage });
    return await use(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

/** An address on the product's origin that holds nothing but this HTML. */
export async function serveBarePage(page: Page, html: string): Promise<string> {
  const body = `<!doctype html><title>Bare</title><style>td { padding: 8px 12px } div { height: 600px; overflow: auto }</style>${html}`;
  await page.route('**/bare', (route) => route.fulfill({ contentType: 'text/html', body }));
  return '/bare';
}
