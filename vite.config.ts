import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const dist = join(root, 'dist');
const texts = join(root, 'node_modules/.cache/coverdesk-texts');

/** Writes `.gz` and `.br` beside every text file of the build: the server sends them as they are. */
function compress(): Plugin {
  const toGzip = promisify(gzip);
  const toBrotli = promisify(brotliCompress);
  return {
    name: 'compress',
    apply: 'build',
    // Not in closeBundle, which also runs after a failure, and would hide it.
    async writeBundle() {
      const names = await readdir(dist, { recursive: true });
      const files = names.filter((name) => /\.(js|css|html|svg|json)$/.test(name));
      await Promise.all(
        files.map(async (name) => {
          const file = join(dist, name);
          const content = await readFile(file);
          const quality = { [constants.BROTLI_PARAM_QUALITY]: 11 };
          await writeFile(`${file}.gz`, await toGzip(content, { level: 9 }));
          await writeFile(`${file}.br`, await toBrotli(content, { params: quality }));
        }),
      );
    },
  };
}

/** Returns the name of a class of a CSS module. Vite's own have a line number as well: 1 KB more in the first load. */
function nameClass(name: string, file: string): string {
  const ofFile = createHash('sha256').update(relative(root, file)).digest('base64url');
  return `${name}_${ofFile.slice(0, 4)}`;
}

type Modules = { getModuleInfo(id: string): Rolldown.ModuleInfo | null };

/** What a module is fetched with: the entry, or modules that are imported only when they are wanted. */
function findRoots(id: string, modules: Modules): string[] {
  const roots: string[] = [];
  const seen = new Set<string>();
  const visit = (module: string) => {
    const info = seen.has(module) ? null : modules.getModuleInfo(module);
    seen.add(module);
    if (!info) return;
    if (info.isEntry || info.dynamicImporters.length > 0) roots.push(module);
    for (const importer of info.importers) visit(importer);
  };
  visit(id);
  return roots;
}

/**
 * A group of the app's modules that goes into one file: what the groups before it need stays there. Modules of packages
 * follow the modules that use them. They are not asked for roots: a package's index imports all of its modules.
 */
function group(name: string, priority: number, belongs: (roots: string[]) => boolean) {
  return {
    priority,
    name: (id: string, modules: Modules) =>
      !id.includes('/node_modules/') && belongs(findRoots(id, modules)) ? name : null,
  };
}

/**
 * A few files instead of the many small ones that screens share, each of which would cost a request. The screen that
 * most people begin with stands in one file with the frame of all: their texts would be sought among what others share.
 */
const groups = [
  group('start', 3, (roots) => roots.some((root) => /index\.html$|\/app\/web\/web\.tsx$/.test(root))),
  group(
    'signed-out',
    2,
    (roots) => roots.length > 1 && roots.some((root) => /(forgot|reset)-password-page/.test(root)),
  ),
  group('screens', 1, (roots) => roots.some((root) => /\/(screens|data-page)\.tsx$/.test(root))),
  group('shared', 0, (roots) => roots.length > 1),
];

export default defineConfig({
  root,
  plugins: [
    react(),
    // The browser's copy of the texts has one module per text, so that a screen loads only the texts it shows.
    paraglideVitePlugin({
      project: join(root, 'project.inlang'),
      outdir: texts,
      outputStructure: 'message-modules',
      strategy: ['globalVariable', 'baseLocale'],
      emitReadme: false,
      emitPrettierIgnore: false,
    }),
    compress(),
  ],
  css: { modules: { generateScopedName: nameClass } },
  resolve: { alias: { '#shared/texts': texts } },
  build: {
    outDir: dist,
    assetsDir: 'assets',
    emptyOutDir: true,
    // The oldest browsers that are supported: docs/decisions/012.
    target: ['chrome125', 'edge125', 'firefox128', 'safari17.4', 'ios17.4'],
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' } },
});
