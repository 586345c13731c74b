import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browsersFolder, chromiumArgs, findChromium } from './tests/support/browser/chromium.ts';

const executablePath = findChromium();
process.env.PLAYWRIGHT_BROWSERS_PATH ??= browsersFolder;

// Begun last, they would go on alone for a minute: each file has a product of its own, or waits for mails of a round.
const longest = [
  'stories/open-screens.story.ts',
  'stories/running-ticket.story.ts',
  'stories/single-sign-on.story.ts',
  'stories/sources.story.ts',
  'stories/ticket-mails.story.ts',
];

export default defineConfig({
  testDir: './tests',
  projects: [
    { name: 'longest', testMatch: longest },
    {
      name: 'others',
      testMatch: ['stories/*.story.ts', 'components/*.component.ts'],
      testIgnore: longest,
    },
  ],
  globalSetup: './tests/support/stories/product.ts',
  outputDir: './test-results',
  // A story waits for answers, polls and moving parts half of its time.
  workers: 2 * Math.max(2, availableParallelism()),
  fullyParallel: true,
  forbidOnly: true,
  // Both are patience for a busy machine: a story takes two to five seconds.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    launchOptions: { args: chromiumArgs, ...(executablePath ? { executablePath } : {}) },
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    viewport: { width: 1280, height: 800 },
    // Frames of moving parts would take an eighth of all processor time.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
  },
});
