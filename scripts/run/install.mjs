import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, inRoot, ownNode } from './paths.mjs';
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

/**
 * Makes sure that the project's own Node is there and is the pinned one, before it is run for the first time: its package
 * fetches the program outside the lockfile, so that its content is pinned here.
 */
export async function requireOwnNode() {
  const { version, sha256 } = readJson('scripts', 'run', 'node-checksums.json');
  const wanted = sha256[`${process.platform}-${process.arch}`];
  if (!wanted) {
    throw new Error(
      `There is no checksum of Node ${version} for ${process.platform}-${process.arch} (scripts/run/node-checksums.json)`,
    );
  }
  if (checksumOf(ownNode) === wanted) return;
  // Where install scripts are switched off, npm leaves this package without its program.
  await runNpm(['rebuild', 'node', '--ignore-scripts=false']).catch(() => undefined);
  const found = checksumOf(ownNode);
  if (found === wanted) return;
  throw new Error(
    found
      ? `${ownNode} is not the Node ${version} that Coverdesk was made with (SHA-256 ${found}, not ${wanted}), and was not run. ` +
          'Remove node_modules/node and install again; should this come back, do not trust where the packages come from'
      : `Coverdesk needs its own Node ${version} in node_modules (found: none). ` +
          'Mend it with: npm rebuild node --ignore-scripts=false',
  );
}

/** Whether npm's note of what it installed agrees with package-lock.json; optional packages may be missing. */
function isInstalled(folder) {
  if (!existsSync(inRoot(folder, 'node_modules', '.package-lock.json'))) return false;
  const installed = readJson(folder, 'node_modules', '.package-lock.json').packages;
  return Object.entries(readJson(folder, 'package-lock.json').packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : wanted.optional;
  });
}

/** Reading all of Node takes as long as starting it: that is done once, and again after anything was written to the file. */
function checksumOf(file) {
  if (!existsSync(file)) return undefined;
  const note = join(cache, 'node.checksum');
  const { size, ino, ctimeMs } = statSync(file);
  const state = `${size} ${ino} ${ctimeMs}`;
  const [known, kept] = existsSync(note) ? readFileSync(note, 'utf8').split('\n') : [];
  if (known === state) return kept;
  const checksum = createHash('sha256').update(readFileSync(file)).digest('hex');
  mkdirSync(cache, { recursive: true });
  writeFileSync(note, `${state}\n${checksum}`);
  return checksum;
}

function readJson(...path) {
  return JSON.parse(readFileSync(inRoot(...path), 'utf8'));
}
