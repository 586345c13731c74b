import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { paraglideVitePlugin } from '@inlang/paraglide-js';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

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
    async closeBundle() {
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
  resolve: { alias: { '#shared/texts': texts } },
  build: {
    outDir: dist,
    assetsDir: 'assets',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:3000' } },
});
