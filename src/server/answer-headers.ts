import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** What a page may load: the product's own files alone. Nobody frames it, and no element moves its addresses elsewhere. */
const directives = {
  'default-src': ["'self'"],
  // Mantine writes style attributes and one style element for its theme variables.
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/** The same as the text of a header. */
export const pagePolicy = Object.entries(directives)
  .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
  .join('; ');

/**
 * Has every answer say what browsers and caches may do with it.
 * @param secure whether people reach the product by TLS
 */
export async function registerAnswerHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      // The product is often served without TLS inside a company.
      directives: { ...directives, 'upgrade-insecure-requests': null },
    },
    frameguard: { action: 'deny' },
    // Browsers complain about these where there is no TLS.
    strictTransportSecurity: secure,
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
  });
  // Devices, companies and tokens stay in no cache, neither a browser's nor one in between. An address can be written in
  // many ways, so that this is what every answer says; the web app's files, which tell nothing, say otherwise.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
}

/** What an answer says that passes no hook. */
export const bareAnswerHeaders = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/** What no route is found for, since its address cannot be read, passes no hook: its answer says the same by this. */
export function setAnswerHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(bareAnswerHeaders);
}
