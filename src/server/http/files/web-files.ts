import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const dist = fileURLToPath(new URL('../../../../dist', import.meta.url));

const assets = '/assets/';
/** A health check at the wrong address must fail: it is below /api. */
const misplaced = /^\/health(\/|$)/;
/** Every path below these is a screen. */
const screens = /^\/(dashboard|reset-password|invitation|(?:un)?subscribe)\//;

/** Serves the built web app. Every path outside /api that does not look like a file is one of its screens. */
export async function registerWeb(app: FastifyInstance, folder = dist): Promise<void> {
  if (!existsSync(folder)) {
    app.log.warn('the web app is not built: only the API is served');
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    // They are sent in place of the files beside them, whose routes suffice.
    globIgnore: ['**/*.{br,gz}'],
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
    // A page of an earlier build may request its old files. Caches must not store that they are missing.
    if (!isRead || isNoScreen(request.url))
      return reply.status(404).header('cache-control', 'no-store').send();
    return reply.sendFile('index.html');
  });
}

/** Returns whether a URL is no screen: below the assets or /health, or with an extension unless it is below a screen. */
function isNoScreen(url: string): boolean {
  const [path = ''] = url.split('?');
  return path.startsWith(assets) || misplaced.test(path) || (!screens.test(path) && /\.\w+$/.test(path));
}
