// Bundles the server's modules and packages into a few files, because its processes and threads load hundreds of modules
// each, which took half of their start. Every command runs the bundle, and so does every process that a test starts.
// Tests of modules, and of routes within one process, run the sources.
import { rm } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { externalPackages } from './external-packages.ts';
import { buildServer } from './run/build.mjs';
import { inRoot } from './run/paths.mjs';

const folder = dirname(inRoot(buildServer.made));

/** A native addon, the files of a page and fonts are not bundled; `pg-native` is not installed. */
const external = [...externalPackages.map((name) => new RegExp(`^${name}(/|$)`)), 'pg-native'];

/** The modules that a process or thread starts with. */
const entries = new Set([inRoot('src', 'app', 'server', 'main.ts')]);

const sibling = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url,?\s*\)/g;

/**
 * Files that a module names beside itself: those of a process or thread become files of their own beside the others,
 * anything else stays where it is.
 */
const siblings: Plugin = {
  name: 'siblings',
  transform(code, id) {
    if (!id.startsWith(inRoot('src'))) return null;
    const moved = code.replaceAll(sibling, (_, path: string) => {
      const file = resolve(dirname(id), path);
      const built = `${basename(file, '.ts')}.js`;
      if (file.endsWith('.ts')) {
        entries.add(file);
        this.emitFile({ type: 'chunk', id: file, fileName: built });
      }
      const place = file.endsWith('.ts') ? built : relative(folder, file).replaceAll('\\', '/');
      return `new URL('./${place}${path.endsWith('/') ? '/' : ''}', import.meta.url)`;
    });
    // Lines stay where they are.
    return { code: moved, map: null };
  },
};

const bundle = await rolldown({
  input: inRoot('src', 'app', 'server', 'main.ts'),
  platform: 'node',
  external,
  plugins: [siblings],
});
await rm(folder, { recursive: true, force: true });
// Node keeps source text in memory; ASCII text takes one byte per character.
await bundle.write({
  dir: folder,
  chunkFileNames: '[name]-[hash].js',
  charset: 'ascii',
  comments: false,
  // An entry's file runs a process or thread when it is imported, so that no other file may import it. All other
  // modules are in files by the entries that need them.
  codeSplitting: { groups: [{ name: 'shared', test: (id) => !entries.has(id), entriesAware: true }] },
});
await bundle.close();
