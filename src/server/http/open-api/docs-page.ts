import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The files of Swagger UI. The package's own plugin takes a tenth of every start to load. */
const folder = dirname(fileURLToPath(import.meta.resolve('@fastify/swagger-ui/static/index.html')));

/** The script that index.html expects beside itself. */
const initializer = `SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '/api/openapi.json',
  validatorUrl: null,
  deepLinking: true,
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  plugins: [SwaggerUIBundle.plugins.DownloadUrl],
});
`;

/** Serves the documentation page `/api/docs/`. */
export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/api/docs',
    redirect: true,
    decorateReply: false,
  });
  app.get('/api/docs/swagger-initializer.js', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(initializer),
  );
}
