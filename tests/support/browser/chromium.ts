import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Chromium without windows, as Debian packs it. */
export const chromiumShell = '/usr/bin/chromium-headless-shell';

/**
 * The system's browser; undefined where Playwright has to bring its own. The shell without windows comes first: the
 * whole Chromium draws a hidden window for every page that a test opens, which doubles the time of the stories.
 */
export function findChromium(): string | undefined {
  return [chromiumShell, '/usr/bin/chromium'].find((path) => existsSync(path));
}

/** Where Playwright keeps a browser of its own: inside the checkout, not in the account's folder. */
export const browsersFolder = fileURLToPath(new URL('../../../.cache/browsers', import.meta.url));

/**
 * Quiet, without a GPU; Chromium's sandbox does not work as root. A page of a test lives for seconds: optimized code and a
 * process for drawing cost more than they save, a tenth of all processor time.
 */
export const chromiumArgs = [
  '--disable-gpu',
  '--in-process-gpu',
  '--js-flags=--no-turbofan --no-maglev',
  '--disable-background-networking',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
