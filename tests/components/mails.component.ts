import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { MailContent } from '#server/mail/mail-content.ts';
import { writeMailBody } from '#server/mail/mail-layout.ts';

const content: MailContent = {
  locale: 'en',
  heading: 'Coverage of 1,284 devices ends soon',
  paragraphs: ['Their coverage ends within the next 30 days, and no earlier mail listed them.'],
  figures: [['File', `${'a-very-long-name-without-any-space'.repeat(3)}.xlsx`]],
  breakdowns: [
    { heading: 'By model', figures: [['iPhone 15 Pro Max 512 GB Natural Titanium', '1,284']] },
    { heading: 'By week', figures: [['28 Dec 2026 – 3 Jan 2027', '1,284']] },
  ],
  links: [{ label: 'Show these devices', url: 'https://coverdesk.test/dashboard/devices' }],
  footer: {
    text: 'You receive this mail because of Acme.',
    link: { label: 'Unsubscribe', url: 'https://a.test' },
  },
};

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [390, 800]) {
    test(`a mail can be read in ${scheme} mode, ${width} pixels wide`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await page.setContent(writeMailBody(content, { ...content, locale: 'id' }).html);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
      const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa']).analyze();
      expect(violations).toEqual([]);
      const folder = process.env.PICTURES;
      if (folder) {
        await page.screenshot({ path: join(folder, 'mails', `${width}-${scheme}.png`), fullPage: true });
      }
    });
  }
}
