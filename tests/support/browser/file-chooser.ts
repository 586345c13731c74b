import type { FileChooser, Page } from '@playwright/test';

/**
 * The next file chooser that opens. To be called before the page is opened: a busy browser hears that it shall hand its
 * choosers over later than it hears of the press that opens one.
 */
export function nextFileChooser(page: Page): Promise<FileChooser> {
  return new Promise((resolve) => page.once('filechooser', resolve));
}
