import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const dist = fileURLToPath(new URL('../../../../dist', import.meta.url));

const assets = '/assets/';
/** Below these every address is a screen's. */
const screens = /^\/(dashboard|reset-password)\//;

/** Serves the built web app; every path that does not look like a file's and is not below /api is one of its screens. */
export async function registerWeb(app: FastifyInstance, folder = dist): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn('the web app is not built: only the API is served');
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    setHeaders(reply, path) {
      // Built assets carry a hash of their content in their names.
      const isHashed = path.slice(folder.length).startsWith(assets);
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
    cacheControl: false,
    preCompressed: true,
  });
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    // A file of an earlier build may be asked for by a page that is still open; that it is gone must not be kept.
    if (!isRead || isFile(request.url)) return reply.status(404).header('cache-control', 'no-store').send();
    return reply.sendFile('index.html');
  });
}

/** Whether a URL is a file's: below the assets, or with an ending; a screen's last part may look like one. */
function isFile(url: string): boolean {
  const [path = ''] = url.split('?');
  return path.startsWith(assets) || (!screens.test(path) && /\.\w+$/.test(path));
}
