import type { FileChooser, Page } from '@playwright/test';

/**
 * Waits for the next file chooser. Call it before the page is opened: a busy browser may handle the press that opens a
 * chooser before the request to intercept choosers.
 */
export function nextFileChooser(page: Page): Promise<FileChooser> {
  return new Promise((resolve) => page.once('filechooser', resolve));
}
