import type { Browser } from '@playwright/test';
import { makeImeis } from '../../tests/support/devices.ts';
import type { Row } from '../support/bench.ts';
import type { RealProduct } from '../support/real-product.ts';
import { uploadAndAwait } from '../support/upload-and-await.ts';
import { withPage } from './browser.ts';

const goal = 0.02;
/** What the Web Vitals still call good. */
const good = 0.1;
/** Wide and narrow: the worse of the two counts. */
const viewports = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const ofUser = ['', '/upload', '/data', '/data?view=uploaded', '/tracker', '/change-password'];
const ofSuperadmin = ['', '/tickets', '/clients', '/proxies', '/upload-proxies', '/sources', '/register'];

/** Whether anything moves under one's hands while a screen fills: the most restless screens first. */
export async function measureLayoutShift(browser: Browser, product: RealProduct): Promise<Row[]> {
  const { url, user, admin } = product;
  const ticket = await uploadAndAwait(user, makeImeis(60));
  const tracked = [`/tracker?ticket=${ticket}`, `/tracker?ticket=${ticket}&view=standalone`];
  const screens = [
    { path: '/login', who: 'visitor' },
    { path: '/forgot-password', who: 'visitor' },
    ...[...ofUser, ...tracked].map((path) => ({ path: `/dashboard${path}`, who: 'user', token: user.token })),
    ...ofSuperadmin.map((path) => ({
      path: `/dashboard${path}`,
      who: 'superadmin',
      token: admin.token,
    })),
  ];
  const rows: Row[] = [];
  for (const { path, who, ...session } of screens) {
    const shifts: number[] = [];
    for (const viewport of viewports) {
      const shift = await withPage(browser, { url, ...session }, async (page) => {
        await page.setViewportSize(viewport);
        await page.goto(path);
        await page.waitForSelector('h1');
        await page.waitForSelector('.skeleton', { state: 'detached' });
        await page.waitForLoadState('networkidle');
        return page.evaluate<number>('bench.shift');
      });
      shifts.push(shift);
    }
    const measured = Math.max(...shifts);
    const what = `layout shift of ${path} (${who})`;
    rows.push({ what, unit: '', measured, beside: 'good by Web Vitals', reference: good, goal });
  }
  return rows.toSorted((a, b) => b.measured - a.measured);
}
