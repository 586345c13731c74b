import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { takePictures } from './pictures.ts';

/** axe's names for the rules of WCAG 2.2 AA and below. */
const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/**
 * Expects that axe finds no violation of WCAG 2.2 AA and no skipped level of headings on the present page. Then takes
 * pictures of it.
 * @param widths of the pictures; by default the page's own
 */
export async function expectAccessible(page: Page, widths?: number[]): Promise<void> {
  await expectNone((await axeOn(page)).withTags(wcagTags));
  await takePictures(page, widths);
}

/** Expects that axe finds no text with too little contrast. Only this rule depends on colours. */
export async function expectContrast(page: Page): Promise<void> {
  await expectNone((await axeOn(page)).withRules(['color-contrast']));
}

/**
 * Lists violations alone, because axe otherwise also describes every element that passed. The builder would load axe's half
 * a megabyte into the page twice for each run, even if it is already there.
 */
async function axeOn(page: Page): Promise<AxeBuilder> {
  const rules = { 'heading-order': { enabled: true } };
  const isThere = await page.evaluate<boolean>(`'axe' in globalThis`);
  return new AxeBuilder({ page, ...(isThere && { axeSource: '0' }) })
    .options({ resultTypes: ['violations'], selectors: false, rules })
    .setLegacyMode();
}

async function expectNone(axe: AxeBuilder): Promise<void> {
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  expect(found, 'axe').toEqual([]);
}
