import helmet from '@fastify/helmet';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Context } from '#server/context.ts';
import { answerErrors } from '#server/error-answer.ts';
import { AppError } from '#server/errors.ts';
import { registerHealth } from '#server/health.ts';
import { registerMetrics } from '#server/metrics.ts';
import { registerOpenApi } from '#server/open-api.ts';
import { registerWeb } from '#server/web-files.ts';
import { m } from '#shared/texts/messages.js';
import { registerFeatures } from './features.ts';

/** The whole HTTP face of the product, not yet listening; tests inject requests into it. */
export async function buildApi(context: Context): Promise<FastifyInstance> {
  const { config } = context;
  const app = Fastify({
    loggerInstance: context.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY ?? false,
    bodyLimit: 1024 * 1024,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 300 },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller', undefined);
  answerErrors(app);
  registerMetrics(app, context);
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        url: request.url.split('?')[0],
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'answered',
    );
  });

  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        'default-src': ["'self'"],
        // Mantine writes style attributes and one style element for its theme variables.
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        // The product is often served without TLS inside a company.
        'upgrade-insecure-requests': null,
      },
    },
    strictTransportSecurity: config.PUBLIC_URL?.startsWith('https:') ?? false,
  });
  await app.register(multipart, {
    limits: { files: 1, fields: 10, fileSize: config.MAX_UPLOAD_MB * 1024 * 1024 },
  });
  await registerOpenApi(app);
  registerHealth(app, context);
  await registerFeatures(app, context);
  app.all('/api/*', { schema: { hide: true } }, async () => {
    throw new AppError(404, 'not_found', (locale) => m.server_not_found({}, { locale }));
  });
  await registerWeb(app);
  return app;
}
