import { existsSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { runNpm } from './process.mjs';
import { say } from './say.mjs';

/**
 * Installs the packages of a package-lock.json unless exactly these are there.
 * @param folder where it lies, seen from the root
 */
export async function installPackages(folder = '.') {
  if (isInstalled(folder)) return;
  say(folder === '.' ? 'Installing packages …' : `Installing packages of ${folder}/ …`);
  const place = folder === '.' ? [] : ['--prefix', folder];
  try {
    // Development packages too, whatever the environment says: they build the web app, and are all that bench/ has.
    await runNpm([
      'ci',
      ...place,
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
      '--no-audit',
      '--no-fund',
    ]);
  } catch (error) {
    throw new Error(`${['npm ci', ...place].join(' ')} failed:\n${error.message}`);
  }
}

/** Whether npm's note of what it installed agrees with package-lock.json; optional packages may be missing. */
export function isInstalled(folder = '.') {
  if (!existsSync(inRoot(folder, 'node_modules', '.package-lock.json'))) return false;
  const installed = readJson(folder, 'node_modules', '.package-lock.json').packages;
  return Object.entries(readJson(folder, 'package-lock.json').packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : wanted.optional;
  });
}

function readJson(...path) {
  return JSON.parse(readFileSync(inRoot(...path), 'utf8'));
}
