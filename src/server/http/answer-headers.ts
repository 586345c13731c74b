import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** A page may load only the product's own files, nobody may frame it, and nothing may move its base address. */
const pagePolicy = {
  'default-src': ["'self'"],
  // Mantine writes style attributes and one style element for its theme variables.
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'base-uri': ["'none'"],
  'object-src': ["'none'"],
  'frame-ancestors': ["'none'"],
};

/**
 * An address can be written in many ways, so every answer forbids caches to store it. The web app's files, which hold
 * no data, overwrite this.
 */
const noStore = { 'cache-control': 'no-store' };

/**
 * Sets the security and cache headers of every answer.
 * @param secure whether users reach the product over TLS: without it browsers log warnings about some headers
 */
export async function registerAnswerHeaders(app: FastifyInstance, secure: boolean): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: { ...pagePolicy, 'upgrade-insecure-requests': null },
    },
    crossOriginOpenerPolicy: secure,
    originAgentCluster: secure,
    strictTransportSecurity: secure && { maxAge: 31_536_000 }, // one year, in seconds
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(noStore);
  });
}

/** The headers of answers that no hook sees. */
export const bareAnswerHeaders = {
  'content-security-policy': Object.entries(pagePolicy)
    .map(([directive, values]) => [directive, ...values].join(' '))
    .join(';'),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...noStore,
};

/** Sets the headers of an answer to a request whose address cannot be read: no route is found, so no hook runs. */
export function setAnswerHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers(bareAnswerHeaders);
}
