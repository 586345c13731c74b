import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const dist = fileURLToPath(new URL('../../dist', import.meta.url));

/** Serves the built web app; every path that is no file and not below /api is one of its screens. */
export async function registerWeb(app: FastifyInstance): Promise<void> {
  if (!existsSync(dist)) {
    app.log.warn('the web app is not built: only the API is served');
    return;
  }
  await app.register(fastifyStatic, {
    root: dist,
    wildcard: false,
    setHeaders(reply, path) {
      // Built assets carry a hash of their content in their names.
      reply.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
    cacheControl: false,
    preCompressed: true,
  });
  app.setNotFoundHandler((request, reply) => {
    if (request.method !== 'GET') return reply.status(404).send();
    return reply.sendFile('index.html');
  });
}
