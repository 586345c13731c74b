import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, inRoot } from './paths.mjs';
import { runNpm } from './process.mjs';
import { say } from './say.mjs';

/**
 * A build step. The file `made` exists once it has run. `isSource` selects its sources among the files below the folders
 * `from`.
 */
export const compileTexts = {
  name: 'texts',
  say: 'Compiling texts …',
  script: 'texts',
  made: 'src/shared/texts/messages.js',
  from: ['messages', 'project.inlang/settings.json', 'package-lock.json'],
  isSource: () => true,
};

export const buildServer = {
  name: 'server',
  say: 'Building the server …',
  script: 'build:server',
  made: 'dist-server/main.js',
  from: [
    'scripts/build-server.ts',
    'scripts/external-packages.ts',
    'package.json',
    'package-lock.json',
    'messages',
    'src',
  ],
  isSource: (path) => !/\.test\.ts$|\.(tsx|css)$|\/web\/|\/texts\//.test(path),
};

export const buildWeb = {
  name: 'web',
  say: 'Building the web app …',
  script: 'build:web',
  made: 'dist/index.html',
  from: ['index.html', 'vite.config.ts', 'package.json', 'package-lock.json', 'messages', 'public', 'src'],
  // The server's code changes nothing in the browser.
  isSource: (path) => !/\.test\.ts$|\/server\/|\/texts\//.test(path),
};

const noteOf = (thing) => join(cache, `${thing.name}.hash`);

/** Whether a thing was made from exactly the present sources. */
export function isUpToDate(thing) {
  const note = noteOf(thing);
  return (
    existsSync(inRoot(thing.made)) && existsSync(note) && readFileSync(note, 'utf8') === hashSources(thing)
  );
}

/** Makes a thing unless it was made from exactly the present sources. */
export async function bringUpToDate(thing) {
  if (isUpToDate(thing)) return;
  const present = hashSources(thing);
  say(thing.say);
  // Without its note, nobody takes a half-made thing for a finished one.
  rmSync(noteOf(thing), { force: true });
  try {
    await runNpm(['run', '--silent', thing.script]);
  } catch (error) {
    throw new Error(`npm run ${thing.script} failed:\n${error.message}`);
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(noteOf(thing), present);
}

function hashSources({ from, isSource }) {
  const hash = createHash('sha256');
  for (const path of from.flatMap(listFiles).filter(isSource)) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(inRoot(path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function listFiles(path) {
  if (!existsSync(inRoot(path))) return [];
  return statSync(inRoot(path)).isFile() ? [path] : listFolder(path);
}

function listFolder(folder) {
  // Asking each file what it is would take most of the time that a warm start spends here.
  return readdirSync(inRoot(folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFolder(path) : [path];
    });
}
