import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { inRoot, ownNode } from './paths.mjs';
import { runNpm } from './process.mjs';
import { say } from './say.mjs';

/** Installs the packages of package-lock.json unless exactly these are there. */
export async function installPackages() {
  if (isInstalled()) return;
  say('Installing packages …');
  try {
    // Development packages too, whatever the environment says: they build the web app.
    await runNpm([
      'ci',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
      '--no-audit',
      '--no-fund',
    ]);
  } catch (error) {
    throw new Error(`npm ci failed:\n${error.message}`);
  }
}

/** Makes sure that the project's own Node is there and is the pinned one. */
export async function requireOwnNode() {
  const wanted = readJson('package.json').dependencies.node;
  if (versionOf(ownNode) === wanted) return;
  // Where install scripts are switched off, npm leaves this package without its program.
  await runNpm(['rebuild', 'node', '--ignore-scripts=false']).catch(() => undefined);
  const found = versionOf(ownNode);
  if (found === wanted) return;
  throw new Error(
    `Coverdesk needs its own Node ${wanted} in node_modules (found: ${found ?? 'none'}). ` +
      'Mend it with: npm rebuild node --ignore-scripts=false',
  );
}

/** Whether npm's note of what it installed agrees with package-lock.json; optional packages may be missing. */
function isInstalled() {
  if (!existsSync(inRoot('node_modules', '.package-lock.json'))) return false;
  const installed = readJson('node_modules', '.package-lock.json').packages;
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : wanted.optional;
  });
}

function versionOf(node) {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      .trim()
      .slice(1);
  } catch {
    return undefined;
  }
}

function readJson(...path) {
  return JSON.parse(readFileSync(inRoot(...path), 'utf8'));
}
