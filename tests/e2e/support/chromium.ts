import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The system's browser; undefined where Playwright has to bring its own. */
export function findChromium(): string | undefined {
  const system = '/usr/bin/chromium';
  return existsSync(system) ? system : undefined;
}

/** Where Playwright keeps a browser of its own: inside the checkout, not in the account's folder. */
export const browsersFolder = fileURLToPath(new URL('../../../.cache/browsers', import.meta.url));

/** Quiet, without a GPU; Chromium's sandbox does not work as root. */
export const chromiumArgs = [
  '--disable-gpu',
  '--disable-background-networking',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
