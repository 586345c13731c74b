import type { Browser } from '@playwright/test';
import { makeImeis } from '../../tests/support/devices.ts';
import { quantile, type Row } from '../support/bench.ts';
import type { RealProduct } from '../support/real-product.ts';
import { uploadAndAwait } from '../support/upload-and-await.ts';
import { serveBarePage, withPage } from './browser.ts';

const rounds = 9;
const kilobyte = 1024;

type Screen = { path: string; token?: string; usable: string };

/** How soon the first screens can be used, and what they weigh, with nothing cached. */
export async function measureFirstLoads(browser: Browser, product: RealProduct): Promise<Row[]> {
  await uploadAndAwait(product.user, makeImeis(50));
  const { token } = product.user;
  const signIn: Screen = { path: '/login', usable: "document.querySelector('[type=submit]:enabled')" };
  const data: Screen = { path: '/dashboard/data', token, usable: "document.querySelector('td .serial')" };
  return [
    await weigh(browser, product, signIn, 120),
    await weigh(browser, product, data, 200),
    ...(await timeBeside(browser, product, [
      { what: 'sign-in usable', screen: signIn, goal: 400 },
      { what: 'data page usable', screen: data, goal: 600 },
    ])),
  ];
}

/** Scripts and styles that a first visit asks for, as gzip carries them. */
async function weigh(
  browser: Browser,
  { url }: RealProduct,
  { path, token }: Screen,
  goal: number,
): Promise<Row> {
  const files = await withPage(browser, { url, ...(token && { token }) }, async (page) => {
    const found = new Set<string>();
    page.on('response', (response) => {
      const name = response.url();
      if (/\.(js|css)$/.test(name)) found.add(name);
    });
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    return [...found];
  });
  const sizeOf = async (encoding: string) => {
    const sizes = files.map(async (file) => {
      const response = await fetch(file, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
      return Number(response.headers.get('content-length'));
    });
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / kilobyte;
  };
  return {
    what: `scripts and styles of ${path}, gzip`,
    unit: 'KB',
    measured: await sizeOf('gzip'),
    beside: 'not compressed',
    reference: await sizeOf('identity'),
    goal,
  };
}

type Timed = { what: string; screen: Screen; goal: number };

/** Medians of rounds in which every screen takes its turn, beside a page that is nothing but a button. */
async function timeBeside(browser: Browser, { url }: RealProduct, screens: Timed[]): Promise<Row[]> {
  const bare: number[] = [];
  const times = screens.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const time = async ({ path, token, usable }: Screen, html?: string) =>
      withPage(browser, { url, ...(token && { token }) }, async (page) => {
        await page.goto(html === undefined ? path : await serveBarePage(page, html), { waitUntil: 'commit' });
        return page.evaluate<number>(`bench.whenPainted(() => ${usable})`);
      });
    const usable = "document.querySelector('button')";
    bare.push(await time({ path: '/bare', usable }, '<button>Sign in</button>'));
    for (const [index, { screen }] of screens.entries()) times[index]?.push(await time(screen));
  }
  return screens.map(({ what, goal }, index) => ({
    what,
    unit: 'ms',
    measured: quantile(times[index] ?? [], 0.5),
    beside: 'a bare page',
    reference: quantile(bare, 0.5),
    goal,
  }));
}
