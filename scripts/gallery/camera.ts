import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { wcagTags } from '#tests/e2e/support/accessible.ts';
import { signInByApi } from '#tests/e2e/support/api.ts';
import { readStage } from '#tests/e2e/support/stage.ts';
import { accountOf, type Scene } from './scene.ts';
import type { Cast } from './seed.ts';

/** Where pictures go; `docs` only when the pictures of the documentation are made anew. */
export type Folders = { gallery: string; docs: string | null };

const looks = [
  { name: 'light', width: 1280, height: 800, scheme: 'light' },
  { name: 'dark', width: 1280, height: 800, scheme: 'dark' },
  { name: 'narrow-dark', width: 390, height: 844, scheme: 'dark' },
  { name: 'narrow-light', width: 390, height: 844, scheme: 'light' },
] as const;
const tallest = 2600;

/** Takes a scene in every look. @returns what is wrong with it, a line each */
export async function takeScene(
  browser: Browser,
  scene: Scene,
  cast: Cast,
  folders: Folders,
): Promise<string[]> {
  const context = await browser.newContext({
    baseURL: readStage().url,
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    reducedMotion: 'reduce',
  });
  try {
    const problems = new Set<string>();
    const page = await open(context, scene, cast, problems);
    for (const look of looks) {
      const isNarrow = look.name.startsWith('narrow');
      if (scene.only && (scene.only === 'narrow') !== isNarrow) continue;
      await page.setViewportSize(look);
      await page.emulateMedia({ colorScheme: look.scheme });
      await settle(page, scene);
      for (const found of await inspect(page)) problems.add(`${look.name}: ${found}`);
      await takePicture(page, join(folders.gallery, `${scene.name}-${look.name}.png`), look.height);
      if (folders.docs !== null && scene.docs?.includes(look.name)) {
        await takeWebp(page, join(folders.docs, `${scene.name}-${look.name}.webp`), look);
      }
    }
    return [...problems].map((problem) => `${scene.name}: ${problem}`);
  } finally {
    await context.close();
  }
}

async function open(context: BrowserContext, scene: Scene, cast: Cast, problems: Set<string>): Promise<Page> {
  const page = await context.newPage();
  page.on('console', (message) => {
    const isAskedFor = message.text().includes('Failed to load resource');
    if (message.type() === 'error' && !isAskedFor) problems.add(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.add(`page: ${error}`));
  const account = accountOf(scene, cast);
  if (account) {
    const token = await signInByApi(account);
    await page.addInitScript((value) => localStorage.setItem('token', value), token);
  }
  const first = scene.only === 'narrow' ? looks[2] : looks[0];
  await page.setViewportSize(first);
  await scene.before?.(page, cast);
  await page.goto(typeof scene.at === 'string' ? scene.at : await scene.at(cast));
  if (scene.act) {
    await page.locator('h1').waitFor();
    await page.waitForLoadState('networkidle');
    await scene.act(page, cast);
  }
  return page;
}

/** Waits until everything has come that will come, fonts too. */
async function settle(page: Page, { loading }: Scene): Promise<void> {
  if (loading)
    await page.waitForSelector('.skeleton, [aria-busy="true"], button:disabled', { state: 'attached' });
  else {
    await page.waitForSelector('h1');
    await page.waitForSelector('.skeleton', { state: 'detached' });
    await page.waitForLoadState('networkidle');
  }
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function inspect(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(wcagTags).setLegacyMode().analyze();
  const found = violations.map(
    ({ id, nodes }) => `axe ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return overflow > 0 ? [...found, `${overflow} px wider than the screen`] : found;
}

/** The whole page, as if the screen were as tall as it. */
async function takePicture(page: Page, file: string, height: number): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 };
  const content = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height: Math.min(tallest, Math.max(height, content)) });
  await page.screenshot({ path: file });
  await page.setViewportSize({ width, height });
}

/** What stands on the screen at first, twice as fine, small enough for a repository. */
async function takeWebp(page: Page, file: string, size: { width: number; height: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 80,
    clip: { x: 0, y: 0, width: size.width, height: size.height, scale: 1.5 },
  });
  await session.detach();
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, Buffer.from(data, 'base64'));
}
