import { defineConfig } from '@playwright/test';
import { browsersFolder, chromiumArgs, findChromium } from './tests/e2e/support/chromium.ts';

const executablePath = findChromium();
process.env.PLAYWRIGHT_BROWSERS_PATH ??= browsersFolder;

export default defineConfig({
  testDir: './tests',
  testMatch: ['e2e/*.e2e.ts', 'components/*.component.ts'],
  globalSetup: './tests/e2e/support/product.ts',
  outputDir: './test-results',
  workers: 2,
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
    screenshot: 'only-on-failure',
  },
});
