import { basename, join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { settled } from './settled.ts';

/** The widths of a phone, a laptop and a large monitor, in pixels. */
export const allWidths = [390, 1280, 1920];

const picturesOf = new Map<string, number>();

/**
 * Takes pictures of the screen, light and dark, at each width; by default at the present one. The variable PICTURES names
 * their folder. Does nothing without it.
 */
export async function takePictures(page: Page, widths?: number[]): Promise<void> {
  const folder = process.env.PICTURES;
  const size = page.viewportSize();
  if (!folder || !size) return;
  const { file, testId, title } = test.info();
  const number = (picturesOf.get(testId) ?? 0) + 1;
  picturesOf.set(testId, number);
  const name = title.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 80);
  const story = basename(file).replace(/\..*/, '');
  for (const width of widths ?? [size.width]) {
    await page.setViewportSize({ ...size, width });
    if (width !== size.width) await settled(page);
    const content = await page.evaluate<number>('document.documentElement.scrollHeight');
    await page.setViewportSize({ width, height: Math.max(size.height, content) });
    // Stories are in light, so this order leaves the page as it was.
    for (const scheme of ['dark', 'light'] as const) {
      await showIn(page, scheme);
      const path = join(folder, story, `${name}-${number}-${width}-${scheme}.png`);
      await page.screenshot({ path, animations: 'disabled' });
    }
  }
  await page.setViewportSize(size);
}

/** Changes the system's colour scheme, and waits until the page follows. */
export async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
}
